import type { CommunityPoll } from '#contract/community-poll.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { Voter } from '#api/voting/voter.ts';
import { communityApiTexts } from '#texts/community.ts';
import { recordBeforeDeletion } from '#api/badges/outbox.service.ts';
import { publishListMs, requestBuild, requestTakedown } from '#api/publishing/publishing.service.ts';
import { deleteBallot } from '#api/voting/voting.service.ts';
import { accessTo, demand } from './access.service.ts';
import { communityPollFor } from './community-polls.service.ts';
import type { CommunityContext } from './community-polls.service.ts';
import { closeBallot, closeBallotsOf, hasPublicPolls, pollsMadeBy } from './ending.queries.ts';

const { buildReasons } = communityApiTexts;

/** Closes an own poll before its end, and answers it with its results. Throws POLL_CLOSED when it is over already. */
export async function closeCommunityPoll(
  context: CommunityContext,
  pollId: string,
  creator: Voter & { readonly userId: string },
): Promise<CommunityPoll> {
  const { db, clock } = context;
  const now = clock.now();
  const { poll, may } = await accessTo({ db, now }, pollId, creator.userId);
  // That it is somebody else's comes first: whether it is over is another answer.
  demand(may.delete);
  if (!may.close) throw errors.pollClosed();
  await db.transaction(async (trx) => {
    if (!(await closeBallot(trx, pollId, now))) throw errors.pollClosed();
    if (poll.visibility === 'public') await requestBuild(trx, clock, buildReasons.closed, publishListMs);
  });
  return communityPollFor(context, pollId, creator);
}

/** Deletes an own poll with its votes, guests and comments; who voted stays a participant. */
export async function deleteCommunityPoll(
  { db, clock }: CommunityContext,
  pollId: string,
  userId: string,
): Promise<void> {
  const { poll, may } = await accessTo({ db, now: clock.now() }, pollId, userId);
  demand(may.delete);
  await db.transaction(async (trx) => {
    // What it earned people is kept before it goes.
    if (!(await deleteBallot(trx, pollId, () => recordBeforeDeletion({ trx, clock }, pollId))))
      throw errors.pollNotFound();
    // Members delete polls all day: a running build is not restarted for each.
    if (poll.visibility === 'public')
      await requestTakedown(trx, clock, [pollId], { reason: buildReasons.deleted, restart: false });
  });
}

/**
 * Closes every poll of a member that is not over yet, and returns whether lists show them as open; lists name no member.
 * To be called in the transaction that deletes the account, before the account goes.
 */
export async function closePollsOf(trx: Database, userId: string, now: number): Promise<boolean> {
  await closeBallotsOf(trx, userId, now);
  return hasPublicPolls(trx, userId);
}

/** Ids of all community polls of these members. */
export function pollIdsOf(db: Database, userIds: readonly string[]): Promise<string[]> {
  return pollsMadeBy(db, userIds);
}
