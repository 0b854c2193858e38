import { record } from '#api/events/record.service.ts';
import { UserModel } from '#api/members/accounts/user.model.ts';
import { lockActiveMember } from '#api/members/accounts/suspension.service.ts';
import { recordOrigin } from '#api/members/creation/creation.service.ts';
import type { Creation } from '#api/members/creation/creation.service.ts';
import { accessTo, authorize } from '#api/polls/community/access.service.ts';
import { countComment } from '#api/polls/community/community-polls.service.ts';
import type { Comment, NewComment } from './comments.contract.ts';
import type { FieldError } from '#contract/error-codes.ts';
import { badgeNumbers } from '#api/members/badges/badges.contract.ts';
import * as limits from '#contract/limits.ts';
import type { UserExport } from '#api/members/profile/profile.contract.ts';
import { commentLength, storableErrors } from '#domain/comment-text.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { recordKey } from '#platform/idempotency.ts';
import { communityApiTexts } from '#texts/community.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { CommentModel, commentIds, timeOfComment } from './comment.model.ts';
import { lockConcernedBy, mentionedIn } from './comment-notices.service.ts';
import { presentComment, presentThread } from './comment.presenter.ts';
import { commentWithAuthor, commentsPage, repliesPage, withReplies } from './comments.queries.ts';
import type { Cursor } from './comments.queries.ts';
import { lockConcerned, recordRemoval, removeComment } from './moderation.service.ts';

// The routes reach other features through this file.
export type { NetworkDigest } from '#api/members/creation/creation.service.ts';

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
  page: { limit: number; before?: string | undefined; replyTo?: string | undefined; after?: string | undefined },
  userId: string | null,
): Promise<Comment[]> {
  const now = clock.now();
  const { poll, may } = await accessTo({ db, now }, pollId, userId);
  const { limit, replyTo: commentId } = page;
  const moderates = may.moderate;
  const viewer = { userId, moderates, creator: poll.createdBy, now };
  const [before, after] = [cursorAt('before', page.before), cursorAt('after', page.after)];
  if (commentId === undefined)
    return (await commentsPage(db, pollId, { limit, before, moderates })).map((row) => presentThread(row, viewer));
  const replies = await repliesPage(db, { pollId, commentId }, { limit, after, moderates });
  return replies.map((row) => presentComment(row, viewer));
}

function cursorAt(parameter: 'before' | 'after', id: string | undefined): Cursor | null {
  if (id === undefined) return null;
  const createdAt = timeOfComment(id);
  if (createdAt === null)
    throw errors.validationFailed(fieldErrors([{ instancePath: `/${parameter}`, keyword: 'pattern', params: {} }]));
  return { id, createdAt };
}

/** A comment with its first replies; for a reply, the comment it answers with only this reply. Throws COMMENT_NOT_FOUND. */
export async function readThread(
  { db, clock }: CommentsContext,
  pollId: string,
  commentId: string,
  userId: string | null,
): Promise<Comment> {
  const now = clock.now();
  const { poll, may } = await accessTo({ db, now }, pollId, userId);
  const moderates = may.moderate;
  const viewer = { userId, moderates, creator: poll.createdBy, now };
  const linked = await commentWithAuthor(db, pollId, commentId);
  if (!linked) throw errors.commentNotFound();
  const isSeen = !linked.hidden || (moderates && linked.hidden_by === 'creator');
  const parent = linked.reply_to === null ? linked : await commentWithAuthor(db, pollId, linked.reply_to);
  const [thread] = parent ? await withReplies(db, [parent], moderates) : [];
  if (!isSeen || !thread) throw errors.commentNotFound();
  return presentThread(parent === linked ? thread : { ...thread, replies: [linked] }, viewer);
}

/** One comment of a poll as a member who may read the poll sees it. */
export async function commentFor(
  { db, clock }: CommentsContext,
  pollId: string,
  commentId: string,
  userId: string,
): Promise<Comment> {
  const now = clock.now();
  const { poll, may } = await accessTo({ db, now }, pollId, userId);
  const comment = await commentWithAuthor(db, pollId, commentId);
  if (!comment) throw errors.commentNotFound();
  return presentComment(comment, { userId, moderates: may.moderate, creator: poll.createdBy, now });
}

/**
 * Posts a trimmed comment of valid length and counts it, and notifies those whom it concerns. A reply to a reply joins the
 * replies to the first comment. Polls can be commented on after they have ended. Throws COMMENT_NOT_FOUND if what it answers
 * is gone.
 */
export async function postComment(
  { db, clock }: CommentsContext,
  pollId: string,
  userId: string,
  { content, replyTo }: NewComment,
  { request = null, network = null }: Creation = {},
): Promise<Comment> {
  throwIfAny(storableErrors('content', content));
  return db.transaction(async (trx) => {
    const { poll, may, blocked } = await accessTo({ db: trx, now: clock.now() }, pollId, userId);
    if (!may.comment) throw errors.forbidden(blocked ? communityApiTexts.blocked : communityApiTexts.commentsOff);
    const answered = await answeredComment(trx, pollId, replyTo);
    const { createdBy } = poll;
    const isPrivate = poll.visibility === 'private';
    const concerned = await lockConcernedBy(trx, {
      ...{ pollId, createdBy, isPrivate, userId, content },
      answers: answered?.user_id,
    });
    const author = await lockActiveMember(trx, userId, clock.now());
    if (!(await countComment(trx, pollId, 1))) throw errors.pollNotFound();
    // Read after locking the poll: on one poll, comments commit in the order of their times.
    const now = clock.now();
    // What it answers may have been deleted or hidden meanwhile, or become a comment of its own.
    const parent = await answeredComment(trx, pollId, replyTo);
    const reply_to = parent ? (parent.reply_to ?? parent.id) : null;
    const comment = { id: newId(now), user_id: userId, content, created_at: now, reply_to, edited_at: null };
    await CommentModel.query(trx).insert({ ...comment, poll_id: pollId, updated_at: now });
    await recordKey(trx, request, comment.id, now);
    await recordOrigin(trx, { kind: 'comment', subject: comment.id, userId, network, at: now });
    await record(trx, {
      ...{ type: 'comment.posted', at: now, member: userId, subject: { kind: 'comment', id: comment.id } },
      after: { poll: pollId, full: commentLength(content) >= badgeNumbers.longComment },
      concerned,
    });
    return presentComment({ ...comment, author }, { userId, moderates: may.moderate, creator: createdBy, now });
  });
}

/** The visible comment that a new one answers; undefined for none. Throws COMMENT_NOT_FOUND. */
async function answeredComment(
  trx: Database,
  pollId: string,
  id: string | undefined,
): Promise<CommentModel | undefined> {
  if (id === undefined) return undefined;
  const comment = await CommentModel.query(trx).findOne({ id, poll_id: pollId, hidden: false });
  if (!comment) throw errors.commentNotFound();
  return comment;
}

/**
 * Changes a comment to a trimmed text of valid length for its author, within ten minutes of posting it, and notifies those
 * whom only the new text mentions. The same text again changes nothing. Throws FORBIDDEN, also later, and COMMENT_NOT_FOUND.
 */
export async function editComment(
  { db, clock }: CommentsContext,
  { pollId, commentId, userId }: { readonly pollId: string; readonly commentId: string; readonly userId: string },
  content: string,
): Promise<Comment> {
  throwIfAny(storableErrors('content', content));
  return db.transaction(async (trx) => {
    const now = clock.now();
    const { poll, may, blocked } = await accessTo({ db: trx, now }, pollId, userId);
    const before = await commentWithAuthor(trx, pollId, commentId);
    if (!before || before.hidden) throw errors.commentNotFound();
    authorize(before.user_id === userId);
    if (!may.comment) throw errors.forbidden(blocked ? communityApiTexts.blocked : communityApiTexts.commentsOff);
    if (now >= before.created_at + limits.commentEditMs) throw errors.forbidden(communityApiTexts.editedTooLate);
    const viewer = { userId, moderates: may.moderate, creator: poll.createdBy, now };
    if (before.content === content) return presentComment(before, viewer);
    await lockActiveMember(trx, userId, now);
    const isPrivate = poll.visibility === 'private';
    const { mentioned } = await lockConcernedBy(trx, { pollId, createdBy: poll.createdBy, isPrivate, userId, content });
    const known = await mentionedIn(trx, before.content);
    const change = { content, edited_at: now, updated_at: now };
    const changed = await CommentModel.query(trx).where({ id: commentId, hidden: false }).patch(change);
    if (changed === 0) throw errors.commentNotFound();
    // The creator and the member it answers were told when it was posted.
    const told = await trx('notifications')
      .where({ kind: 'reply', subject: commentId })
      .whereIn('user_id', mentioned)
      .pluck('user_id');
    const already = new Set([...known, poll.createdBy, ...told]);
    const fresh = mentioned.filter((id) => !already.has(id));
    await record(trx, {
      ...{ type: 'comment.edited', at: now, subject: { kind: 'comment', id: commentId }, after: { poll: pollId } },
      concerned: { answered: [], mentioned: fresh, creator: [] },
    });
    return presentComment({ ...before, ...change }, viewer);
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
    const { may } = await accessTo({ db: trx, now: clock.now() }, pollId, userId);
    const concerned = await lockConcerned(trx, commentId);
    await countComment(trx, pollId, 0);
    const comment = await CommentModel.query(trx).findOne({ id: commentId, poll_id: pollId });
    const allowed = may.moderate || comment?.user_id === userId;
    if (!comment || (comment.hidden && !allowed)) throw errors.commentNotFound();
    authorize(allowed);
    if (!comment.hidden && comment.user_id !== userId)
      await recordRemoval(trx, 'comment.removed', comment, { concerned, by: userId, at: clock.now() });
    await removeComment(trx, comment);
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
