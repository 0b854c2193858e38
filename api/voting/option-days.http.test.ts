import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { closeDue } from '#api/polls/lifecycle/lifecycle.service.ts';
import { forgetPages, waitingPages } from '#api/testing/changes.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { newDigest } from '#api/testing/votes.ts';
import { deleteBallot } from './deletion.service.ts';
import { createVotingIntake } from './intake.service.ts';
import { countDays, votesOverTime } from './option-days.service.ts';

const hour = 3_600_000;
const start = Date.parse('2026-11-02T09:30:00.000Z');
const end = start + 5 * 24 * hour;

const overTime = async (db: Database, id: string) => (await votesOverTime(db, [id])).get(id) ?? null;

eachDatabase((open) => {
  async function setUp(votes: readonly number[] = [0, 0, 0]) {
    const { db } = await open();
    await seedPolls(
      db,
      ['busy', 'other'].map((id) => ({ id, votes, startsAt: start, endsAt: end })),
    );
    const clock = { at: start, now: () => clock.at };
    const intake = createVotingIntake({ db, clock, log: silentLogger });
    const cast = async (at: number, counts: Readonly<Record<string, number>>, ballotId = 'busy') => {
      clock.at = at;
      const voters = Object.entries(counts).flatMap(([optionId, count]) =>
        Array.from({ length: count }, () => optionId),
      );
      const outcomes = await Promise.all(
        voters.map((optionId) =>
          intake.cast({
            ...{ ballotId, kind: 'poll', optionId },
            voter: { device: newDigest(), cookie: newDigest(), userId: null },
          } as const),
        ),
      );
      expect(outcomes.every(({ status }) => status === 'recorded')).toBe(true);
    };
    const close = async () => {
      clock.at = end + 1_000;
      await closeDue({ db, clock });
      await forgetPages(db);
    };
    return { db, clock, intake, cast, close, count: () => countDays({ db, clock, intake }) };
  }

  test('the votes of a closed poll are counted by day in UTC, and its report is published again', async () => {
    const { db, intake, cast, close, count } = await setUp();
    await cast(start, { o1: 20, o2: 5 });
    await cast(Date.parse('2026-11-02T23:59:59.999Z'), { o2: 1 });
    await cast(Date.parse('2026-11-03T00:00:00.000Z'), { o3: 2 });
    await cast(end - 1, { o1: 8 });
    await cast(end - 1, { o1: 3 }, 'other');
    // Nothing while it is open.
    expect([await count(), await overTime(db, 'busy')]).toEqual([[], null]);
    await close();
    expect((await count()).sort()).toEqual(['busy', 'other']);
    expect(await overTime(db, 'busy')).toEqual({
      days: [
        { startsAt: '2026-11-02T00:00:00.000Z', votes: { o1: 20, o2: 6 } },
        { startsAt: '2026-11-03T00:00:00.000Z', votes: { o3: 2 } },
        { startsAt: '2026-11-07T00:00:00.000Z', votes: { o1: 8 } },
      ],
      hours: [],
    });
    // Too few votes to show.
    expect(await overTime(db, 'other')).toBeNull();
    expect(await overTime(db, 'nothing')).toBeNull();
    expect((await waitingPages(db).select('kind', 'key').orderBy('key')).map((row) => ({ ...row }))).toEqual([
      { kind: 'page', key: '/poll/busy' },
      { kind: 'page', key: '/poll/other' },
    ]);
    expect(await count()).toEqual([]);
    await intake.drain();
  });

  test('the first 48 hours are counted by hour if they have enough votes', async () => {
    const { db, intake, cast, close, count } = await setUp();
    await cast(start, { o1: limits.hourlyVotes - 1 });
    await cast(start + 47 * hour, { o2: 1 });
    await cast(start + 49 * hour, { o2: 5 });
    await close();
    await count();
    expect((await overTime(db, 'busy'))?.hours).toEqual([
      { startsAt: '2026-11-02T09:00:00.000Z', votes: { o1: limits.hourlyVotes - 1 } },
      { startsAt: '2026-11-04T08:00:00.000Z', votes: { o2: 1 } },
    ]);
    await intake.drain();
  });

  test('imported votes have no times and are left out', async () => {
    const { db, intake, cast, close, count } = await setUp([100, 50]);
    await cast(start, { o1: 40 });
    await close();
    await count();
    expect((await overTime(db, 'busy'))?.days).toEqual([{ startsAt: '2026-11-02T00:00:00.000Z', votes: { o1: 40 } }]);
    await intake.drain();
  });

  test('a report shows nothing over time unless it is exact, and is counted again when its votes change', async () => {
    const { db, intake, cast, close, count } = await setUp();
    await cast(start, { o1: 40 });
    await close();
    await db('ballots').where({ id: 'busy' }).increment('total_votes', 1);
    expect(await count()).toEqual(['busy']);
    expect([await overTime(db, 'busy'), await count()]).toEqual([null, []]);
    await db('ballots').where({ id: 'busy' }).decrement('total_votes', 1);
    expect(await count()).toEqual(['busy']);
    expect((await overTime(db, 'busy'))?.days).toHaveLength(1);
    await intake.drain();
  });

  test('two processes count the same poll once, and deleting it deletes its days', async () => {
    const { db, intake, cast, close, count } = await setUp();
    await cast(start, { o1: 40 });
    await close();
    await Promise.all([count(), count()]);
    expect(
      await db('option_days')
        .pluck('votes')
        .then((votes) => votes.map(Number)),
    ).toEqual([40]);
    await db.transaction((trx) => deleteBallot(trx, 'busy'));
    expect([await db('option_days'), await db('counted_ballots')]).toEqual([[], []]);
    await intake.drain();
  });
});
