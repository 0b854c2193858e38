import type { Database } from '#platform/database.ts';
import { CommentModel } from './comment.model.ts';
import type { PresentedComment } from './comment.presenter.ts';

/** Where a page begins: after this comment, which may have been deleted. */
export interface Cursor {
  readonly id: string;
  readonly createdAt: number;
}

/** One page of the comments of a poll with their authors, newest first; for its creator with those that the creator hid. */
export async function commentsPage(
  db: Database,
  pollId: string,
  { limit, before, moderates = false }: { limit: number; before: Cursor | null; moderates?: boolean },
): Promise<PresentedComment[]> {
  const page = CommentModel.query(db)
    .where({ poll_id: pollId, ...(!moderates && { hidden: false }) })
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit)
    .withGraphFetched('author(publicColumns)');
  if (moderates) void page.whereRaw("(hidden_by is null or hidden_by = 'creator')");
  if (before !== null) void page.whereRaw('(created_at, id) < (?, ?)', [before.createdAt, before.id]);
  return withAuthors(await page);
}

/** Comments whose author was deleted between the two reads are gone, too. */
const withAuthors = (comments: CommentModel[]) => comments.filter(({ author }) => author !== null);

/** A comment of one poll with its author. */
export async function commentWithAuthor(
  db: Database,
  pollId: string,
  commentId: string,
): Promise<PresentedComment | undefined> {
  const comments = await CommentModel.query(db)
    .where({ id: commentId, poll_id: pollId })
    .withGraphFetched('author(publicColumns)');
  return withAuthors(comments)[0];
}
