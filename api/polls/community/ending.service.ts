import { keepFigures } from '#api/members/badges/awards.service.ts';
import { record } from '#api/events/record.service.ts';
import { recordChanges } from '#api/publishing/changes.service.ts';
import { closeBallot, closeBallotsOf } from '#api/voting/ballots.service.ts';
import { deleteBallot } from '#api/voting/deletion.service.ts';
import type { CommunityPoll } from './community-polls.contract.ts';
import type { Actor } from '#api/events/events.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { Voter } from '#api/voting/voter.ts';
import { accessTo, authorize } from './access.service.ts';
import { CommunityPollModel } from './community-poll.model.ts';
import { communityPollFor } from './community-polls.service.ts';
import type { CommunityContext } from './community-polls.service.ts';

/** Closes the caller's own poll early and returns it with its results. Throws POLL_CLOSED when it is closed already. */
export async function closeCommunityPoll(
  context: CommunityContext,
  pollId: string,
  creator: Voter & { readonly userId: string },
): Promise<CommunityPoll> {
  const { db, clock } = context;
  const now = clock.now();
  const { may } = await accessTo({ db, now }, pollId, creator.userId);
  // FORBIDDEN for someone else's poll takes precedence over POLL_CLOSED.
  authorize(may.delete);
  if (!may.close) throw errors.pollClosed();
  await db.transaction(async (trx) => {
    if (!(await closeBallot(trx, pollId, now))) throw errors.pollClosed();
  });
  return communityPollFor(context, pollId, creator);
}

/** Deletes the caller's own poll with its votes, guests, and comments; its voters stay counted as participants. */
export async function deleteCommunityPoll(
  { db, clock }: CommunityContext,
  pollId: string,
  userId: string,
): Promise<void> {
  const { may } = await accessTo({ db, now: clock.now() }, pollId, userId);
  authorize(may.delete);
  await db.transaction(async (trx) => {
    if (!(await removePoll({ trx, clock }, pollId))) throw errors.pollNotFound();
  });
}

/**
 * Deletes a community poll with its votes, guests, and comments, whoever does; false when it doesn’t exist. The transaction
 * must not have read anything yet.
 */
export async function removePoll(
  { trx, clock }: { readonly trx: Database; readonly clock: Clock },
  pollId: string,
  { type, actor }: { readonly type: 'poll.removed' | 'demonstration.remove'; readonly actor?: Actor } = {
    type: 'poll.removed',
  },
): Promise<boolean> {
  const recordAll = async () => {
    await keepFigures(trx, pollId, clock.now());
    const poll = await CommunityPollModel.query(trx).findById(pollId);
    if (!poll) return;
    const listed = (poll.taken_down_from ?? poll.visibility) === 'public';
    await record(trx, {
      ...{ type, at: clock.now(), subject: { kind: 'community-poll', id: pollId } },
      ...(actor !== undefined && { actor }),
      poll: { kind: 'community', listed },
    });
  };
  return deleteBallot(trx, pollId, recordAll);
}

/**
 * Closes every open or upcoming poll of a member; all public ones name their creator, so their pages change. For the
 * transaction that deletes the account, before the account is deleted.
 */
export async function closePollsOf(trx: Database, userId: string, now: number): Promise<void> {
  const ids = new Set(await closeBallotsOf(trx, userId, now));
  const polls = await CommunityPollModel.query(trx).select('id').where({ created_by: userId, visibility: 'public' });
  const others = polls.filter(({ id }) => !ids.has(id)).map(({ id }) => ({ kind: 'community', key: id }) as const);
  await recordChanges(trx, now, others);
}

/** Ids of all community polls that these members created. */
export async function pollIdsOf(db: Database, userIds: readonly string[]): Promise<string[]> {
  const polls = await CommunityPollModel.query(db)
    .select('id')
    .whereIn('created_by', [...userIds])
    .orderBy('id');
  return polls.map(({ id }) => id);
}
