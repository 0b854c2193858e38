import { displayNameOf } from '#api/members/accounts/user.model.ts';
import type { PublicUser } from '#api/members/accounts/user.model.ts';
import type { BlockedMember } from './community-polls.contract.ts';
import { iso } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { communityApiTexts as texts } from '#texts/community.ts';
import { accessTo, authorize } from './access.service.ts';
import type { CommunityContext } from './community-polls.service.ts';

/** Members that one creator can block. */
const blockedMembers = 1_000;

/** Members who can’t comment on the caller’s polls, newest first. Throws what `accessTo` throws, and FORBIDDEN. */
export async function listBlocks(context: CommunityContext, pollId: string, userId: string): Promise<BlockedMember[]> {
  await authorizeCreator(context, pollId, userId);
  const rows = await context
    .db('member_blocks as b')
    .join('users as u', 'u.id', 'b.blocked_id')
    .where('b.blocker_id', userId)
    .orderBy([{ column: 'blocked_at', order: 'desc' }, 'u.id'])
    .select<(PublicUser & { blocked_at: number })[]>('u.id', 'username', 'first_name', 'last_name', 'blocked_at');
  return rows.map(({ blocked_at, ...user }) => ({
    userId: user.id,
    name: displayNameOf(user),
    username: user.username,
    blockedAt: iso(blocked_at),
  }));
}

/**
 * Blocks the author of a comment on the caller’s poll from commenting on any poll of the caller; again changes nothing.
 * Throws what `accessTo` throws, FORBIDDEN, COMMENT_NOT_FOUND, and CONFLICT for oneself.
 */
export async function blockAuthor(
  context: CommunityContext,
  pollId: string,
  userId: string,
  commentId: string,
): Promise<void> {
  const { db, clock } = context;
  await authorizeCreator(context, pollId, userId);
  await db.transaction(async (trx) => {
    const comment = await trx('comments').where({ id: commentId, poll_id: pollId }).first('user_id');
    if (!comment) throw errors.commentNotFound();
    const { user_id: blocked } = comment;
    if (blocked === userId) throw errors.conflict(texts.blockSelf);
    // Both accounts exist until the end of the transaction.
    const members = await trx('users').whereIn('id', [userId, blocked]).orderBy('id').forKeyShare().pluck('id');
    if (members.length < 2) throw errors.commentNotFound();
    const { count } = await trx('member_blocks')
      .where({ blocker_id: userId })
      .count({ count: '*' })
      .first<{ count: number | string }>();
    if (Number(count) >= blockedMembers) throw errors.conflict(texts.blocksFull(blockedMembers));
    await trx('member_blocks')
      .insert({ blocker_id: userId, blocked_id: blocked, blocked_at: clock.now() })
      .onConflict(['blocker_id', 'blocked_id'])
      .ignore();
  });
}

/** Lets a blocked member comment again. Throws what `accessTo` throws, FORBIDDEN, and NOT_FOUND. */
export async function unblock(
  context: CommunityContext,
  pollId: string,
  userId: string,
  blockedId: string,
): Promise<void> {
  await authorizeCreator(context, pollId, userId);
  const removed = await context.db('member_blocks').where({ blocker_id: userId, blocked_id: blockedId }).del();
  if (removed === 0) throw errors.notFound();
}

async function authorizeCreator({ db, clock }: CommunityContext, pollId: string, userId: string): Promise<void> {
  const { may } = await accessTo({ db, now: clock.now() }, pollId, userId);
  authorize(may.moderate);
}

/** Ids of the members whom a member blocked, with the time, for the export. */
export async function blocksOf(db: Database, userId: string): Promise<{ userId: string; blockedAt: string }[]> {
  const rows = await db('member_blocks')
    .where({ blocker_id: userId })
    .orderBy(['blocked_at', 'blocked_id'])
    .select('blocked_id', 'blocked_at');
  return rows.map(({ blocked_id, blocked_at }) => ({ userId: blocked_id, blockedAt: iso(blocked_at) }));
}
