import type { Database } from '#platform/database.ts';

/**
 * Changes the number of comments that a community poll shows, in the transaction that changes the comments. 0 holds
 * the poll and its comments as they are until the transaction ends: whoever changes comments that are there asks for
 * that first, so that rows are taken in one order. False: there is no such poll.
 */
export async function countComment(trx: Database, pollId: string, delta: number): Promise<boolean> {
  const counted = await trx('community_polls').where({ id: pollId }).increment('comment_count', delta);
  return counted > 0;
}
