import { serverLimits } from '#contract/server-limits.ts';
import type { Database } from '#platform/database.ts';
import { isUniqueViolation } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { Voter } from '#platform/voter.ts';
import { addTotals } from '#api/statistics/statistics.service.ts';
import { causeOf } from './batch-failure.ts';
import { holdBallot, keepVoters, removeBallot } from './ballot-deletion.queries.ts';
import type { VoteOutcome } from './group-commit.ts';

/** A voter as a vote needs them: the device and the browser are known. */
export interface VoterMarks extends Voter {
  readonly fingerprint: string;
  readonly cookie: string | null;
}

/** Which option the voter recorded on each of these ballots, by ballot id. */
export async function recordedVotes(
  db: Database,
  voter: Voter | null,
  ballotIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const marks = [
    ['voter_fingerprint', voter?.fingerprint],
    ['voter_cookie', voter?.cookie],
    ['user_id', voter?.userId],
  ] as const;
  const known = marks.filter(([, value]) => value !== null && value !== undefined);
  if (known.length === 0 || ballotIds.length === 0) return new Map();
  // One look for each mark, so that each has its own index: looking for any of them at once, SQLite would go through all
  // votes of a ballot. Where two marks voted differently, the later look wins, so they go from last to first.
  const [first, ...others] = known.toReversed().map(([column, value], place) =>
    db('votes')
      .where(column, value ?? null)
      .whereIn('ballot_id', [...ballotIds])
      .select<MarkedVote[]>('ballot_id', 'option_id', db.raw(`${place} as place`)),
  );
  const rows = await first!.unionAll(others);
  return new Map(rows.sort((a, b) => a.place - b.place).map((row) => [row.ballot_id, row.option_id]));
}

interface MarkedVote {
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
 * Gives the votes that this device or browser cast without an account to the account, one for each ballot; a ballot
 * on which the account has voted keeps that vote, and votes of other accounts stay theirs. No counter changes.
 */
export async function claimVotes(db: Database, userId: string, voter: Voter | null): Promise<void> {
  const marks = [
    ['voter_fingerprint', voter?.fingerprint],
    ['voter_cookie', voter?.cookie],
  ] as const;
  const known = marks.filter(([, value]) => value !== null && value !== undefined);
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
      // Also the vote of an account that is gone is new to this one.
      await db('votes').whereIn('id', unclaimed.clone()).update({ user_id: userId, noted: false });
      return;
    } catch (error) {
      // The account votes on one of these ballots in this very moment: the next look sees that vote.
      if (attempt === serverLimits.voteAttempts || !mayPass(error)) throw error;
    }
  }
}

function mayPass(error: unknown): boolean {
  return isUniqueViolation(error) || causeOf(error) === 'contention';
}

/** What somebody is told whose vote was not recorded, and who has not voted before. */
export function refusalOf(outcome: Exclude<VoteOutcome, { status: 'recorded' | 'already-voted' }>): Error {
  switch (outcome.status) {
    case 'crowded':
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
 * Deletes a ballot with its votes and keeps every headline figure exact: its votes and the poll itself go, who took part
 * stays a participant. Votes on their way wait for the end of the transaction and find no ballot. Hand in a transaction
 * that has not read yet; false when there is no such ballot. `lastLook` sees the ballot when nothing about its votes
 * changes any more. The archive's counters are not its business.
 */
export async function deleteBallot(trx: Database, id: string, lastLook?: () => Promise<void>): Promise<boolean> {
  const held = await holdBallot(trx, id);
  if (!held) return false;
  await lastLook?.();
  await keepVoters(trx, id);
  await removeBallot(trx, id);
  if (held.listed && held.in_totals)
    await addTotals(trx, { total_votes: -held.total_votes, imported_votes: -held.base_votes, total_polls: -1 });
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

export { newestVoteId } from './recent-votes.queries.ts';
export type { Tally } from './vote-batch.ts';
