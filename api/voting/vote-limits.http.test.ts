import { describe, expect, test } from 'vitest';
import { rateLimits } from '#contract/rate-limits.ts';
import { sweepAttempts } from '#platform/attempts.ts';
import { fixedClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import { subnetOf } from '#platform/trusted-proxies.ts';
import { votesUnshared } from './vote-limits.ts';
import { startServer } from '#ci/bench/server-process.ts';
import { made } from '#api/testing/community-polls.ts';
import { closeBefore, eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { slow } from '#api/testing/slow.ts';

const { vote, pollVotes, rejectedVotes, voteRequests } = rateLimits;
const day = 24 * 3_600_000;
const school = '203.0.113.9';

type Kind = 'weekly' | 'community';

/** A vote from an address, with a new device unless a member casts it. */
async function cast(
  app: Pick<TestApp, 'fetch'>,
  { kind, pollId, optionId = 'o1', from = school, by = visitor(app as TestApp) }: Ballot,
): Promise<Response> {
  const community = { optionId: optionId === 'o1' ? 'option-1' : optionId, voterFingerprint: by.device };
  return by.fetch(kind === 'weekly' ? `/api/polls/${pollId}/vote` : `/api/community-polls/${pollId}/vote`, {
    method: 'POST',
    json: kind === 'weekly' ? { optionId } : community,
    headers: { 'x-forwarded-for': from },
  });
}

interface Ballot {
  readonly kind: Kind;
  readonly pollId: string;
  readonly optionId?: string;
  readonly from?: string;
  readonly by?: Visitor;
}

/** The number of responses per status, for a number of requests sent forty at a time. */
async function statuses(count: number, call: (place: number) => Promise<Response>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let done = 0; done < count; done += 40) {
    const some = Array.from({ length: Math.min(40, count - done) }, (_, place) => call(done + place));
    for (const { status } of await Promise.all(some)) counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

eachDatabase((open, _engine, once) => {
  describe.each(['weekly', 'community'] as const)('on %s polls', (kind) => {
    /** On each database for one kind: the statements of the limits are the same for both. */
    const each = kind === 'weekly' ? test : once;

    async function start() {
      const { db, url } = await open();
      await seedPolls(db, [{ id: 'p' }]);
      const clock = fixedClock(testNow);
      const app = await startTestApp(db, { clock, config: { rateLimit: true } });
      const pollId = kind === 'weekly' ? 'p' : (await made(await registered(app, 'author'))).id;
      /** Another process, which shares only the database. */
      const another = async () => {
        const own = openDatabase(url);
        const other = await startTestApp(own, { clock, config: { rateLimit: true } });
        closeBefore(db, async () => {
          await other.close();
          await own.destroy();
        });
        return other;
      };
      return { db, clock, app, another, poll: { kind, pollId } };
    }

    once(
      '[D2.15] 600 rejected votes of one person do not prevent others behind the same address from voting',
      async () => {
        const { db, app, poll } = await start();
        const junk = await statuses(pollVotes.points, () => cast(app, { ...poll, optionId: 'none' }));
        expect(junk).toEqual({ 400: rejectedVotes.points, 429: pollVotes.points - rejectedVotes.points });
        const refused = await cast(app, { ...poll, optionId: 'none' });
        expect(Number(refused.headers.get('retry-after'))).toBe(rejectedVotes.seconds);
        expect(await statuses(40, () => cast(app, poll))).toEqual({ 200: 40 });
        await expectExactCounters(db);
      },
    );

    once('[D2.15] only recorded votes count against the limits', async () => {
      const { clock, app, poll } = await start();
      const voter = visitor(app);
      const again = () => cast(app, { ...poll, by: voter });
      expect(await statuses(rejectedVotes.points, again)).toEqual({ 200: 1, 409: rejectedVotes.points - 1 });
      expect(await statuses(vote.points + 9, () => cast(app, poll))).toEqual({ 200: vote.points - 1, 429: 10 });
      clock.set(clock.now() + 60_000);
      expect(await statuses(vote.points + 10, () => cast(app, poll))).toEqual({ 200: vote.points, 429: 10 });
      clock.set(clock.now() + 60_000);
      const full = await cast(app, poll);
      expect([full.status, full.headers.get('retry-after')]).toEqual([429, String(58 * 60)]);
      expect((await cast(app, { ...poll, from: '203.0.113.10' })).status).toBe(200);
    });

    once('[D2.16] accounts have the limits of people without one, however old they are', async () => {
      const { db, clock, app, poll } = await start();
      const anna = await registered(app, 'anna');
      await db('users').update({ created_at: testNow - 400 * day });
      for (let minute = 0; minute < 2; minute += 1) {
        await statuses(vote.points, () => cast(app, poll));
        clock.set(clock.now() + 60_000);
      }
      expect((await cast(app, { ...poll, by: anna })).status).toBe(429);
    });

    each(
      '[D2.17] limits hold across processes: recorded and rejected votes exceed them by a handful at most',
      async () => {
        const { db, app, another, poll } = await start();
        const apps = [app, await another()];
        const turn = (place: number) => apps[place % 2]!;
        const recorded = await statuses(vote.points + 100, (place) => cast(turn(place), poll));
        expect(recorded[200]).toBeGreaterThanOrEqual(vote.points);
        expect(recorded[200]).toBeLessThanOrEqual(vote.points + votesUnshared);
        const rejected = await statuses(rejectedVotes.points + 200, (place) =>
          cast(turn(place), { ...poll, optionId: 'none', from: '198.51.100.1' }),
        );
        // Forty are sent at a time, and counted together after their responses.
        expect(rejected[400]).toBeLessThanOrEqual(rejectedVotes.points + votesUnshared + 2 * 40);
        await expectExactCounters(db);
      },
    );

    each('a limit used up in one process is still used up after that process ended', async () => {
      const { app, another, poll } = await start();
      await statuses(vote.points, () => cast(app, poll));
      await app.close();
      const next = await another();
      const after = await statuses(2 * votesUnshared, () => cast(next, poll));
      expect(after).toEqual({ 200: votesUnshared, 429: votesUnshared });
    });

    each('counters do not reveal their subject, and are deleted after their window', async () => {
      const { db, app, poll } = await start();
      await statuses(40, () => cast(app, poll));
      const rows = await db('attempts').where('used', '>', 1);
      expect(rows.length).toBeGreaterThanOrEqual(3);
      expect(JSON.stringify(rows)).not.toContain(school);
      await sweepAttempts(db, testNow + 30 * day);
      expect(await db('attempts')).toEqual([]);
    });
  });

  test('[D2.17] two API processes on one database share the limits', slow, async () => {
    const { db, url } = await open();
    const env = { DATABASE_URL: url, RATE_LIMIT: 'on' };
    const servers = await Promise.all([1, 2].map(() => startServer('./api.server.ts', env)));
    closeBefore(db, async () => {
      await Promise.all(servers.map((server) => server.stop()));
    });
    const processes = servers.map(({ origin }) => ({
      fetch: (path: string, init?: RequestInit) => fetch(origin + path, init),
    }));
    const minute = () => Math.floor(Date.now() / 60_000);
    for (let round = 0; ; round += 1) {
      const pollId = `p${round}`;
      await seedPolls(db, [{ id: pollId, startsAt: Date.now() - day, endsAt: Date.now() + day }]);
      const began = minute();
      const counts = await statuses(vote.points + 100, (place) =>
        cast(processes[place % 2]!, { kind: 'weekly', pollId, from: `203.0.113.${round}` }),
      );
      // If a minute ended in between, its count started again.
      if (minute() !== began && round < 5) continue;
      expect(counts[200]).toBeGreaterThanOrEqual(vote.points);
      expect(counts[200]).toBeLessThanOrEqual(vote.points + votesUnshared);
      break;
    }
  });

  once('a flood of requests from one address is refused entirely; members behind it can still vote', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p' }]);
    const app = await startTestApp(db, { config: { rateLimit: true } });
    const anna = await registered(app, 'anna');
    const poll = { kind: 'weekly', pollId: 'p' } as const;
    await statuses(voteRequests.points, () => cast(app, { ...poll, optionId: 'none' }));
    expect((await cast(app, poll)).status).toBe(429);
    expect((await cast(app, { ...poll, by: anna })).status).toBe(200);
  });
});

test('a subnet is a /24 or a /48, however the address is written', () => {
  expect(subnetOf('203.0.113.9')).toBe('203.0.113.0/24');
  expect(subnetOf('2001:db8:0:7::/64')).toBe('2001:db8:0::/48');
});
