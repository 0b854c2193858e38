import { hash } from 'node:crypto';
import { record } from '#api/events/record.service.ts';
import type { Actor } from '#api/events/events.ts';
import { raw } from 'objection';
import { runoffOf } from '#api/voting/runoffs.service.ts';
import { optionsAfter, recordedVotes, votedBallots } from '#api/voting/voting.service.ts';
import type { CommunityPoll } from './community-polls.contract.ts';
import type { CommunitySort } from '#contract/vocabulary.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { Voter } from '#api/voting/voter.ts';
import { accessTo } from './access.service.ts';
import { CommunityPollModel, GuestModel } from './community-poll.model.ts';
import { presentCommunityPoll } from './community-poll.presenter.ts';
import type { PresentedPoll } from './community-poll.presenter.ts';
import {
  countListed,
  featuredPolls,
  findCommunityPoll,
  guestIdsOf,
  listedPolls,
  publicPollTimesOf,
} from './community-polls.queries.ts';
import type { ListFilter, ListPage } from './community-polls.queries.ts';

/** What the use cases of community polls need. */
export interface CommunityContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** One page of public polls, newest first, as an anonymous reader sees them. */
export async function publicListPage(context: CommunityContext, page: ListPage): Promise<CommunityPoll[]> {
  return presentAll(context, await listedPolls(context.db, { of: { visibility: 'public' } }, page), null);
}

/** One page of a list as the voter sees it. Polls without an end, or that have ended, are not ending soon. */
export async function listPage(
  context: CommunityContext,
  filter: ListFilter,
  page: ListPage,
  sort: CommunitySort | undefined,
  voter: Voter | null,
): Promise<CommunityPoll[]> {
  const polls = await listedPolls(context.db, narrowed(context, filter, sort, voter), page, sort);
  return presentAll(context, polls, voter);
}

/** How many polls {@link listPage} has on all pages. */
export async function listCount(
  context: CommunityContext,
  filter: ListFilter,
  sort: CommunitySort | undefined,
  voter: Voter | null,
): Promise<number> {
  return countListed(context.db, narrowed(context, filter, sort, voter));
}

function narrowed(
  { db, clock }: CommunityContext,
  filter: ListFilter,
  sort: CommunitySort | undefined,
  voter: Voter | null,
): ListFilter {
  return {
    ...filter,
    ...(filter.state === 'unvoted' && { voted: votedBallots(db, voter) }),
    ...(sort === 'ending-soon' && { endsAfter: clock.now() }),
  };
}

/** The public polls that the operator features, newest first. */
export async function featuredList(context: CommunityContext, voter: Voter | null): Promise<CommunityPoll[]> {
  return presentAll(context, await featuredPolls(context.db), voter);
}

/** Public polls of one part of the list, oldest first: ids, and when each page last changed (ISO 8601). */
export async function publicPollChanges(db: Database, part: ListPage): Promise<{ id: string; changedAt: string }[]> {
  const polls = await publicPollTimesOf(db, part);
  return polls.map(({ id, created_at, closed_at }) => ({ id, changedAt: iso(Math.max(created_at, closed_at ?? 0)) }));
}

/** How many public polls there are. */
export async function publicPollCount(db: Database): Promise<number> {
  return countListed(db, { of: { visibility: 'public' } });
}

/** One page of the polls that a member created, of every visibility, newest first; for this member only. */
export async function createdPolls(
  context: CommunityContext,
  member: Pick<Voter, 'device' | 'cookie'> & { readonly userId: string },
  page: ListPage,
): Promise<CommunityPoll[]> {
  return presentAll(context, await listedPolls(context.db, { of: { createdBy: member.userId } }, page), member);
}

/** How many polls a member created. */
export async function createdPollsCount(db: Database, userId: string): Promise<number> {
  return CommunityPollModel.query(db).where({ created_by: userId }).resultSize();
}

/** One community poll as the voter may see it; records a guest's first visit. Throws what {@link accessTo} throws. */
export async function communityPollFor(
  context: CommunityContext,
  pollId: string,
  voter: Voter | null,
): Promise<CommunityPoll> {
  const { db, clock } = context;
  const now = clock.now();
  const userId = voter?.userId ?? null;
  const { isFirstVisit } = await accessTo({ db, now }, pollId, userId);
  if (isFirstVisit && userId !== null) await recordFirstVisit(db, pollId, userId, now);
  const [poll, recorded] = await Promise.all([findCommunityPoll(db, pollId), recordedVotes(db, voter, [pollId])]);
  if (!poll) throw errors.pollNotFound();
  const guests = await guestsSeenBy(db, [poll], userId);
  const missed = recorded.has(pollId) ? await optionsAfter(db, voter, poll.ballot) : [];
  const presented = presentCommunityPoll(poll, now, { userId, ...viewed(recorded.get(pollId)), missed, guests });
  return withRunoff(db, poll.ballot, presented, now);
}

/** The poll with its rounds, if its votes rank options, and this viewer sees the counts; see `runoffOf` for when there are some. */
export async function withRunoff(
  db: Database,
  ballot: PresentedPoll['ballot'],
  presented: CommunityPoll,
  now: number,
): Promise<CommunityPoll> {
  const isShown = presented.options.every(({ votes }) => votes !== null);
  const runoff = isShown ? await runoffOf(db, ballot, now) : null;
  return runoff === null ? presented : { ...presented, runoff: runoff as NonNullable<CommunityPoll['runoff']> };
}

/** Records that a guest followed an invitation, for the guest and for the host. */
async function recordFirstVisit(db: Database, pollId: string, userId: string, at: number): Promise<void> {
  await db.transaction(async (trx) => {
    const poll = await CommunityPollModel.query(trx).findById(pollId).select('created_by');
    const members = [userId, poll?.created_by].filter((id) => id != null);
    // Deleting an account locks it before its invitations, too.
    await trx('users').whereIn('id', members).orderBy('id').forKeyShare().select('id');
    const visits = GuestModel.query(trx).findById([pollId, userId]).whereNull('accepted_at');
    if ((await visits.patch({ accepted_at: at })) === 0) return;
    // A digest recognizes the same guest, but tells nobody who it was.
    const accepted = `${pollId}/${hash('sha256', `${pollId}/${userId}`, 'base64url')}`;
    await record(
      trx,
      members.map((member) => ({
        ...({ type: member === userId ? 'invitation.followed' : 'invitation.accepted', at, member } as const),
        subject: { kind: 'community-poll', id: member === userId ? pollId : accepted },
      })),
    );
  });
}

async function presentAll(
  { db, clock }: CommunityContext,
  polls: readonly CommunityPollModel[],
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
  return polls.map((poll) => presentCommunityPoll(poll, now, { userId, ...viewed(recorded.get(poll.id)), guests }));
}

const viewed = ([userVote, ...further]: readonly string[] = []) => ({ userVote: userVote ?? null, further });

/** Guest ids of the private polls that this member created, by poll. */
export async function guestsSeenBy(
  db: Database,
  polls: readonly Pick<CommunityPollModel, 'id' | 'visibility' | 'created_by'>[],
  userId: string | null,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const own = polls.filter(
    ({ visibility, created_by }) => visibility === 'private' && userId !== null && created_by === userId,
  );
  if (own.length === 0) return new Map();
  return guestIdsOf(
    db,
    own.map(({ id }) => id),
  );
}

/**
 * Changes the comment count of a community poll, in the transaction that changes the comments. A delta of 0 only locks
 * the poll: call it before changing existing comments, so that rows are locked in one order. False: no such poll.
 */
export async function countComment(trx: Database, pollId: string, delta: number): Promise<boolean> {
  const poll = CommunityPollModel.query(trx).findById(pollId);
  // PostgreSQL checks the references of a row that is updated twice, which waits for those who lock the ballot before the poll.
  if (delta === 0 && !isSqlite(trx)) return (await poll.forNoKeyUpdate().select('id')) !== undefined;
  return (await poll.patch({ comment_count: raw('comment_count + ?', [delta]) })) > 0;
}

/** Features a public poll or stops featuring it, for the operator; nothing follows if it was so already. */
export async function setFeatured(
  { db, clock }: CommunityContext,
  pollId: string,
  featured: boolean,
  actor: Actor = 'terminal',
): Promise<'done' | 'not-found' | 'not-public'> {
  return db.transaction(async (trx) => {
    const before = await CommunityPollModel.query(trx).findById(pollId).select('featured', 'visibility', 'created_by');
    if (!before) return 'not-found';
    if (before.visibility !== 'public') return 'not-public';
    const at = clock.now();
    const was = { featured: !featured };
    // The event comes first: deleting an account locks the account before its polls, too.
    if (featured && !before.featured && before.created_by !== null) {
      const subject = { kind: 'community-poll', id: pollId };
      await record(trx, { type: 'poll.featured', at, member: before.created_by, subject });
    }
    const changed = await CommunityPollModel.query(trx)
      .where({ id: pollId, visibility: 'public', ...was })
      .patch({ featured, updated_at: at });
    if (changed === 0) return 'done';
    await record(trx, {
      ...{ at, actor, type: 'poll.feature', subject: { kind: 'community-poll', id: pollId } },
      ...{ before: was, after: { featured }, poll: { kind: 'community', listed: true } },
      publish: { event: featured ? 'featured' : 'unfeatured' },
    });
    return 'done';
  });
}
