import { countComment } from '#api/community-polls/community-polls.service.ts';
import type { Database } from '#platform/database.ts';
import { commentIds } from './comment-id.ts';

/** A comment that came with the software; the moment in milliseconds. */
export interface SeededComment {
  readonly pollId: string;
  readonly userId: string;
  readonly content: string;
  readonly createdAt: number;
}

/** Writes comments and counts them. */
export async function seedComments(trx: Database, comments: readonly SeededComment[]): Promise<void> {
  const newId = commentIds();
  for (const { pollId, userId, content, createdAt } of comments) {
    await trx('comments').insert({
      id: newId(createdAt),
      poll_id: pollId,
      user_id: userId,
      content,
      created_at: createdAt,
      updated_at: createdAt,
    });
    await countComment(trx, pollId, 1);
  }
}
