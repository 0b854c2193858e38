import type { Database } from '#platform/database.ts';

const portion = 100;

/**
 * Stores `count` comments on a poll that {@link makeCommunityPolls} made, one a second up to now, by its members; one in
 * fifty is hidden. Answers the ids of those that are shown, newest first.
 */
export async function makeComments(
  db: Database,
  pollId: string,
  count: number,
  onProgress?: (done: number) => void,
): Promise<string[]> {
  const now = Date.now();
  const members = await db('users').orderBy('id').pluck<string[]>('id');
  const rows = Array.from({ length: count }, (_, n) => {
    const at = now - (count - n) * 1_000;
    return {
      // Of the form that the service gives its ids (api/comments/comment-id), without their randomness.
      id: at.toString(36).padStart(9, '0') + n.toString(36).padStart(19, '0'),
      poll_id: pollId,
      user_id: members[n % members.length],
      content: `Comment ${n}. ${'It has a few sentences, as comments do. '.repeat(n % 10)}`.trim(),
      hidden: n % 50 === 49,
      created_at: at,
      updated_at: at,
    };
  });
  const shown = rows.filter(({ hidden }) => !hidden).map(({ id }) => id);
  await db.transaction(async (trx) => {
    for (let from = 0; from < count; from += portion) {
      await trx('comments').insert(rows.slice(from, from + portion));
      onProgress?.(Math.min(from + portion, count));
    }
    await trx('community_polls').where({ id: pollId }).increment('comment_count', shown.length);
  });
  return shown.reverse();
}
