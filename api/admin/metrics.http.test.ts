import { afterEach, expect, test } from 'vitest';
import { forgetPages } from '#api/testing/changes.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { castVote, made } from '#api/testing/community-polls.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { startTestApp, testAdminPassword, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { recordChanges } from '#api/publishing/changes.service.ts';
import { fixedClock } from '#platform/clock.ts';
import { holdJob } from '#api/publishing/job.service.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { castVotes, closeBallot, logWriter } from '#api/testing/vote-logs.ts';
import { lateAfterMs } from '#api/integrity/log/alerts.service.ts';
import { tick } from '#api/integrity/log/tick.service.ts';
import { headerText } from '#site/client/api.ts';

let app: TestApp | undefined;
afterEach(() => app?.close());

/** The metrics by name and labels. */
async function figures(of: TestApp): Promise<Map<string, number>> {
  const answer = await of.fetch('/api/metrics');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

oneDatabase((open) => {
  test('votes are counted by kind and refusals by reason, with latencies and votes per commit', async () => {
    const { db } = await open();
    app = await startTestApp(db);
    const ben = await registered(app, 'ben');
    const { id } = await made(ben);
    expect((await figures(app)).get('weathervane_votes_accepted_total{kind="poll"}')).toBe(0);
    const ann = visitor(app);
    const votes = [
      [ann, 'option-1', 200],
      [ann, 'option-1', 409],
      [visitor(app), 'option-2', 200],
      [visitor(app), 'none', 400],
    ] as const;
    for (const [browser, optionId, status] of votes)
      expect((await castVote(browser, id, optionId)).status).toBe(status);
    const after = await figures(app);
    expect(after.get('weathervane_votes_accepted_total{kind="community"}')).toBe(2);
    expect(after.get('weathervane_votes_refused_total{kind="community",reason="ALREADY_VOTED"}')).toBe(1);
    expect(after.get('weathervane_votes_refused_total{kind="community",reason="INVALID_OPTION"}')).toBe(1);
    expect(after.get('weathervane_vote_seconds_count')).toBe(2);
    expect(after.get('weathervane_vote_batch_size_sum')).toBe(4);
    expect(after.get('weathervane_votes_waiting')).toBe(0);
    expect(after.get('weathervane_answers_total{call="metrics",status="200"}')).toBe(1);
    expect(after.get('weathervane_database_connections{state="waiting"}')).toBe(0);
  });

  test('builds are counted by outcome, with waiting builds and durations', async () => {
    const { db } = await open();
    app = await startTestApp(db);
    await recordChanges(db, testNow, [{ kind: 'poll', key: 'tea' }]);
    expect((await figures(app)).get('weathervane_builds_open{state="queued"}')).toBe(1);
    const clock = fixedClock(testNow);
    const job = await holdJob({ db, clock }, () => [{ kind: 'poll', key: 'tea' }]);
    await forgetPages(db);
    clock.set(testNow + 4_000);
    await job?.finish({ changed: 0, error: 'full' });
    const after = await figures(app);
    expect(after.get('weathervane_builds_open{state="queued"}')).toBe(0);
    expect(after.get('weathervane_builds{outcome="failed"}')).toBe(1);
    expect(after.get('weathervane_build_last_seconds')).toBe(4);
    expect(after.has('weathervane_publish_age_seconds')).toBe(false);
  });

  test('without the database, the other metrics are still reported', async () => {
    const { db } = await open();
    app = await startTestApp(db);
    await db.destroy();
    const reported = await figures(app);
    expect(reported.get('weathervane_votes_accepted_total{kind="poll"}')).toBe(0);
    expect(reported.has('weathervane_builds{outcome="failed"}')).toBe(false);
  });

  test('requests through a proxy need the admin password, even if the proxy is on this machine', async () => {
    const { db } = await open();
    app = await startTestApp(db);
    const status = async (headers: Record<string, string>) => (await app!.fetch('/api/metrics', { headers })).status;
    expect(await status({})).toBe(200);
    for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'])
      expect([name, await status({ [name]: '127.0.0.1' })]).toEqual([name, 401]);
    expect(await status({ 'x-forwarded-for': '203.0.113.7', 'x-admin-password': 'guess' })).toBe(401);
    const password = headerText(testAdminPassword);
    expect(await status({ 'x-forwarded-for': '203.0.113.7', 'x-admin-password': password })).toBe(200);
  });

  test('a vote log that has stopped, is late, or can’t be closed shows in the metrics', async () => {
    const { db } = await open();
    app = await startTestApp(db);
    await seedPolls(db, [{ id: 'tea' }, { id: 'cake' }, { id: 'pie' }]);
    const names = ['behind_seconds', 'overdue', 'problems'].map((name) => `weathervane_vote_log_${name}`);
    const shown = async () => {
      const all = await figures(app!);
      return names.map((name) => all.get(name));
    };
    const writer = logWriter(db, app.clock);
    await tick(writer);
    for (const id of ['tea', 'cake', 'pie']) await castVotes(db, id, 'o1', 25);
    await tick(writer);
    expect(await shown()).toEqual([0, 0, 0]);
    // Nothing writes the log for more than an hour.
    app.clock.set(testNow + 3_600_000 + lateAfterMs);
    await castVotes(db, 'tea', 'o1', 1, testNow + 3_600_000);
    expect(await shown()).toEqual([lateAfterMs / 1_000, 3, 0]);
    await tick(writer);
    expect(await shown()).toEqual([0, 0, 0]);
    await closeBallot(db, 'tea', app.clock.now());
    await closeBallot(db, 'cake', app.clock.now());
    await db('ballots').where({ id: 'cake' }).increment('total_votes', 1);
    app.clock.set(app.clock.now() + lateAfterMs);
    expect(await shown()).toEqual([0, 2, 0]);
    await tick(writer);
    expect(await shown()).toEqual([0, 0, 1]);
  });
});
