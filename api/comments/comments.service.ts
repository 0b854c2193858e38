import type { Comment } from '#contract/comment.ts';
import type { FieldError } from '#contract/error-codes.ts';
import type { UserExport } from '#contract/profile.ts';
import { commentLength, storableErrors } from '#domain/comment-text.ts';
import { trimText } from '#domain/visible-text.ts';
import { recordEvent } from '#api/badges/events.service.ts';
import { accessTo, demand } from '#api/community-polls/access.service.ts';
import { countComment } from '#api/community-polls/community-polls.service.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { beginWriting } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { recordKey } from '#platform/idempotency.ts';
import type { KeyedRequest } from '#platform/idempotency.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { momentOfComment } from './comment-id.ts';
import { presentComment } from './comment.presenter.ts';
import { commentRow, commentsPage, findComment, holdMember } from './comments.queries.ts';
import type { Cursor } from './comments.queries.ts';

export interface CommentsContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly newId: (now: number) => string;
}

/** One page of a poll's comments, newest first; `before` is the id of the oldest comment that the reader has. */
export async function listComments(
  { db, clock }: CommentsContext,
  pollId: string,
  page: { limit: number; before: string | undefined },
  userId: string | null,
): Promise<Comment[]> {
  const { may } = await accessTo({ db, now: clock.now() }, pollId, userId);
  const rows = await commentsPage(db, pollId, { limit: page.limit, before: cursorAt(page.before) });
  return rows.map((row) => presentComment(row, { userId, moderates: may.moderate }));
}

function cursorAt(id: string | undefined): Cursor | null {
  if (id === undefined) return null;
  const createdAt = momentOfComment(id);
  if (createdAt === null)
    throw errors.validationFailed(fieldErrors([{ instancePath: '/before', keyword: 'pattern', params: {} }]));
  return { id, createdAt };
}

/** One comment of a poll as somebody who may read the poll sees it. */
export async function commentFor(
  { db, clock }: CommentsContext,
  pollId: string,
  commentId: string,
  userId: string,
): Promise<Comment> {
  const { may } = await accessTo({ db, now: clock.now() }, pollId, userId);
  const row = await commentRow(db, pollId, commentId);
  if (!row) throw errors.commentNotFound();
  return presentComment(row, { userId, moderates: may.moderate });
}

/** Adds a comment, trimmed and of the right length, and counts it. Comments may go on after a poll has ended. */
export async function postComment(
  { db, clock, newId }: CommentsContext,
  pollId: string,
  userId: string,
  content: string,
  request: KeyedRequest | null = null,
): Promise<Comment> {
  refuse(storableErrors('content', content));
  return db.transaction(async (trx) => {
    await beginWriting(trx);
    const { may } = await accessTo({ db: trx, now: clock.now() }, pollId, userId);
    demand(may.comment);
    const author = await holdMember(trx, userId);
    if (!author) throw errors.unauthenticated();
    if (!(await countComment(trx, pollId, 1))) throw errors.pollNotFound();
    // Only now is it this comment's turn: on one poll, the order of moments is the order of commits.
    const now = clock.now();
    const row = { id: newId(now), user_id: userId, content, created_at: now };
    await trx('comments').insert({ ...row, poll_id: pollId, updated_at: now });
    await recordKey(trx, request, row.id, now);
    const length = commentLength(content);
    await recordEvent(trx, userId, { type: 'comment_posted', at: now, commentId: row.id, pollId, length });
    return presentComment({ ...row, ...author }, { userId, moderates: may.moderate });
  });
}

/** Deletes a comment for its author or for the poll's creator. What is hidden is there for these two only. */
export async function deleteComment(
  { db, clock }: CommentsContext,
  pollId: string,
  commentId: string,
  userId: string,
): Promise<void> {
  await db.transaction(async (trx) => {
    await beginWriting(trx);
    const { may } = await accessTo({ db: trx, now: clock.now() }, pollId, userId);
    await countComment(trx, pollId, 0);
    const comment = await findComment(trx, pollId, commentId);
    const allowed = may.moderate || comment?.authorId === userId;
    if (comment === null || (comment.hidden && !allowed)) throw errors.commentNotFound();
    demand(allowed);
    await trx('comments').where({ id: commentId }).delete();
    if (!comment.hidden) await countComment(trx, pollId, -1);
  });
}

/** Tells the operator about a comment; a second report of the same member changes nothing. */
export async function reportComment(
  { db, clock }: CommentsContext,
  pollId: string,
  commentId: string,
  userId: string,
  written = '',
): Promise<void> {
  const reason = trimText(written);
  refuse(storableErrors('reason', reason));
  await db.transaction(async (trx) => {
    await beginWriting(trx);
    await accessTo({ db: trx, now: clock.now() }, pollId, userId);
    if (!(await holdMember(trx, userId))) throw errors.unauthenticated();
    await countComment(trx, pollId, 0);
    const comment = await findComment(trx, pollId, commentId);
    if (comment === null || comment.hidden) throw errors.commentNotFound();
    await trx('comment_reports')
      .insert({
        comment_id: commentId,
        user_id: userId,
        reason: reason === '' ? null : reason,
        created_at: clock.now(),
      })
      .onConflict(['comment_id', 'user_id'])
      .ignore();
  });
}

/** Every comment that a member has written, hidden ones too, oldest first. */
export async function commentsOf(db: Database, userId: string): Promise<UserExport['comments']> {
  const rows = await db('comments')
    .where({ user_id: userId })
    .orderBy(['created_at', 'id'])
    .select<{ id: string; poll_id: string; content: string; created_at: number }[]>(
      'id',
      'poll_id',
      'content',
      'created_at',
    );
  return rows.map(({ id, poll_id: pollId, content, created_at }) => ({
    id,
    pollId,
    content,
    createdAt: iso(created_at),
  }));
}

/** Deletes everything that a member has written, in the transaction that deletes the account. */
export async function deleteCommentsOf(trx: Database, userId: string): Promise<void> {
  // From here on nobody can add a comment of this account.
  await trx('users').where({ id: userId }).forUpdate().first('id');
  const pollIds = await trx('comments')
    .where({ user_id: userId })
    .distinct()
    .orderBy('poll_id')
    .pluck<string[]>('poll_id');
  for (const pollId of pollIds) {
    await countComment(trx, pollId, 0);
    const written = trx('comments').where({ user_id: userId, poll_id: pollId });
    const shown = await written.clone().where({ hidden: false }).delete();
    await written.delete();
    await countComment(trx, pollId, -shown);
  }
}

function refuse(found: readonly FieldError[]): void {
  if (found.length > 0) throw errors.validationFailed(found);
}
