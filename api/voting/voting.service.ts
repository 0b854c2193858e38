import type { Database } from '#platform/database.ts';
import type { Voter } from '#platform/voter.ts';

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
  const rows = await db('votes')
    .whereIn('ballot_id', [...ballotIds])
    .where((either) => {
      for (const [column, value] of known) void either.orWhere(column, value ?? null);
    })
    .select<{ ballot_id: string; option_id: string }[]>('ballot_id', 'option_id');
  return new Map(rows.map((row) => [row.ballot_id, row.option_id]));
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
  await db('votes').whereIn('id', unclaimed).update({ user_id: userId });
}

export type { Tally } from './vote-batch.ts';
