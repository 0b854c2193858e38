import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { reportUndecided } from '#api/admin/today/notice.service.ts';
import { mailOutbox } from '#api/mail/outbox.service.ts';
import { report } from '#api/moderation/reports.service.ts';
import { takeDownPoll } from '#api/polls/community/taking-down.service.ts';
import { lifecycleTask } from '#api/polls/lifecycle/lifecycle.service.ts';
import { importPolls } from '#api/polls/import/poll-import.service.ts';
import { lastImport, undoImport } from '#api/polls/import/undo.service.ts';
import { closePoll, reopenPoll } from '#api/polls/managing.service.ts';
import { holdJob, lastPublish, recordEnded } from '#api/publishing/job.service.ts';
import { ask, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { newDigest } from '#api/testing/votes.ts';
import { startReceiver } from '#api/testing/webhook-receiver.ts';
import { decide, setAside } from '#api/voting/decisions.service.ts';
import { createVotingIntake } from '#api/voting/intake.service.ts';
import { previewLinks } from '#api/polls/preview-links.service.ts';
import { silentLogger } from '#platform/logger.ts';
import { deliveriesPage, listWebhooks } from './webhooks.service.ts';

const hour = 3_600_000;
const day = 24 * hour;

eachDatabase((open, _engine, once) => {
  async function start() {
    const { db } = await open();
    const { receiver, clock, context, deliver } = await startReceiver(db);
    /** Delivers what is due; returns the types and data of the messages. */
    const events = async () => {
      receiver.received.length = 0;
      for (let sent = -1; sent !== 0;) sent = await deliver();
      return receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });
    };
    const named = async () =>
      (await events()).map(({ type, data }) => `${type} ${(data.poll as { id?: string } | undefined)?.id ?? ''}`);
    const process = () => lifecycleTask({ db, clock, log: silentLogger });
    return { db, clock, context, events, named, process };
  }

  test('each opening and closing of a poll is reported once, by whichever of several processes', async () => {
    const { db, clock, events, named, process } = await start();
    await seedPolls(db, [
      { id: 'tea', question: 'Tea?', startsAt: testNow + hour, endsAt: testNow + day },
      { id: 'cake', endsAt: testNow + 2 * day },
      { id: 'old', closedAt: testNow - day },
    ]);
    const [one, two] = [process(), process()];
    const both = () => Promise.all([one(), two()]);
    await both();
    expect(await named()).toEqual(['poll.opened cake']);
    clock.set(testNow + hour);
    await both();
    expect(await events()).toEqual([
      {
        type: 'poll.opened',
        timestamp: '2026-11-20T13:00:00.000Z',
        data: { poll: { id: 'tea', kind: 'poll', title: 'Tea?', url: 'https://polls.example.org/poll/tea' } },
      },
    ]);
    clock.set(testNow + day);
    await both();
    expect(await named()).toEqual(['poll.closed tea']);
    // A process that starts later repeats nothing.
    await process()();
    expect(await named()).toEqual([]);
    const polls = { db, clock, previews: previewLinks(['key'], clock) };
    await closePoll(polls, 'cake');
    await reopenPoll(polls, 'cake');
    await both();
    expect(await named()).toEqual(['poll.closed cake', 'poll.opened cake']);
  });

  once('a poll that an import closes, and its undoing reopens, is reported', async () => {
    const { db, clock, named, process } = await start();
    const check = process();
    const file = (isActive: boolean) =>
      'id,question,description,options,is_active,created_at,starts_at,ends_at\n' +
      `tea,Tea?,D,Yes|No,${isActive},2026-11-01,2026-11-01,2026-12-24`;
    const take = (isActive: boolean) =>
      importPolls({ db, clock, source: Readable.from([Buffer.from(file(isActive))]) });
    await take(true);
    await check();
    expect(await named()).toEqual(['poll.opened tea']);
    await take(false);
    expect(await named()).toEqual(['poll.closed tea']);
    await undoImport({ db, clock }, (await lastImport(db))!);
    await check();
    expect(await named()).toEqual(['poll.opened tea']);
  });

  once('unlisted and private polls are never mentioned, and a report or an early end of a public one is', async () => {
    const { db, clock, context, events, named, process } = await start();
    const app = await startTestApp(db, { clock });
    const anna = await registered(app, 'anna');
    const ben = await registered(app, 'ben');
    const ids: Record<string, string> = {};
    for (const visibility of ['public', 'unlisted', 'private'] as const)
      ids[visibility] = (await made(anna, { visibility })).id;
    await process()();
    expect(await named()).toEqual([`poll.opened ${ids.public}`]);
    const filed = { category: 'spam', author: false, reason: 'Advertising for anna@example.org' } as const;
    for (const visibility of ['public', 'unlisted']) {
      const about = { pollId: ids[visibility]! };
      // The second one changes nothing.
      for (let n = 0; n < 2; n++) await report(context, ben.user.id, about, filed);
    }
    const reported = await events();
    expect(reported).toMatchObject([
      {
        type: 'report.filed',
        data: {
          poll: { id: ids.public, kind: 'community', title: 'Tea or coffee?' },
          report: { kind: 'poll', category: 'spam', url: 'https://polls.example.org/admin/moderation' },
        },
      },
    ]);
    expect(JSON.stringify(reported)).not.toMatch(/Advertising|anna|ben/);
    for (const id of Object.values(ids)) await ask(anna, `/api/community-polls/${id}/close`, 'POST');
    expect(await named()).toEqual([`poll.closed ${ids.public}`]);
  });

  test('what waits about a poll is not sent once the poll is hidden or deleted', async () => {
    const { db, clock, context, named, process } = await start();
    const anna = await registered(await startTestApp(db, { clock }), 'anna');
    const [hidden, deleted, left] = [await made(anna), await made(anna), await made(anna)];
    await process()();
    await db.transaction((trx) => takeDownPoll(trx, { id: hidden.id, by: 'moderator', now: clock.now() }));
    expect((await ask(anna, `/api/community-polls/${deleted.id}`, 'DELETE')).status).toBe(204);
    expect(await named()).toEqual([`poll.opened ${left.id}`]);
    const [webhook] = await listWebhooks(context);
    const { deliveries } = await deliveriesPage(db, webhook!.id, 1);
    const answer = 'Not sent: the poll is not public anymore.';
    expect(deliveries.filter(({ state }) => state === 'failed')).toMatchObject([{ answer }, { answer }]);
  });

  once('held votes and votes set aside are reported with their number and reason, released ones are not', async () => {
    const { db, clock, events } = await start();
    await seedPolls(db, [{ id: 'p' }]);
    const intake = createVotingIntake({ db, clock, log: silentLogger });
    const voter = () => ({ device: newDigest(), cookie: newDigest(), userId: null });
    await Promise.all(
      [5, 5, 7].map((network) =>
        intake.cast({ ballotId: 'p', kind: 'poll', optionId: 'o1', network, traits: 0, voter: voter() }),
      ),
    );
    const context = { db, clock, intake };
    const how = { ballotId: 'p', reason: 'automated-network', actor: 'detector' } as const;
    const hold = { expiresAt: testNow + day };
    const { key } = await setAside(context, { ...how, cluster: { networks: [5] }, hold });
    await decide(context, key, 'confirm', { actor: 'operator', note: 'Names nobody may read' });
    await decide(context, key, 'release', { actor: 'operator' });
    const decided = (state: string) => ({
      type: 'votes.set-aside',
      data: {
        poll: { id: 'p' },
        decision: { number: 1, state, reason: 'automated-network', votes: 2 },
      },
    });
    const told = await events();
    expect(told).toMatchObject([decided('held'), decided('set-aside')]);
    expect(JSON.stringify(told)).not.toContain('Names');
  });

  test('what newly needs a decision is reported once a day per kind, by whichever of several processes', async () => {
    const { db, clock, events } = await start();
    const config = {
      dataDir: '/tmp',
      timeZone: 'UTC',
      publicUrl: 'https://polls.example.org',
      siteName: 'Weathervane',
    };
    const context = { db, clock, config, mail: mailOutbox({ clock, on: false }) };
    await seedPolls(db, [{ id: 'tea', endsAt: testNow + 30 * day }]);
    await db('installation').insert({ name: 'desk.confirmed.backup', value: '1' });
    const both = async () => {
      await Promise.all([reportUndecided(context), reportUndecided(context)]);
      return (await events()).map(({ data }) => (data.items as { kind: string }[]).map(({ kind }) => kind));
    };
    // The disk of the test machine may be full.
    const [first = []] = await both();
    const paused = { id: 'w2', url: 'https://hooks.example.com/', events: 'poll.opened', secret: 'whsec_' };
    await db('webhooks').insert({ ...paused, paused_by: 'failures', failing_since: testNow, created_at: testNow });
    expect(await both()).toEqual([[...first, 'webhooks-paused']]);
    expect(await both()).toEqual([]);
    await db('webhooks').where({ id: 'w2' }).del();
    expect(await both()).toEqual([]);
    await db('webhooks').insert({ ...paused, paused_by: 'failures', failing_since: testNow, created_at: testNow });
    expect(await both()).toEqual([]);
    clock.set(testNow + day);
    expect(await both()).toEqual([[...first, 'webhooks-paused']]);
  });

  test('a publish that has changed pages is reported once it is over', async () => {
    const { db, clock, events } = await start();
    const job = (await holdJob({ db, clock }, () => [{ kind: 'poll', key: 'tea' }]))!;
    await job.finish({ changed: 0 });
    const ended = { changes: [], startedAt: testNow, changed: 3 };
    await db.transaction((trx) => recordEnded(trx, ended, testNow));
    expect(await lastPublish(db)).toMatchObject({ at: testNow });
    expect((await events()).map(({ type, data }) => [type, data])).toEqual([
      ['site.published', { publish: { id: testNow, url: 'https://polls.example.org/' } }],
    ]);
  });
});
