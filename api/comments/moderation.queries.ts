import type { Database } from '#platform/database.ts';
import type { AuthorRow } from './comment.presenter.ts';

/** A comment that was reported, with what the operator decides by. */
export interface ReportedRow extends AuthorRow {
  readonly id: string;
  readonly poll_id: string;
  readonly content: string;
  readonly hidden: boolean | 0 | 1;
  readonly question: string;
  readonly reports: number;
  /** Of the newest report. */
  readonly reported_at: number;
}

/** Reported comments, newest report first, hidden ones too. */
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
      'comments.id',
      'comments.poll_id',
      'comments.content',
      'comments.hidden',
      'community_polls.question',
      'reported.reports',
      'reported.reported_at',
      'users.username',
      'users.first_name',
      'users.last_name',
    );
}

/** How many comments were reported. */
export async function countReported(db: Database): Promise<number> {
  const row = await db('comment_reports').countDistinct({ count: 'comment_id' }).first<{ count: number | string }>();
  return Number(row.count);
}

/** Why these comments were reported, newest first; readers who gave no reason are left out. */
export async function reasonsOf(
  db: Database,
  commentIds: readonly string[],
): Promise<{ comment_id: string; reason: string }[]> {
  return db('comment_reports')
    .whereIn('comment_id', commentIds)
    .whereNotNull('reason')
    .orderBy('created_at', 'desc')
    .select('comment_id', 'reason');
}
