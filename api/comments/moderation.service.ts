import { isSuspended, UserModel } from '#api/members/accounts/user.model.ts';
import { accessTo, authorize } from '#api/polls/community/access.service.ts';
import { countComment } from '#api/polls/community/community-polls.service.ts';
import type { CommentRemoval } from '#api/events/events.ts';
import { record } from '#api/events/record.service.ts';
import type { Clock } from '#platform/clock.ts';
import { errors } from '#platform/errors.ts';
import type { Database, Query } from '#platform/database.ts';
import { CommentModel } from './comment.model.ts';

/**
 * Hides a comment from everyone or shows it again, and updates the poll’s comment count; `unchanged` when it was in that
 * state already. What a moderator hides stays hidden when its author’s suspension ends, and `suspended` keeps a comment
 * hidden until then.
 */
export async function setCommentHidden(
  trx: Database,
  commentId: string,
  hidden: boolean,
  { suspended = false }: { readonly suspended?: boolean } = {},
): Promise<'changed' | 'unchanged' | 'missing'> {
  const comment = await CommentModel.query(trx).findById(commentId);
  if (!comment || !(await countComment(trx, comment.poll_id, 0))) return 'missing';
  // Read again now that the poll is locked.
  const locked = await CommentModel.query(trx).findById(commentId);
  if (!locked) return 'missing';
  const [wasHidden, bySuspension] = [Boolean(locked.hidden), Boolean(locked.hidden_by_suspension)];
  // What the creator of the poll hid stays hidden, and from now on only a moderator can show it.
  if (wasHidden && !bySuspension && hidden) {
    if (locked.hidden_by === 'operator') return 'unchanged';
    await CommentModel.query(trx).findById(commentId).patch({ hidden_by: 'operator' });
    return 'changed';
  }
  if ((wasHidden && !bySuspension) === hidden) return 'unchanged';
  const next = hidden || suspended;
  await CommentModel.query(trx)
    .findById(commentId)
    .patch({ hidden: next, hidden_by: next ? 'operator' : null, hidden_by_suspension: !hidden && suspended });
  if (next !== wasHidden) await countComment(trx, comment.poll_id, next ? -1 : 1);
  return 'changed';
}

/** Deletes a comment of a locked poll, whoever does, and updates the poll’s comment count; false when it is gone. */
export async function removeComment(
  trx: Database,
  { id, poll_id: pollId }: Pick<CommentModel, 'id' | 'poll_id'>,
): Promise<boolean> {
  const visible = await CommentModel.query(trx).delete().where({ id, hidden: false });
  const hidden = await CommentModel.query(trx).deleteById(id);
  await countComment(trx, pollId, -visible);
  return visible + hidden > 0;
}

/** Hides all visible comments of a member who is suspended, or shows those that the suspension hid. */
export async function setCommentsHidden(trx: Database, userId: string, hidden: boolean): Promise<void> {
  const found = () =>
    CommentModel.query(trx).where({
      user_id: userId,
      ...(hidden ? { hidden: false } : { hidden_by_suspension: true }),
    });
  for (const { poll_id: pollId } of await found().distinct('poll_id').orderBy('poll_id')) {
    await countComment(trx, pollId, 0);
    const changed = await found()
      .where({ poll_id: pollId })
      .patch({ hidden, hidden_by: hidden ? 'operator' : null, hidden_by_suspension: hidden });
    await countComment(trx, pollId, hidden ? -changed : changed);
  }
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
    const { may } = await accessTo({ db: trx, now: clock.now() }, pollId, userId);
    authorize(may.moderate);
    const concerned = await lockConcerned(trx, commentId);
    await countComment(trx, pollId, 0);
    const comment = await CommentModel.query(trx).findOne({ id: commentId, poll_id: pollId });
    if (!comment || comment.hidden_by === 'operator' || comment.hidden_by_suspension) throw errors.commentNotFound();
    if (Boolean(comment.hidden) === hidden) return;
    const author = await UserModel.query(trx).findById(comment.user_id);
    if (!hidden && author && isSuspended(author, clock.now())) {
      // Shown with the rest when the suspension ends.
      const change = { hidden: true, hidden_by: 'operator', hidden_by_suspension: true } as const;
      await CommentModel.query(trx).findById(commentId).patch(change);
      return;
    }
    await CommentModel.query(trx)
      .findById(commentId)
      .patch({ hidden, hidden_by: hidden ? 'creator' : null });
    await countComment(trx, pollId, hidden ? -1 : 1);
    if (comment.user_id !== userId)
      await recordRemoval(trx, hidden ? 'comment.hidden' : 'comment.shown', comment, {
        ...{ concerned, by: userId, at: clock.now() },
      });
  });
}

/** Ids of a comment’s author and reporters, who can’t delete their accounts until the transaction ends. */
export async function lockConcerned(trx: Database, commentId: string): Promise<string[]> {
  const author = trx('comments').where({ id: commentId }).select('user_id');
  const reporters: Query = trx('reports').where({ comment_id: commentId }).select('user_id');
  return trx('users').whereIn('id', author.union(reporters)).orderBy('id').forKeyShare().pluck('id');
}

/** Records what the creator of a poll did with another member’s comment, whose author and reporters are locked. */
export async function recordRemoval(
  trx: Database,
  type: CommentRemoval['type'],
  { id, poll_id: poll, user_id: author }: Pick<CommentModel, 'id' | 'poll_id' | 'user_id'>,
  { concerned, by, at }: { readonly concerned: readonly string[]; readonly by: string; readonly at: number },
): Promise<void> {
  const reporters = concerned.filter((member) => member !== author && member !== by);
  await record(trx, { type, at, subject: { kind: 'comment', id }, comment: { poll, author, reporters } });
}
