import { recordEvent } from '#api/badges/events.service.ts';
import { UserModel } from '#api/accounts/user.model.ts';
import { lockActiveMember } from '#api/accounts/suspension.service.ts';
import { recordOrigin } from '#api/origins/origins.service.ts';
import type { Creation } from '#api/origins/origins.service.ts';
import { notify } from '#api/notify/notify.service.ts';
import { accessTo, authorize } from '#api/community-polls/access.service.ts';
import { countComment } from '#api/community-polls/community-polls.service.ts';
import type { Comment } from '#contract/comment.ts';
import type { FieldError } from '#contract/error-codes.ts';
import type { UserExport } from '#contract/profile.ts';
import { commentLength, storableErrors } from '#domain/comment-text.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { beginWriting } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { recordKey } from '#platform/idempotency.ts';
import { communityApiTexts } from '#texts/community.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { CommentModel, commentIds, timeOfComment } from './comment.model.ts';
import { presentComment } from './comment.presenter.ts';
import { commentWithAuthor, commentsPage } from './comments.queries.ts';
import type { Cursor } from './comments.queries.ts';
import { lockConcerned, notifyOfRemoval } from './moderation.service.ts';

// The routes reach other features through this file.
export type { NetworkDigest } from '#api/origins/origins.service.ts';

/** What the use cases of comments need. */
export interface CommentsContext {
  readonly db: Database;
  readonly clock: Clock;
}

const newId = commentIds();

/** One page of a poll's comments, newest first; `before` is the id of the oldest comment that the reader has seen. */
export async function listComments(
  { db, clock }: CommentsContext,
  pollId: string,
  page: { limit: number; before: string | undefined },
  userId: string | null,
): Promise<Comment[]> {
  const { may } = await accessTo({ db, now: clock.now() }, pollId, userId);
  const rows = await commentsPage(db, pollId, {
    limit: page.limit,
    before: cursorAt(page.before),
    moderates: may.moderate,
  });
  return rows.map((row) => presentComment(row, { userId, moderates: may.moderate }));
}

function cursorAt(id: string | undefined): Cursor | null {
  if (id === undefined) return null;
  const createdAt = timeOfComment(id);
  if (createdAt === null)
    throw errors.validationFailed(fieldErrors([{ instancePath: '/before', keyword: 'pattern', params: {} }]));
  return { id, createdAt };
}

/** One comment of a poll as a member who may read the poll sees it. */
export async function commentFor(
  { db, clock }: CommentsContext,
  pollId: string,
  commentId: string,
  userId: string,
): Promise<Comment> {
  const { may } = await accessTo({ db, now: clock.now() }, pollId, userId);
  const comment = await commentWithAuthor(db, pollId, commentId);
  if (!comment) throw errors.commentNotFound();
  return presentComment(comment, { userId, moderates: may.moderate });
}

/** Posts a trimmed comment of valid length and counts it. Polls can be commented on after they have ended. */
export async function postComment(
  { db, clock }: CommentsContext,
  pollId: string,
  userId: string,
  content: string,
  { request = null, network = null }: Creation = {},
): Promise<Comment> {
  throwIfAny(storableErrors('content', content));
  return db.transaction(async (trx) => {
    await beginWriting(trx);
    const { poll, may, blocked } = await accessTo({ db: trx, now: clock.now() }, pollId, userId);
    if (!may.comment) throw errors.forbidden(blocked ? communityApiTexts.blocked : communityApiTexts.commentsOff);
    if (poll.createdBy !== null && poll.createdBy !== userId)
      await notify(trx, [poll.createdBy], { kind: 'comment', subject: pollId, pollId, at: clock.now() });
    const author = await lockActiveMember(trx, userId, clock.now());
    if (!(await countComment(trx, pollId, 1))) throw errors.pollNotFound();
    // Read after locking the poll: on one poll, comments commit in the order of their times.
    const now = clock.now();
    const comment = { id: newId(now), user_id: userId, content, created_at: now };
    await CommentModel.query(trx).insert({ ...comment, poll_id: pollId, updated_at: now });
    await recordKey(trx, request, comment.id, now);
    await recordOrigin(trx, { kind: 'comment', subject: comment.id, userId, network, at: now });
    const length = commentLength(content);
    await recordEvent(trx, userId, { type: 'comment_posted', at: now, commentId: comment.id, pollId, length });
    return presentComment({ ...comment, author }, { userId, moderates: may.moderate });
  });
}

/** Deletes a comment for its author or the poll’s creator. For everyone else a hidden comment doesn’t exist. */
export async function deleteComment(
  { db, clock }: CommentsContext,
  pollId: string,
  commentId: string,
  userId: string,
): Promise<void> {
  await db.transaction(async (trx) => {
    await beginWriting(trx);
    const { may } = await accessTo({ db: trx, now: clock.now() }, pollId, userId);
    const concerned = await lockConcerned(trx, commentId);
    await countComment(trx, pollId, 0);
    const comment = await CommentModel.query(trx).findOne({ id: commentId, poll_id: pollId });
    const allowed = may.moderate || comment?.user_id === userId;
    if (!comment || (comment.hidden && !allowed)) throw errors.commentNotFound();
    authorize(allowed);
    if (!comment.hidden && comment.user_id !== userId)
      await notifyOfRemoval(trx, comment, { reporters: concerned.filter((id) => id !== userId), at: clock.now() });
    await CommentModel.query(trx).deleteById(commentId);
    if (!comment.hidden) await countComment(trx, pollId, -1);
  });
}

/** Every comment of a member, including hidden ones, oldest first. */
export async function commentsOf(
  db: Database,
  userId: string,
): Promise<Omit<UserExport['comments'][number], 'question'>[]> {
  const comments = await CommentModel.query(db).where({ user_id: userId }).orderBy(['created_at', 'id']);
  return comments.map(({ id, poll_id: pollId, content, created_at }) => ({
    id,
    pollId,
    content,
    createdAt: iso(created_at),
  }));
}

/** Deletes all comments of a member, in the transaction that deletes the account. */
export async function deleteCommentsOf(trx: Database, userId: string): Promise<void> {
  // Locks the account, so that it can post no further comments.
  await UserModel.query(trx).findById(userId).select('id').forUpdate();
  const commented = await CommentModel.query(trx).where({ user_id: userId }).distinct('poll_id').orderBy('poll_id');
  for (const { poll_id: pollId } of commented) {
    await countComment(trx, pollId, 0);
    const visible = await CommentModel.query(trx).delete().where({ user_id: userId, poll_id: pollId, hidden: false });
    await CommentModel.query(trx).delete().where({ user_id: userId, poll_id: pollId });
    await countComment(trx, pollId, -visible);
  }
}

/** A comment of the demonstration data; the time in milliseconds. */
interface SeedComment {
  readonly pollId: string;
  readonly userId: string;
  readonly content: string;
  readonly createdAt: number;
}

/** Inserts comments and counts them. */
export async function seedComments(trx: Database, comments: readonly SeedComment[]): Promise<void> {
  for (const { pollId: poll_id, userId: user_id, content, createdAt: created_at } of comments) {
    await CommentModel.query(trx).insert({
      id: newId(created_at),
      poll_id,
      user_id,
      content,
      created_at,
      updated_at: created_at,
    });
    await countComment(trx, poll_id, 1);
  }
}

function throwIfAny(found: readonly FieldError[]): void {
  if (found.length > 0) throw errors.validationFailed(found);
}
