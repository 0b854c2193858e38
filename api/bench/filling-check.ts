import { reconcile } from '#api/doctor/reconcile.queries.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { benchTexts } from '#texts/bench.ts';
import { pollId } from './made-up.ts';
import type { Story } from './made-up.ts';

/** Votes up to which every counter is compared with its rows; that takes minutes for ten million. */
const allUpTo = 1_000_000;
const sample = 500;

/**
 * Throws when a filled database, and what was voted since, is not what it should be: every counter, or of a large one the
 * sums and a sample.
 */
export async function checkFilling(db: Database, engine: string, made: Story, votedSince = 0): Promise<void> {
  const votes = made.votes + votedSince;
  const fail = (what: string) => {
    throw new Error(benchTexts.scale.miscounted(engine, what));
  };
  if (made.votes <= allUpTo) {
    const { wrongCounters, recordedVotes } = await reconcile(db);
    if (wrongCounters.length > 0 || recordedVotes !== votes)
      fail(JSON.stringify({ recordedVotes, votes, wrongCounters: wrongCounters.slice(0, 5) }));
    return;
  }
  const expected = {
    votes,
    polls: made.polls,
    'votes counted on options': votes,
    'votes counted on polls': votes,
  };
  const count = async (table: string, what = 'count(*)') => {
    const row = await db(table).first<{ figure: number | string }>(db.raw(`${what} as figure`));
    return Number(row.figure);
  };
  const found = {
    votes: await count('votes'),
    polls: await count('ballots'),
    'votes counted on options': await count('ballot_options', 'sum(votes - base_votes)'),
    'votes counted on polls': await count('ballots', 'sum(total_votes - base_votes)'),
  };
  if (JSON.stringify(found) !== JSON.stringify(expected)) fail(JSON.stringify({ found, expected }));
  const ids = Array.from({ length: sample }, (_, n) => pollId(Math.floor((n * made.polls) / sample)));
  const wrong = await db('ballot_options as o')
    .whereIn('o.ballot_id', [...ids, pollId(made.hottest)])
    .whereRaw(
      'o.votes - o.base_votes <> (select count(*) from votes v where v.ballot_id = o.ballot_id and v.option_id = o.option_id)',
    )
    .pluck<string[]>('o.ballot_id');
  if (wrong.length > 0) fail(wrong.join(', '));
}

/** Bytes that the database takes. */
export async function databaseBytes(db: Database): Promise<number> {
  if (!isSqlite(db)) {
    const answer = await db.raw<{
      rows: { bytes: number }[];
    }>('select pg_database_size(current_database()) as bytes');
    return Number(answer.rows[0]?.bytes);
  }
  const [pages] = await db.raw<{ page_count: number }[]>('pragma page_count');
  const [size] = await db.raw<{ page_size: number }[]>('pragma page_size');
  return (pages?.page_count ?? 0) * (size?.page_size ?? 0);
}
