import { UserModel } from '#api/accounts/user.model.ts';
import type { PublicUser } from '#api/accounts/user.model.ts';
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

/** A member's public data; the account can't be deleted until the transaction ends. */
export async function lockMember(trx: Database, userId: string): Promise<PublicUser | undefined> {
  return await UserModel.query(trx).findById(userId).modify('publicColumns').forKeyShare();
}

/** A reported comment with what the operator needs to decide. Times in milliseconds. */
interface ReportedRow {
  readonly id: string;
  readonly poll_id: string;
  readonly content: string;
  readonly hidden: boolean | 0 | 1;
  readonly question: string;
  readonly reports: number;
  /** Of the newest report. */
  readonly reported_at: number;
  readonly username: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** Reported comments, newest report first, including hidden ones. */
export async function reportedRows(db: Database, limit: number): Promise<ReportedRow[]> {
  const reported = db('comment_reports')
    .groupBy('comment_id')
    .select('comment_id')
    .count({ reports: '*' })
    .max({ reported_at: 'created_at' })
    .orderBy([
      { column: 'reported_at', order: 'desc' },
      { column: 'comment_id', order: 'desc' },
    ])
    .limit(limit);
  return db
    .from(reported.as('reported'))
    .join('comments', 'comments.id', 'reported.comment_id')
    .join('users', 'users.id', 'comments.user_id')
    .join('community_polls', 'community_polls.id', 'comments.poll_id')
    .orderBy([
      { column: 'reported.reported_at', order: 'desc' },
      { column: 'comments.id', order: 'desc' },
    ])
    .select<ReportedRow[]>(
      ...['comments.id', 'comments.poll_id', 'comments.content', 'comments.hidden', 'community_polls.question'],
      ...['reported.reports', 'reported.reported_at', 'users.username', 'users.first_name', 'users.last_name'],
    );
}

/** How many comments were reported. */
export async function countReported(db: Database): Promise<number> {
  const row = await db('comment_reports').countDistinct({ count: 'comment_id' }).first<{ count: number | string }>();
  return Number(row.count);
}
