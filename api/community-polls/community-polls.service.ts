import { recordFeatured } from '#api/badges/events.service.ts';
import { requestBuild } from '#api/publishing/publishing.service.ts';
import { recordedVotes } from '#api/voting/voting.service.ts';
import type { CommunityPoll } from '#contract/community-poll.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { Voter } from '#api/voting/voter.ts';
import { communityApiTexts } from '#texts/community.ts';
import { accessTo } from './access.service.ts';
import { CommunityPollModel } from './community-poll.model.ts';
import { presentCommunityPoll } from './community-poll.presenter.ts';
import {
  countPollsOf,
  featuredPolls,
  findCommunityPoll,
  pollsOf,
  publicPollMoments,
  publicPolls,
} from './community-polls.queries.ts';
import type { CommunityPollRow, ListPage } from './community-polls.queries.ts';
import { guestIdsOf, noteOpened } from './invites.queries.ts';

/** Public community polls in the sitemap, newest first. */
const sitemapCommunityPolls = 50_000;

/** What the use cases of this room stand on. */
export interface CommunityContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** One page of public polls, newest first, as the voter sees them; null: nobody in particular. */
export async function publicListPage(
  context: CommunityContext,
  page: ListPage,
  voter: Voter | null,
): Promise<CommunityPoll[]> {
  return presentAll(context, await publicPolls(context.db, page), voter);
}

/** The public polls that the operator features, newest first. */
export async function featuredList(context: CommunityContext, voter: Voter | null): Promise<CommunityPoll[]> {
  return presentAll(context, await featuredPolls(context.db), voter);
}

/** The public polls that search engines may be told of, and when each last changed (ISO 8601). */
export async function publicPollAddresses(db: Database): Promise<{ id: string; changedAt: string }[]> {
  const polls = await publicPollMoments(db, sitemapCommunityPolls);
  return polls.map(({ id, created_at, closed_at }) => ({
    id,
    changedAt: iso(Math.max(created_at, closed_at ?? 0)),
  }));
}

/** One page of what a member made, of every visibility, newest first, for nobody but this member. */
export async function createdPolls(
  context: CommunityContext,
  member: Pick<Voter, 'fingerprint' | 'cookie'> & { readonly userId: string },
  page: ListPage,
): Promise<CommunityPoll[]> {
  return presentAll(context, await pollsOf(context.db, member.userId, page), member);
}

/** How many polls a member made. */
export async function createdPollsCount(db: Database, userId: string): Promise<number> {
  return countPollsOf(db, userId);
}

/** One community poll as the voter may see it; throws what {@link accessTo} throws. A guest's first look is noted. */
export async function communityPollFor(
  context: CommunityContext,
  pollId: string,
  voter: Voter | null,
): Promise<CommunityPoll> {
  const { db, clock } = context;
  const now = clock.now();
  const userId = voter?.userId ?? null;
  const { awaitsGuest } = await accessTo({ db, now }, pollId, userId);
  if (awaitsGuest && userId !== null) await noteOpened(db, { pollId, userId, now });
  const [poll, recorded] = await Promise.all([findCommunityPoll(db, pollId), recordedVotes(db, voter, [pollId])]);
  if (!poll) throw errors.pollNotFound();
  const guests = await guestsSeenBy(db, [poll], userId);
  return presentCommunityPoll(poll, now, { userId, userVote: recorded.get(pollId) ?? null, guests });
}

async function presentAll(
  { db, clock }: CommunityContext,
  polls: readonly CommunityPollRow[],
  voter: Voter | null,
): Promise<CommunityPoll[]> {
  const now = clock.now();
  const recorded = await recordedVotes(
    db,
    voter,
    polls.map(({ id }) => id),
  );
  const userId = voter?.userId ?? null;
  const guests = await guestsSeenBy(db, polls, userId);
  return polls.map((poll) =>
    presentCommunityPoll(poll, now, { userId, userVote: recorded.get(poll.id) ?? null, guests }),
  );
}

/** Ids of the guests of those polls that this member created, by poll. Only private polls have guests. */
export async function guestsSeenBy(
  db: Database,
  polls: readonly CommunityPollRow[],
  userId: string | null,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const own = polls.filter(
    ({ visibility, created_by }) => visibility === 'private' && userId !== null && created_by === userId,
  );
  return own.length === 0
    ? new Map()
    : guestIdsOf(
        db,
        own.map(({ id }) => id),
      );
}

/**
 * Changes the number of comments that a community poll shows, in the transaction that changes the comments. 0 holds
 * the poll and its comments as they are until the transaction ends: whoever changes comments that are there asks for
 * that first, so that rows are taken in one order. False: there is no such poll.
 */
export async function countComment(trx: Database, pollId: string, delta: number): Promise<boolean> {
  const counted = await trx('community_polls').where({ id: pollId }).increment('comment_count', delta);
  return counted > 0;
}

/** Features a public poll or takes it back, for the operator; the list's page is built again. */
export async function setFeatured(
  { db, clock }: CommunityContext,
  pollId: string,
  featured: boolean,
): Promise<'done' | 'not-found' | 'not-public'> {
  return db.transaction(async (trx) => {
    // The fact comes first: whoever deletes an account takes the account before its polls, too.
    if (featured) await recordFeatured(trx, pollId, clock.now());
    const changed = await CommunityPollModel.query(trx)
      .where({ id: pollId, visibility: 'public' })
      .patch({ featured, updated_at: clock.now() });
    if (changed === 0) return (await CommunityPollModel.query(trx).findById(pollId)) ? 'not-public' : 'not-found';
    await requestBuild(trx, clock, communityApiTexts.buildReasons.featured);
    return 'done';
  });
}
