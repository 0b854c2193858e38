import { UserModel } from '#api/accounts/user.model.ts';
import type { PublicUser } from '#api/accounts/user.model.ts';
import * as limits from '#contract/limits.ts';
import type { Database } from '#platform/database.ts';
import { CommentModel } from './comment.model.ts';
import type { PresentedComment, Thread } from './comment.presenter.ts';

/** Where a page begins: after this comment, which may have been deleted. */
export interface Cursor {
  readonly id: string;
  readonly createdAt: number;
}

/** The condition for what a reader sees; the creator of a poll also sees what the creator hid. */
const shown = (moderates: boolean, table = '') =>
  moderates ? `(${table}hidden = false or ${table}hidden_by = 'creator')` : `${table}hidden = false`;

/** A page of comments: `moderates` for the creator of the poll. */
interface PageOf {
  readonly limit: number;
  readonly moderates?: boolean;
}

/** One page of the comments of a poll that are no replies, newest first; hidden ones only if replies to them are shown. */
export async function commentsPage(
  db: Database,
  pollId: string,
  { limit, before, moderates = false }: PageOf & { before: Cursor | null },
): Promise<Thread[]> {
  const page = CommentModel.query(db)
    .where({ poll_id: pollId })
    .whereNull('reply_to')
    .whereRaw(
      // Not “exists”: PostgreSQL would first collect all comments that have replies.
      `(${shown(moderates)} or
        (select r.id from comments r where r.reply_to = comments.id and ${shown(moderates, 'r.')} limit 1) is not null)`,
    )
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit)
    .withGraphFetched('author(publicColumns)');
  if (before !== null) void page.whereRaw('(created_at, id) < (?, ?)', [before.createdAt, before.id]);
  return withReplies(db, withAuthors(await page), moderates);
}

/** One page of the replies to a comment, oldest first; `after` is the newest reply that the reader has seen. */
export async function repliesPage(
  db: Database,
  parent: { readonly pollId: string; readonly commentId: string },
  { limit, after, moderates = false }: PageOf & { after: Cursor | null },
): Promise<PresentedComment[]> {
  const page = CommentModel.query(db)
    .where({ reply_to: parent.commentId, poll_id: parent.pollId })
    .whereRaw(shown(moderates))
    .orderBy(['created_at', 'id'])
    .limit(limit)
    .withGraphFetched('author(publicColumns)');
  if (after !== null) void page.whereRaw('(created_at, id) > (?, ?)', [after.createdAt, after.id]);
  return withAuthors(await page);
}

/** Comments with their first replies. */
export async function withReplies(
  db: Database,
  comments: readonly PresentedComment[],
  moderates: boolean,
): Promise<Thread[]> {
  const ids = comments.map(({ id }) => id);
  const first = ids.length === 0 ? [] : await repliesTo(db, ids, moderates);
  const rows = CommentModel.query(db)
    .findByIds(first.map(({ id }) => id))
    .orderBy(['created_at', 'id'])
    .withGraphFetched('author(publicColumns)');
  const replies = first.length === 0 ? [] : withAuthors(await rows);
  const counts = new Map(first.map(({ reply_to, shown }) => [reply_to, Number(shown)]));
  return comments.map((comment) => ({
    ...comment,
    replies: replies.filter(({ reply_to }) => reply_to === comment.id),
    replyCount: counts.get(comment.id) ?? 0,
  }));
}

/** The first replies to each comment, and how many of them everyone sees; read from the index alone. */
export async function repliesTo(
  db: Database,
  commentIds: readonly string[],
  moderates: boolean,
): Promise<{ readonly id: string; readonly reply_to: string; readonly shown: number | string }[]> {
  const seen = db('comments')
    .whereIn('reply_to', commentIds)
    .whereRaw(shown(moderates))
    .select(
      'id',
      'reply_to',
      db.raw('row_number() over (partition by reply_to order by created_at, id) as place'),
      db.raw('sum(case when hidden = false then 1 else 0 end) over (partition by reply_to) as shown'),
    );
  return db.from(seen.as('some')).where('place', '<=', limits.repliesShown).select('id', 'reply_to', 'shown');
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
