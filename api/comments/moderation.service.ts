import { displayNameOf } from '#api/accounts/user.model.ts';
import { accessTo, authorize } from '#api/community-polls/access.service.ts';
import { countComment } from '#api/community-polls/community-polls.service.ts';
import { notify, withdrawNotifications } from '#api/notify/notify.service.ts';
import type { Clock } from '#platform/clock.ts';
import { errors } from '#platform/errors.ts';
import { beginWriting } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { CommentModel, CommentReportModel } from './comment.model.ts';
import { countReported, reportedRows } from './comments.queries.ts';

/** A comment that readers reported to the operator. */
export interface ReportedComment {
  readonly id: string;
  readonly pollId: string;
  readonly question: string;
  readonly author: string;
  readonly content: string;
  readonly hidden: boolean;
  readonly reports: number;
  /** Milliseconds, of the newest report. */
  readonly reportedAt: number;
  /** Newest first; a report may have none. */
  readonly reasons: readonly string[];
}

/** The `limit` most recently reported comments, and the number of all reported comments. */
export async function reportedComments(
  db: Database,
  limit: number,
): Promise<{ comments: ReportedComment[]; total: number }> {
  const rows = await reportedRows(db, limit);
  const reasons = await CommentReportModel.query(db)
    .whereIn(
      'comment_id',
      rows.map(({ id }) => id),
    )
    .whereNotNull('reason')
    .orderBy('created_at', 'desc');
  const comments = rows.map((row) => ({
    id: row.id,
    pollId: row.poll_id,
    question: row.question,
    author: displayNameOf(row),
    content: row.content,
    hidden: Boolean(row.hidden),
    reports: row.reports,
    reportedAt: row.reported_at,
    reasons: reasons.filter((report) => report.comment_id === row.id).map(({ reason }) => reason!),
  }));
  return { comments, total: await countReported(db) };
}

/** Result of hiding or showing: `unchanged` when the comment was in that state already. */
type HidingOutcome = 'changed' | 'unchanged' | 'missing';

/**
 * Hides a comment from everyone or shows it again, updates the poll’s comment count, and notifies its author, with the
 * reason, and those who reported it.
 */
export async function setCommentHidden(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  commentId: string,
  hidden: boolean,
  reason = '',
): Promise<HidingOutcome> {
  return db.transaction(async (trx) => {
    await beginWriting(trx);
    const concerned = await lockConcerned(trx, commentId);
    const comment = await CommentModel.query(trx).findById(commentId);
    if (!comment || !(await countComment(trx, comment.poll_id, 0))) return 'missing';
    // What the creator of the poll hid stays hidden, and now only the operator can show it.
    if (hidden) await CommentModel.query(trx).where({ id: commentId, hidden }).patch({ hidden_by: 'operator' });
    const by = hidden ? 'operator' : null;
    const changed = await CommentModel.query(trx)
      .where({ id: commentId, hidden: !hidden })
      .patch({ hidden, hidden_by: by });
    if (changed > 0) {
      await countComment(trx, comment.poll_id, hidden ? -1 : 1);
      if (hidden) await notifyOfRemoval(trx, comment, { reporters: concerned, at: clock.now(), reason });
      else await withdrawNotifications(trx, concerned, { kinds: ['moderation', 'report'], subject: commentId });
      return 'changed';
    }
    return (await CommentModel.query(trx).findById(commentId)) ? 'unchanged' : 'missing';
  });
}

/**
 * Hides a comment on the caller’s own poll from everyone else, or shows one again that the caller hid. Throws what
 * `accessTo` throws, FORBIDDEN, and COMMENT_NOT_FOUND, also for one that the operator has hidden.
 */
export async function hideAsCreator(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { pollId, commentId, userId }: { readonly pollId: string; readonly commentId: string; readonly userId: string },
  hidden: boolean,
): Promise<void> {
  await db.transaction(async (trx) => {
    await beginWriting(trx);
    const { may } = await accessTo({ db: trx, now: clock.now() }, pollId, userId);
    authorize(may.moderate);
    const concerned = await lockConcerned(trx, commentId);
    await countComment(trx, pollId, 0);
    const comment = await CommentModel.query(trx).findOne({ id: commentId, poll_id: pollId });
    if (!comment || comment.hidden_by === 'operator') throw errors.commentNotFound();
    if (Boolean(comment.hidden) === hidden) return;
    await CommentModel.query(trx)
      .findById(commentId)
      .patch({ hidden, hidden_by: hidden ? 'creator' : null });
    await countComment(trx, pollId, hidden ? -1 : 1);
    if (hidden && comment.user_id !== userId)
      await notifyOfRemoval(trx, comment, { reporters: concerned.filter((id) => id !== userId), at: clock.now() });
    else await withdrawNotifications(trx, concerned, { kinds: ['moderation', 'report'], subject: commentId });
  });
}

/** Ids of a comment’s author and reporters, who can’t delete their accounts until the transaction ends. */
export async function lockConcerned(trx: Database, commentId: string): Promise<string[]> {
  const author = trx('comments').where({ id: commentId }).select('user_id');
  const reporters = trx('comment_reports').where({ comment_id: commentId }).select('user_id');
  return trx('users').whereIn('id', author.union(reporters)).orderBy('id').forKeyShare().pluck<string[]>('id');
}

/** Notifies a comment’s author and reporters, whose rows are locked, that it was removed. */
export async function notifyOfRemoval(
  trx: Database,
  { id: subject, poll_id: pollId, user_id: author }: Pick<CommentModel, 'id' | 'poll_id' | 'user_id'>,
  { reporters, at, reason = '' }: { reporters: readonly string[]; at: number; reason?: string },
): Promise<void> {
  const event = { subject, pollId, at };
  await notify(trx, [author], { ...event, kind: 'moderation', reason: reason === '' ? null : reason });
  const others = reporters.filter((id) => id !== author);
  await notify(trx, others, { ...event, kind: 'report' });
}
