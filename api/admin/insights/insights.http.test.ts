import { expect, test, vi } from 'vitest';
import { hostsPerPoll } from './insights.contract.ts';
import type { InsightKind, Insights } from './insights.contract.ts';
import { openDatabase } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { closeDue } from '#api/polls/lifecycle/lifecycle.service.ts';
import type { PageHooks } from '#api/publishing/pages.routes.ts';
import { made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { startTestApp, testAdminPassword, testNow } from '#api/testing/test-app.ts';
import { newDigest } from '#api/testing/votes.ts';
import { erasedAfterMs, voteErasure } from '#api/voting/erasure.service.ts';
import { createVotingIntake } from '#api/voting/intake.service.ts';
import { countDays } from '#api/voting/option-days.service.ts';
import { headerText } from '#site/client/api.ts';
import { storeCounts } from './counters.service.ts';
import { pollInsights, siteInsights, sweepInsights } from './insights.service.ts';
import { countVoteHours } from './vote-hours.service.ts';

const hour = 3_600_000;
const today = Math.floor(testNow / (24 * hour));

eachDatabase((open) => {
  const counted = (kind: InsightKind, label: string, count = 1, poll_id = 'tea') => ({
    ...{ poll_id, kind, day: today, label, count },
  });

  test('votes, shares, and embed views are counted by host or target, and no failure or second vote is', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'tea' }]);
    let countEmbed: PageHooks['countEmbed'] | undefined;
    const app = await startTestApp(db, {
      config: { publicUrl: 'https://polls.example.org' },
      pages(hooks) {
        ({ countEmbed } = hooks);
        return (_, next) => next();
      },
    });
    const vote = (browser: ReturnType<typeof visitor>, host?: string, optionId = 'o1') =>
      browser
        .fetch('/api/polls/tea/vote', {
          method: 'POST',
          json: { optionId },
          ...(host !== undefined && { headers: { 'x-referring-host': host } }),
        })
        .then(({ status }) => status);
    const anna = visitor(app);
    expect(await vote(anna, 'News.example.com:443')).toBe(200);
    expect(await vote(anna, 'second.example')).toBe(409);
    expect(await vote(visitor(app), 'wrong.example', 'o9')).toBe(400);
    for (const host of ['news.example.com', 'polls.example.org', '', undefined, 'no host'])
      expect(await vote(visitor(app), host)).toBe(200);
    const share = (id: string, target: string) =>
      app.fetch(`/api/polls/${id}/shares?target=${target}`, { method: 'POST' }).then(({ status }) => status);
    expect(await Promise.all([share('tea', 'copy'), share('tea', 'copy'), share('tea', 'system')])).toEqual([
      204, 204, 204,
    ]);
    expect([await share('unknown', 'copy'), await share('tea', 'fax')]).toEqual([204, 400]);
    await app.fetch('/api/polls/tea');
    countEmbed?.('tea', 'https://paper.example/news');
    // A browser’s vote on a community poll tells the operator nothing.
    const member = await registered(app, 'ben');
    const { id } = await made(member);
    await app.fetch(`/api/polls/${id}/shares?target=copy`, { method: 'POST' });
    await app.close();
    const { hosts, shares, embeds, received } = await pollInsights(db, 'tea');
    expect(received).toBe(6);
    expect(hosts).toEqual([
      { label: '(none)', count: 2 },
      { label: 'news.example.com', count: 2 },
      { label: '(other)', count: 1 },
      { label: '(this site)', count: 1 },
    ]);
    expect(shares).toEqual([
      { label: 'copy', count: 2 },
      { label: 'system', count: 1 },
    ]);
    expect(embeds).toEqual([{ label: 'paper.example', count: 1 }]);
    expect(await db('insight_counts').distinct().pluck('poll_id')).toEqual(['tea']);
  });

  test('a vote that is recorded after its request was refused for taking too long is counted by host, too', async () => {
    const { db, url } = await open();
    await seedPolls(db, [{ id: 'tea' }]);
    const app = await startTestApp(db);
    const other = openDatabase(url);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await other.transaction(async (trx) => {
        await trx('ballots').where({ id: 'tea' }).forUpdate().first('id');
        const headers = { 'x-referring-host': 'late.example' };
        const request = { method: 'POST', json: { optionId: 'o1' }, headers };
        let status: number | undefined;
        void visitor(app)
          .fetch('/api/polls/tea/vote', request)
          .then((response) => (status = response.status));
        await vi.waitFor(
          () => {
            vi.advanceTimersByTime(15_000);
            expect(status).toBe(503);
          },
          { timeout: 20_000 },
        );
      });
    } finally {
      vi.useRealTimers();
      await other.destroy();
    }
    await vi.waitFor(async () => expect(await db('votes').select()).toHaveLength(1), { timeout: 20_000 });
    await app.close();
    expect((await pollInsights(db, 'tea')).hosts).toEqual([{ label: 'late.example', count: 1 }]);
  });

  test('a poll names at most 100 hosts, also when several processes count at once; the others are one', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'tea' }, { id: 'cake' }]);
    const hosts = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => counted('vote', `h${from + n}.example`));
    await Promise.all([storeCounts(db, hosts(0, 80)), storeCounts(db, hosts(80, 80))]);
    await storeCounts(db, [counted('vote', 'h0.example', 5), counted('vote', 'new.example', 2)]);
    await storeCounts(db, [counted('vote', 'elsewhere.example', 1, 'cake'), counted('embed', 'e.example')]);
    const labels = await db('insight_counts').where({ poll_id: 'tea', kind: 'vote' }).distinct().pluck('label');
    expect(labels).toHaveLength(hostsPerPoll + 1);
    const sum = async (label: string) =>
      Number((await db('insight_counts').where({ poll_id: 'tea', label }).sum({ sum: 'count' }))[0]!.sum);
    expect([(await sum('h0.example')) + (await sum('(other)')), labels.includes('new.example')]).toEqual([
      160 - hostsPerPoll + 1 + 5 + 2,
      false,
    ]);
    expect((await pollInsights(db, 'cake')).hosts).toEqual([{ label: 'elsewhere.example', count: 1 }]);
  });

  /** A poll with votes at these times. */
  async function withVotes(times: readonly number[]) {
    const { db } = await open();
    await seedPolls(db, [{ id: 'tea', votes: [4, 0, 0], startsAt: testNow - 48 * hour, endsAt: testNow + 48 * hour }]);
    const clock = { at: testNow, now: () => clock.at };
    const intake = createVotingIntake({ db, clock, log: silentLogger });
    const cast = async (at: number) => {
      clock.at = at;
      const voter = { device: newDigest(), cookie: newDigest(), userId: null };
      const outcome = await intake.cast({ ballotId: 'tea', kind: 'poll', optionId: 'o1', voter });
      expect(outcome.status).toBe('recorded');
    };
    for (const at of times) await cast(at);
    return { db, clock, intake, cast };
  }

  const hoursOf = ({ hours }: Insights) => hours.map(({ startsAt, votes }) => [startsAt, votes]);

  test('each vote is counted once in its hour, also by several processes, and hours outlive the times of votes', async () => {
    const { db, clock, intake, cast } = await withVotes([testNow - 30 * hour, testNow, testNow + hour - 1]);
    const count = () => countVoteHours({ db, intake });
    await Promise.all([count(), count()]);
    await count();
    const hours = [
      ['2026-11-19T06:00:00.000Z', 1],
      ['2026-11-20T12:00:00.000Z', 2],
    ];
    expect(hoursOf(await pollInsights(db, 'tea'))).toEqual(hours);
    await cast(testNow + hour);
    await count();
    const all = [...hours, ['2026-11-20T13:00:00.000Z', 1]];
    expect(await pollInsights(db, 'tea')).toMatchObject({ received: 4, counted: 4, imported: 4, days: [] });
    clock.at = testNow + 48 * hour;
    await closeDue({ db, clock });
    clock.at += erasedAfterMs;
    const erase = voteErasure({ db, clock, intake });
    while (await erase());
    await count();
    expect(hoursOf(await pollInsights(db, 'tea'))).toEqual(all);
    expect(hoursOf(await siteInsights(db, testNow + 2 * hour))).toEqual(all);
    expect(await siteInsights(db, testNow + 40 * 24 * hour)).toMatchObject({ received: 4, counted: 4, hours: [] });
  });

  test('of a poll whose times were erased before hours were counted, the days of its report are left', async () => {
    const { db, clock, intake } = await withVotes([testNow - 24 * hour, testNow, testNow]);
    clock.at = testNow + 48 * hour;
    await closeDue({ db, clock });
    await countDays({ db, clock, intake });
    clock.at += erasedAfterMs;
    const erase = voteErasure({ db, clock, intake });
    while (await erase());
    await countVoteHours({ db, intake });
    expect(await pollInsights(db, 'tea')).toMatchObject({
      hours: [],
      days: [
        { day: '2026-11-19', votes: 1 },
        { day: '2026-11-20', votes: 2 },
      ],
    });
  });

  test('insights are kept for 13 months, and deleted with their poll', async () => {
    const { db, intake } = await withVotes([testNow]);
    await countVoteHours({ db, intake });
    await storeCounts(db, [counted('share', 'copy')]);
    const rows = async () => [(await db('vote_hours')).length, (await db('insight_counts')).length];
    await sweepInsights(db, Date.parse('2027-12-20T12:00:00Z'));
    expect(await rows()).toEqual([1, 1]);
    await sweepInsights(db, Date.parse('2027-12-21T00:00:00Z'));
    expect(await rows()).toEqual([0, 0]);
    await storeCounts(db, [counted('share', 'copy')]);
    await db('ballots').where({ id: 'tea' }).del();
    await storeCounts(db, [counted('share', 'copy')]);
    expect(await rows()).toEqual([0, 0]);
  });

  test('operators read insights of polls and of the site; other polls have none', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'tea', votes: [1, 2, 0] }]);
    const app = await startTestApp(db);
    const read = async (path: string) => {
      const response = await app.fetch(path, { headers: { 'x-admin-password': headerText(testAdminPassword) } });
      return [response.status, await response.json()] as const;
    };
    const empty = {
      question: null,
      received: 0,
      counted: 0,
      imported: 3,
      hours: [],
      days: [],
      hosts: [],
      shares: [],
      embeds: [],
    };
    const ofPoll = { ...empty, question: 'What about tea?' };
    expect(await read('/api/admin/polls/tea/insights')).toEqual([200, ofPoll]);
    expect(await read('/api/admin/insights')).toEqual([200, empty]);
    expect(await read('/api/admin/polls/coffee/insights')).toMatchObject([404, { code: 'POLL_NOT_FOUND' }]);
    const { id } = await made(await registered(app, 'anna'));
    expect(await read(`/api/admin/polls/${id}/insights`)).toMatchObject([404, { code: 'POLL_NOT_FOUND' }]);
  });
});
