import { afterEach, describe, expect, test } from 'vitest';
import type { ResponseOf } from '#api/endpoints.contract.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { scorePolls } from '#api/integrity/scoring.service.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { headerText } from '#site/client/api.ts';
import { fixedClock } from '#platform/clock.ts';
import { castVote, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { startTestApp, testAdminPassword, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

const { points } = rateLimits.vote;
const { pollVotes, pollVotesNearby } = rateLimits;

eachDatabase((open, _engine, once) => {
  let app: TestApp | undefined;
  let votesIn: Database;
  afterEach(() => app?.close());
  async function start() {
    const { db } = await open();
    votesIn = db;
    await seedPolls(db, [{ id: 'stuffed' }, { id: 'quiet' }]);
    const clock = fixedClock(testNow);
    app = await startTestApp(db, { clock, config: { rateLimit: true } });
    return { db, clock, app };
  }

  /** Votes of new devices from the addresses that the proxy reports; returns their statuses. */
  async function votes(pollId: string, addresses: readonly string[]): Promise<number[]> {
    const statuses: number[] = [];
    for (let done = 0; done < addresses.length; done += 40) {
      const some = addresses.slice(done, done + 40).map(async (address) => {
        const headers = { 'x-forwarded-for': address };
        const response = await visitor(app!).fetch(`/api/polls/${pollId}/vote`, {
          method: 'POST',
          json: { optionId: 'o1' },
          headers,
        });
        if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
        return response.status;
      });
      statuses.push(...(await Promise.all(some)));
    }
    return statuses;
  }
  const times = (count: number, addressOf: (place: number) => string) =>
    Array.from({ length: count }, (_, place) => addressOf(place));
  const accepted = (statuses: readonly number[]) => statuses.filter((status) => status === 200).length;

  /** Polls with a burst, as the operator sees them once the detector has run. */
  async function bursts() {
    const intake = { runExclusive: <T>(work: () => Promise<T>) => work() };
    await scorePolls({ db: votesIn, clock: app!.clock, intake, log: silentLogger });
    const response = await app!.fetch('/api/admin/flags', {
      headers: { 'x-admin-password': headerText(testAdminPassword) },
    });
    expect(response.status).toBe(200);
    const { polls } = (await response.json()) as ResponseOf<'flaggedPolls'>;
    return polls.filter(({ figures }) => figures?.burst);
  }

  describe('ballot stuffing', () => {
    once(
      '[D2.18] from one address by many devices is limited, whatever its headers claim, and shown to the operator',
      async () => {
        const { db } = await start();
        // A proxy appends the address that it sees to what the attacker forged.
        const statuses = await votes(
          'stuffed',
          times(points + 60, (place) => `198.51.100.${place % 250}, 203.0.113.9`),
        );
        expect(accepted(statuses)).toBe(points);
        expect(statuses.filter((status) => status === 429)).toHaveLength(60);
        expect(await votes('stuffed', ['203.0.113.10'])).toEqual([200]);

        expect(await bursts()).toMatchObject([
          {
            ...{ id: 'stuffed', kind: 'poll', question: 'What about stuffed?' },
            figures: { burst: { minute: testNow / 60_000, votes: points + 1, usual: 0 } },
          },
        ]);
        await expectExactCounters(db);
      },
    );

    test('from many addresses is shown as one burst among the day’s votes, without revealing single votes', async () => {
      const { clock } = await start();
      // A few votes every hour on both polls.
      for (let hour = 0; hour < 12; hour += 1) {
        for (const poll of ['stuffed', 'quiet'])
          await votes(
            poll,
            times(3, (index) => `192.0.2.${hour * 10 + index}`),
          );
        clock.set(clock.now() + 3_600_000);
      }
      const began = clock.now();
      const statuses = await votes(
        'stuffed',
        times(200, (place) => `2001:db8:0:${place.toString(16)}::1`),
      );
      expect(accepted(statuses)).toBe(200);
      clock.set(clock.now() + 30 * 60_000);
      await votes(
        'stuffed',
        times(3, (place) => `192.0.2.${200 + place}`),
      );

      const found = await bursts();
      expect(found).toMatchObject([{ id: 'stuffed', figures: { burst: { minute: began / 60_000, votes: 200 } } }]);
      expect(found[0]!.figures!.burst!.usual).toBeLessThan(1);
      expect(JSON.stringify(found)).not.toMatch(/deviceId|address|cookie|2001:db8|fingerprint/);

      clock.set(clock.now() + 24 * 3_600_000);
      expect(await bursts()).toEqual([]);
    });

    once(
      '[D2.18] from many addresses of one network ends at its hourly limit, for members too; other networks and other polls are not affected',
      async () => {
        const { db, clock, app } = await start();
        const member = await registered(app, 'anna');
        await db('users').update({ created_at: testNow - 400 * 86_400_000 });
        const share = pollVotesNearby.points;
        const cast = await votes(
          'stuffed',
          times(share + 30, (place) => `198.51.100.${place % 250}`),
        );
        expect([accepted(cast), cast.length]).toEqual([share, share + 30]);
        expect(pollVotes.points).toBeLessThan(share);

        const refused = await visitor(app).fetch('/api/polls/stuffed/vote', {
          method: 'POST',
          json: { optionId: 'o1' },
          headers: { 'x-forwarded-for': '198.51.100.255' },
        });
        expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 3_600]);
        expect(((await refused.json()) as { message: string }).message).toContain('your network');

        expect(await votes('stuffed', ['198.51.101.1'])).toEqual([200]);
        expect(await votes('quiet', ['198.51.100.1'])).toEqual([200]);
        const headers = { 'x-forwarded-for': '198.51.100.1' };
        const own = await member.fetch('/api/polls/stuffed/vote', {
          method: 'POST',
          json: { optionId: 'o1' },
          headers,
        });
        expect(own.status).toBe(429);
        clock.set(clock.now() + 3_600_000);
        expect(await votes('stuffed', ['198.51.100.1'])).toEqual([200]);
      },
    );

    once('a class of forty behind one address votes without limits and without being reported', async () => {
      await start();
      const class40 = () => times(40, () => '203.0.113.40');
      expect(accepted(await votes('stuffed', class40()))).toBe(40);
      expect(accepted(await votes('quiet', class40()))).toBe(40);
      expect(await bursts()).toEqual([]);
    });

    once('on community polls is shown, too, without the questions of private polls', async () => {
      const { app } = await start();
      const anna = await registered(app, 'anna');
      const polls = [await made(anna), await made(anna, { visibility: 'unlisted', question: 'By link?' })];
      for (const { id } of polls)
        for (let done = 0; done < 100; done += 25)
          await Promise.all(times(25, () => '').map(() => castVote(visitor(app), id)));
      const found = (await bursts()).map(({ question, kind, figures }) => [question, kind, figures?.burst?.votes]);
      expect(found.sort()).toEqual([
        ['By link?', 'community', 100],
        ['Tea or coffee?', 'community', 100],
      ]);
    });
  });
});
