import { normalizeEmail } from '#api/members/accounts/email-address.service.ts';
import { lockActiveMember } from '#api/members/accounts/suspension.service.ts';
import { CommentModel } from '#api/comments/comment.model.ts';
import { accessTo } from '#api/polls/community/access.service.ts';
import { countComment } from '#api/polls/community/community-polls.service.ts';
import { record } from '#api/events/record.service.ts';
import type { Report } from './moderation.contract.ts';
import type { UserExport } from '#api/members/profile/profile.contract.ts';
import type { ReportCategory, ReportedKind } from '#contract/vocabulary.ts';
import { storableErrors } from '#domain/comment-text.ts';
import { trimText } from '#domain/visible-text.ts';
import { iso } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { ModerationContext } from './actions.service.ts';

/** Open reports of one thing by people who are signed out, which can’t be told apart; more of them would say nothing new. */
const mostAnonymous = 20;

/**
 * Reports a poll, one of its comments, or the author of either; a second report by the same member changes nothing
 * while the first is open, and opens it again after that. `userId` is null for somebody who is signed out. Throws what opening the poll throws, COMMENT_NOT_FOUND, NOT_FOUND about a former member.
 */
export async function report(
  { db, clock }: ModerationContext,
  userId: string | null,
  { pollId, commentId }: { readonly pollId: string; readonly commentId?: string },
  { category, reason: written = '', author, email }: Report,
): Promise<void> {
  const reason = trimText(written);
  const found = storableErrors('reason', reason);
  if (found.length > 0) throw errors.validationFailed(found);
  await db.transaction(async (trx) => {
    const now = clock.now();
    const { poll } = await accessTo({ db: trx, now }, pollId, userId);
    if (userId !== null) await lockActiveMember(trx, userId, now);
    let creator = poll.createdBy;
    if (commentId !== undefined) {
      await countComment(trx, pollId, 0);
      const comment = await CommentModel.query(trx).findOne({ id: commentId, poll_id: pollId });
      if (!comment || comment.hidden) throw errors.commentNotFound();
      creator = comment.user_id;
    }
    if (author && creator === null) throw errors.notFound();
    const kind: ReportedKind = author ? 'member' : commentId === undefined ? 'poll' : 'comment';
    const subject = { member: creator!, poll: pollId, comment: commentId! }[kind];
    if (userId === null) {
      const open = trx('reports').where({ kind, subject, user_id: null, handled_at: null });
      if ((await open.limit(mostAnonymous).select('id')).length === mostAnonymous) return;
    }
    const filed = { category, reason: reason === '' ? null : reason, created_at: now };
    const changed = await trx('reports')
      .insert({
        ...{ user_id: userId, kind, subject, [`${kind}_id`]: subject },
        ...filed,
        // Members are notified.
        ...(userId === null && { email: email === undefined ? null : normalizeEmail(email) }),
      })
      .onConflict(['kind', 'subject', 'user_id'])
      .merge({ ...filed, handled_at: null })
      .whereNotNull('reports.handled_at')
      .returning('id');
    if (changed.length === 0) return;
    await record(trx, {
      ...{ type: 'report.filed', at: now, subject: { kind: 'community-poll', id: pollId } },
      after: { report: { kind, category, url: '/admin/moderation' } },
    });
  });
}

/** What a member reported, with the poll that it was about or on, for the export. */
export async function reportsBy(
  db: Database,
  userId: string,
): Promise<Omit<UserExport['reports'][number], 'question'>[]> {
  const rows = await db('reports as report')
    .leftJoin('comments as comment', 'comment.id', 'report.comment_id')
    .where('report.user_id', userId)
    .orderBy(['report.created_at', 'report.id'])
    .select<ReportRow[]>(
      ...['kind', 'subject', 'category', 'reason', 'report.created_at'],
      db.raw('coalesce(report.poll_id, comment.poll_id) as poll'),
    );
  return rows.map(({ kind, subject, category, reason, created_at, poll }) => ({
    // The id of a reported member is nobody else’s business.
    ...{ kind, id: kind === 'member' ? null : subject, pollId: poll, category, reason, createdAt: iso(created_at) },
  }));
}

interface ReportRow {
  readonly kind: ReportedKind;
  readonly subject: string;
  readonly category: ReportCategory;
  readonly reason: string | null;
  readonly created_at: number;
  /** The reported poll, or the poll of the reported comment. */
  readonly poll: string | null;
}
