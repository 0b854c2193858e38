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
