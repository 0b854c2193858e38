import type { Database } from '#platform/database.ts';

/** What the headline figures lose with a ballot. */
export interface LostBallot {
  readonly total_votes: number;
  readonly base_votes: number;
  readonly listed: boolean | 0 | 1;
  readonly in_totals: boolean | 0 | 1;
}

/** Takes a ballot out of reach of votes until the transaction ends; undefined when there is none. */
export async function holdBallot(trx: Database, id: string): Promise<LostBallot | undefined> {
  // A write, not a look: on SQLite it makes the transaction the one that writes, on PostgreSQL votes wait for the row.
  const [held] = await trx('ballots')
    .where({ id })
    .update({ is_active: false })
    .returning<LostBallot[]>(['total_votes', 'base_votes', 'listed', 'in_totals']);
  return held;
}

/**
 * Keeps the voters of a ballot as voters who were here, and whether the vote that made one a participant goes with it
 * (handbook decision 052). A key that an earlier vote on another ballot has is left to that vote.
 */
export async function keepVoters(trx: Database, ballotId: string): Promise<void> {
  await trx.raw(
    `insert into voters (voter_key, counted)
     select gone.voter_key, gone.counted from (
       select v.voter_fingerprint as voter_key,
         case when not exists (select 1 from votes w where w.voter_cookie = v.voter_cookie and w.id < v.id)
           and not exists (select 1 from voters k where k.voter_key in (v.voter_fingerprint, v.voter_cookie))
         then 1 else 0 end as counted
       from votes v
       where v.ballot_id = ?
         and not exists (select 1 from votes w where w.voter_fingerprint = v.voter_fingerprint and w.id < v.id)
       union all
       select v.voter_cookie, 0
       from votes v
       where v.ballot_id = ? and v.voter_cookie is not null
         and not exists (select 1 from votes w where w.voter_cookie = v.voter_cookie and w.id < v.id)
     ) gone
     where true order by gone.voter_key
     on conflict do nothing`,
    [ballotId, ballotId],
  );
}

/** Deletes a ballot with options, votes and whatever hangs on it. */
export async function removeBallot(trx: Database, id: string): Promise<void> {
  await trx('ballots').where({ id }).del();
}
