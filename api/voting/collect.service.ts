import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { readFurther } from './choices.model.ts';
import { allBallotsLock, ballotLocks } from './vote-batch.ts';
import { digitsOf, newestVoteId } from './voting.service.ts';

export { receiptsOf } from './receipts.ts';
export type { ReceiptOf } from './receipts.ts';

/** A recorded vote as the log of votes reads it. */
export interface CollectedVote {
  readonly id: number;
  readonly ballotKey: number;
  readonly optionKeys: readonly number[];
  /** The digest of its device: 32 hexadecimal digits. */
  readonly device: string;
  /** What its browser contributed to its receipt: as many. */
  readonly nonce: string | null;
}

interface CollectedRow extends Omit<CollectedVote, 'optionKeys'> {
  readonly option_key: number;
  readonly further_options: string | null;
}

/** Milliseconds to wait for the batches that are being committed. */
const lockWaitMs = 5_000;

/**
 * Reads votes with ids above `afterId` in the order of ids, `most` at once, including those on deleted ballots. Fewer mean
 * that there are no more. No vote with an id up to `throughId` can be committed later.
 */
export async function collectVotes(
  db: Database,
  afterId: number,
  most: number,
): Promise<{ throughId: number; votes: CollectedVote[] }> {
  const newest = await newestCommittedVote(db);
  const votes: CollectedVote[] = [];
  let throughId = afterId;
  // By ranges of ids: PostgreSQL has no index that gives them in order. Deletions leave gaps.
  while (throughId < newest && votes.length < most) {
    const until = Math.min(newest, throughId + most);
    const rows = await db('votes')
      .where('id', '>', throughId)
      .where('id', '<=', until)
      .orderBy('id')
      .select<CollectedRow[]>(
        ...['id', 'ballot_key as ballotKey', 'option_key', 'further_options'],
        ...(['device', 'nonce'] as const).map((column) => db.raw(`${digitsOf(db, column)} as ${column}`)),
      );
    const wanted = rows.slice(0, most - votes.length);
    votes.push(
      ...wanted.map(({ option_key: first, further_options: further, ...vote }) => ({
        ...vote,
        optionKeys: [first, ...readFurther(further)],
      })),
    );
    throughId = wanted.length < rows.length ? wanted.at(-1)!.id : until;
  }
  return { throughId, votes };
}

/**
 * The newest id such that every vote up to it is committed or never will be. On PostgreSQL, every batch of votes shares a
 * lock from before it gets ids until its commit. SQLite gives ids and commits in one order.
 */
export async function newestCommittedVote(db: Database): Promise<number> {
  if (isSqlite(db)) return newestVoteId(db);
  return db.transaction(async (trx) => {
    await trx.raw(`set local lock_timeout = ${lockWaitMs}`);
    await trx.raw(`select pg_advisory_xact_lock(${ballotLocks}, ${allBallotsLock})`);
    return newestVoteId(trx);
  });
}
