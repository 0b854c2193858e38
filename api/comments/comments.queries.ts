import type { Database } from '#platform/database.ts';
import type { AuthorRow, CommentRow } from './comment.presenter.ts';

/** Where a page begins: behind this comment, which may be gone. */
export interface Cursor {
  readonly id: string;
  readonly createdAt: number;
}

const newestFirst = [
  { column: 'created_at', order: 'desc' },
  { column: 'id', order: 'desc' },
] as const;
const author = ['username', 'first_name', 'last_name', 'profile_image_url'] as const;

/** One page of the comments that a poll shows, newest first. */
export async function commentsPage(
  db: Database,
  pollId: string,
  { limit, before }: { limit: number; before: Cursor | null },
): Promise<CommentRow[]> {
  const page = db('comments')
    .where({ poll_id: pollId, hidden: false })
    .orderBy([...newestFirst])
    .limit(limit);
  if (before !== null) void page.whereRaw('(created_at, id) < (?, ?)', [before.createdAt, before.id]);
  // The page comes from the index alone; only its rows meet their authors.
  return db
    .from(page.as('page'))
    .join('users', 'users.id', 'page.user_id')
    .orderBy(newestFirst.map(({ column, order }) => ({ column: `page.${column}`, order })))
    .select<CommentRow[]>('page.id', 'page.user_id', 'page.content', 'page.created_at', ...author);
}

/** A comment of one poll with its author. */
export function commentRow(db: Database, pollId: string, commentId: string): Promise<CommentRow | undefined> {
  return db('comments')
    .join('users', 'users.id', 'comments.user_id')
    .where({ 'comments.id': commentId, 'comments.poll_id': pollId })
    .first<CommentRow | undefined>(
      'comments.id',
      'comments.user_id',
      'comments.content',
      'comments.created_at',
      ...author,
    );
}

/** A comment of one poll, hidden or not. */
export async function findComment(
  db: Database,
  pollId: string,
  commentId: string,
): Promise<{ readonly authorId: string; readonly hidden: boolean } | null> {
  const row = await db('comments')
    .where({ id: commentId, poll_id: pollId })
    .first<{ user_id: string; hidden: boolean | 0 | 1 } | undefined>('user_id', 'hidden');
  return row ? { authorId: row.user_id, hidden: Boolean(row.hidden) } : null;
}

/** What readers learn of a member, whose account stays until the transaction ends. */
export function holdMember(trx: Database, userId: string): Promise<AuthorRow | undefined> {
  return trx('users')
    .where({ id: userId })
    .forKeyShare()
    .first<AuthorRow | undefined>(...author);
}
