import { expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import { isSqlite } from '#platform/database.ts';
import { awardBadges } from '#api/members/badges/awards.service.ts';
import { badgeTrackerOf } from '#api/members/badges/badges.service.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { testNow } from '#api/testing/test-app.ts';
import { busiest, fillDatabase } from './fill.ts';

eachDatabase((open) => {
  test('a filled database has exact counters', async () => {
    const { db } = await open();
    await fillDatabase(db, 150, testNow);
    await expectExactCounters(db);
    expect(await db('votes').count({ count: '*' }).first()).toEqual({ count: 1_650 });
    expect(await db('ballots').count({ count: '*' }).first()).toEqual({ count: 150 });
    expect(await db('ballots').where({ kind: 'poll' }).whereNull('closed_at')).toHaveLength(12);
    const progress = await awardBadges({ db, clock: fixedClock(testNow) }, busiest);
    const tracker = await badgeTrackerOf(db, busiest, progress);
    expect(tracker.overall.earned).toBeGreaterThan(0);
    if (isSqlite(db)) expect(await db.raw('pragma foreign_key_check')).toEqual([]);
  });
});
