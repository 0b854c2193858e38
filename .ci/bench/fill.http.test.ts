import { expect, test } from 'vitest';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { badgeTrackerOf } from '#api/badges/badges.service.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { testNow } from '#api/testing/test-app.ts';
import { storedVotes } from '#api/testing/votes.ts';
import { fillDatabase } from './fill.ts';
import { busiest } from './synthetic-rows.ts';

const sizes = { polls: 150, votes: 2_000, users: 30 };
const filled: { engine: string; rows: unknown }[] = [];

/** The figures that would differ first between two filled databases. */
async function sampleOf(db: Database) {
  const ordered = (table: string, ...columns: string[]) => db(table).orderBy(columns).select(columns);
  return {
    votes: await storedVotes(db),
    ballots: await ordered(
      'ballots',
      'id',
      'key',
      'kind',
      'category',
      'starts_at',
      'ends_at',
      'closed_at',
      'total_votes',
    ),
    polls: await ordered('community_polls', 'id', 'visibility', 'created_by', 'created_at'),
    progress: await ordered('progress', 'user_id', 'figures'),
  };
}

eachDatabase((open, engine) => {
  test('a filled database has exact counters', async () => {
    const { db, url } = await open();
    await fillDatabase(url, { sizes, now: testNow });
    await expectExactCounters(db);
    expect(await db('votes').count({ count: '*' }).first()).toEqual({ count: sizes.votes });
    expect(await db('ballots').count({ count: '*' }).first()).toEqual({ count: sizes.polls });
    expect(await db('ballots').where({ kind: 'poll' }).whereNull('closed_at')).toHaveLength(12);
    const tracker = await badgeTrackerOf(db, busiest);
    expect(tracker.overall.earned).toBe(40);
    if (isSqlite(db)) expect(await db.raw('pragma foreign_key_check')).toEqual([]);
    filled.push({ engine, rows: await sampleOf(db) });
  });

  test('and has the same indexes as any other', async () => {
    const [one, other] = [await open(), await open()];
    await fillDatabase(one.url, { sizes, now: testNow });
    const indexes = (db: Database) =>
      isSqlite(db)
        ? db('sqlite_master').where({ type: 'index' }).whereNotNull('sql').orderBy('name').pluck('sql')
        : db('pg_indexes').where('schemaname', 'public').orderBy('indexname').pluck('indexdef');
    expect(await indexes(one.db)).toEqual(await indexes(other.db));
  });
});

test('both databases are filled with identical rows', () => {
  expect(filled).toHaveLength(2);
  expect(filled[0]?.rows).toEqual(filled[1]?.rows);
});
