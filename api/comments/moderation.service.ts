import { displayNameOf } from '#api/accounts/user.model.ts';
import { countComment } from '#api/community-polls/community-polls.service.ts';
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

/** Hides a comment from everyone or shows it again, and updates the poll’s comment count. */
export async function setCommentHidden(db: Database, commentId: string, hidden: boolean): Promise<HidingOutcome> {
  return db.transaction(async (trx) => {
    await beginWriting(trx);
    const comment = await CommentModel.query(trx).findById(commentId);
    if (!comment || !(await countComment(trx, comment.poll_id, 0))) return 'missing';
    const changed = await CommentModel.query(trx).where({ id: commentId, hidden: !hidden }).patch({ hidden });
    if (changed > 0) {
      await countComment(trx, comment.poll_id, hidden ? -1 : 1);
      return 'changed';
    }
    return (await CommentModel.query(trx).findById(commentId)) ? 'unchanged' : 'missing';
  });
}
