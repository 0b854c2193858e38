import { displayName } from '#domain/display-name.ts';
import { countComment } from '#api/community-polls/community-polls.service.ts';
import { beginWriting } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { countReported, reasonsOf, reportedRows } from './moderation.queries.ts';

/** A comment that readers told the operator about. */
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
  /** Newest first; not every report has one. */
  readonly reasons: readonly string[];
}

/** The reported comments whose newest reports came last, at most `limit`, and how many there are in all. */
export async function reportedComments(
  db: Database,
  limit: number,
): Promise<{ comments: ReportedComment[]; total: number }> {
  const rows = await reportedRows(db, limit);
  const reasons = await reasonsOf(
    db,
    rows.map(({ id }) => id),
  );
  const comments = rows.map((row) => ({
    id: row.id,
    pollId: row.poll_id,
    question: row.question,
    author: displayName({ firstName: row.first_name, lastName: row.last_name, username: row.username }),
    content: row.content,
    hidden: Boolean(row.hidden),
    reports: row.reports,
    reportedAt: row.reported_at,
    reasons: reasons.filter((one) => one.comment_id === row.id).map(({ reason }) => reason),
  }));
  return { comments, total: await countReported(db) };
}

/** What became of a request to hide or show: `unchanged` where it was so already. */
export type HidingOutcome = 'changed' | 'unchanged' | 'missing';

/** Hides a comment from everybody, or shows it again, and counts it accordingly. */
export async function setCommentHidden(db: Database, commentId: string, hidden: boolean): Promise<HidingOutcome> {
  return db.transaction(async (trx) => {
    await beginWriting(trx);
    const comment = await trx('comments').where({ id: commentId }).first<{ poll_id: string } | undefined>('poll_id');
    if (!comment || !(await countComment(trx, comment.poll_id, 0))) return 'missing';
    const changed = await trx('comments').where({ id: commentId, hidden: !hidden }).update({ hidden });
    if (changed > 0) {
      await countComment(trx, comment.poll_id, hidden ? -1 : 1);
      return 'changed';
    }
    return (await trx('comments').where({ id: commentId }).first('id')) ? 'unchanged' : 'missing';
  });
}
