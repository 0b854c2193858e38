import type { Database } from '#platform/database.ts';
import { isUniqueViolation } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { addTotals } from '#api/statistics/statistics.service.ts';
import type { VoteOutcome } from './group-commit.ts';
import { causeOf, voteAttempts } from './vote-batch.ts';
import type { Voter } from './voter.ts';

export type { Tally, VoteCounter } from './vote-batch.ts';

/** Milliseconds for which the response to a vote may show the texts from before a change, and polls whose texts are cached. */
export const voteTextsMs = 10_000;
export const votePollsKept = 500;

/** Which option the voter recorded on each of these ballots, by ballot id. */
export async function recordedVotes(
  db: Database,
  voter: Voter | null,
  ballotIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const identifiers = [
    ['voter_fingerprint', voter?.fingerprint],
    ['voter_cookie', voter?.cookie],
    ['user_id', voter?.userId],
  ] as const;
  const known = identifiers.filter(([, value]) => value !== null && value !== undefined);
  if (known.length === 0 || ballotIds.length === 0) return new Map();
  // One query per identifier, so that each uses its own index: for a combined condition, SQLite would scan all votes of a
  // ballot. Where two identifiers voted differently, the later query wins, so they run from last to first.
  const [first, ...others] = known.toReversed().map(([column, value], place) =>
    db('votes')
      .where(column, value ?? null)
      .whereIn('ballot_id', [...ballotIds])
      .select<IdentifierVote[]>('ballot_id', 'option_id', db.raw(`${place} as place`)),
  );
  const rows = await first!.unionAll(others);
  return new Map(rows.sort((a, b) => a.place - b.place).map((row) => [row.ballot_id, row.option_id]));
}

interface IdentifierVote {
  readonly ballot_id: string;
  readonly option_id: string;
  readonly place: number;
}

/** The texts of the options that a member voted for on these ballots, by ballot. */
export async function choicesOf(
  db: Database,
  userId: string,
  ballotIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ballotIds.length === 0) return new Map();
  const rows = await db('votes as vote')
    .join('ballot_options as option', (on) => {
      on.on('option.ballot_id', 'vote.ballot_id').on('option.option_id', 'vote.option_id');
    })
    .where('vote.user_id', userId)
    .whereIn('vote.ballot_id', [...ballotIds])
    .select<{ ballot_id: string; text: string }[]>('vote.ballot_id', 'option.text');
  return new Map(rows.map(({ ballot_id, text }) => [ballot_id, text]));
}

/**
 * Assigns the votes that this device or browser cast without an account to the account, one per ballot; a ballot on
 * which the account has voted keeps that vote, and votes of other accounts are unchanged. No counter changes.
 */
export async function claimVotes(db: Database, userId: string, voter: Voter | null): Promise<void> {
  const identifiers = [
    ['voter_fingerprint', voter?.fingerprint],
    ['voter_cookie', voter?.cookie],
  ] as const;
  const known = identifiers.filter(([, value]) => value !== null && value !== undefined);
  if (known.length === 0) return;
  const unclaimed = db('votes as mine')
    .whereNull('mine.user_id')
    .where((either) => {
      for (const [column, value] of known) void either.orWhere(`mine.${column}`, value ?? null);
    })
    .whereNotExists(
      db('votes as own').whereRaw('own.ballot_id = mine.ballot_id').where('own.user_id', userId).select(db.raw('1')),
    )
    .groupBy('mine.ballot_id')
    .min('mine.id');
  for (let attempt = 1; ; attempt++) {
    try {
      // The vote of a deleted account is new to this one, too.
      await db('votes').whereIn('id', unclaimed.clone()).update({ user_id: userId, noted: false });
      return;
    } catch (error) {
      // The account is voting on one of these ballots right now: the next attempt sees that vote.
      if (attempt === voteAttempts || !isRetryable(error)) throw error;
    }
  }
}

function isRetryable(error: unknown): boolean {
  return isUniqueViolation(error) || causeOf(error) === 'contention';
}

/** The error for a vote that was not recorded and whose voter has not voted before. */
export function refusalOf(outcome: Exclude<VoteOutcome, { status: 'recorded' | 'already-voted' }>): Error {
  switch (outcome.status) {
    case 'rate-limited':
      return outcome.limit === 'vote' ? errors.rateLimited(outcome.seconds) : errors.rateLimitedPoll(outcome.seconds);
    case 'not-found':
      return errors.pollNotFound();
    case 'invalid-option':
      return errors.invalidOption();
    case 'closed':
      return errors.pollClosed();
    case 'not-started':
      return errors.pollNotStarted();
    case 'overloaded':
      return errors.overloaded();
  }
}

/**
 * Deletes a ballot with its votes and keeps every headline figure exact: its votes and the poll itself are subtracted, its
 * voters remain participants. Votes in flight wait for the end of the transaction and find no ballot. The transaction must
 * not have read anything yet; false when the ballot doesn't exist. `beforeDelete` runs once the ballot's votes can't change
 * anymore. The archive's counters are not updated here.
 */
export async function deleteBallot(trx: Database, id: string, beforeDelete?: () => Promise<void>): Promise<boolean> {
  const locked = await lockBallot(trx, id);
  if (!locked) return false;
  await beforeDelete?.();
  await preserveVoters(trx, id);
  await trx('ballots').where({ id }).del();
  if (locked.listed && locked.in_totals)
    await addTotals(trx, { total_votes: -locked.total_votes, imported_votes: -locked.base_votes, total_polls: -1 });
  return true;
}

/** Every vote of an account, oldest first; moments in milliseconds. */
export async function votesOf(
  db: Database,
  userId: string,
): Promise<{ pollId: string; optionId: string; createdAt: number }[]> {
  return db('votes')
    .where({ user_id: userId })
    .orderBy(['created_at', 'id'])
    .select({ pollId: 'ballot_id', optionId: 'option_id', createdAt: 'created_at' });
}

/** The id of the newest vote, or 0. */
export async function newestVoteId(db: Database): Promise<number> {
  const [newest] = await db('votes').max<{ id: number | null }[]>('id as id');
  return newest?.id ?? 0;
}

/** What a ballot contributes to the headline figures. */
interface BallotTotals {
  readonly total_votes: number;
  readonly base_votes: number;
  readonly listed: boolean | 0 | 1;
  readonly in_totals: boolean | 0 | 1;
}

/** Locks a ballot against votes until the transaction ends; undefined when it doesn't exist. */
async function lockBallot(trx: Database, id: string): Promise<BallotTotals | undefined> {
  // A write, not a read: on SQLite it takes the write lock, on PostgreSQL votes wait for the row.
  const [locked] = await trx('ballots')
    .where({ id })
    .update({ is_active: false })
    .returning<BallotTotals[]>(['total_votes', 'base_votes', 'listed', 'in_totals']);
  return locked;
}

/**
 * Preserves the voters of a ballot in `voters`, with whether the deleted vote made them participants (handbook decision
 * 052). A key that an earlier vote on another ballot has is left to that vote.
 */
async function preserveVoters(trx: Database, ballotId: string): Promise<void> {
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
