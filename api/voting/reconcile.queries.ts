import type { Database } from '#platform/database.ts';

/** Counters of the whole installation beside what the rows say they must be. */
export interface Reconciliation {
  /** Ballots and options whose counter is not base votes + rows; empty when all is well. */
  readonly wrongCounters: readonly { counter: string; counted: number; expected: number }[];
  readonly recordedVotes: number;
}

/** Compares every counter that a vote touches with the rows of `votes`: a scan, for tests, benchmarks and doubt. */
export async function reconcile(db: Database): Promise<Reconciliation> {
  const counters = await rowsOf<{ counter: string; counted: number | string; expected: number | string }>(
    db,
    `
    select 'votes of option ' || o.ballot_id || '/' || o.option_id as counter, o.votes as counted,
      o.base_votes + (select count(*) from votes v where v.ballot_id = o.ballot_id and v.option_id = o.option_id) as expected
    from ballot_options o
    union all
    select 'votes of ballot ' || b.id, b.total_votes,
      b.base_votes + (select count(*) from votes v where v.ballot_id = b.id)
    from ballots b
    union all
    select 'headline votes', (select sum(total_votes) from statistics),
      (select coalesce(sum(base_votes), 0) from ballots where listed)
      + (select count(*) from votes v join ballots b on b.id = v.ballot_id where b.listed)
    union all
    select 'headline participants', (select sum(total_participants) from statistics),
      (
        select count(*) from votes v
        where not exists (select 1 from votes w where w.voter_fingerprint = v.voter_fingerprint and w.id < v.id)
          and not exists (select 1 from votes w where w.voter_cookie = v.voter_cookie and w.id < v.id)
          and not exists (select 1 from voters where voter_key in (v.voter_fingerprint, v.voter_cookie))
      ) + (select coalesce(sum(counted), 0) from voters)
    `,
  );
  const [votes] = await rowsOf<{ count: number | string }>(db, 'select count(*) as count from votes');
  return {
    wrongCounters: counters
      .map(({ counter, counted, expected }) => ({ counter, counted: Number(counted), expected: Number(expected) }))
      .filter(({ counted, expected }) => counted !== expected),
    recordedVotes: Number(votes?.count),
  };
}

/** SQLite answers the rows themselves, PostgreSQL an object around them. */
async function rowsOf<Row>(db: Database, sql: string): Promise<Row[]> {
  const answer: unknown = await db.raw(sql);
  return Array.isArray(answer) ? (answer as Row[]) : (answer as { rows: Row[] }).rows;
}
