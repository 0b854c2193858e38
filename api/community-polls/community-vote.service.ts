import type { CommunityPoll, VoteStatus } from '#contract/community-poll.ts';
import { errors } from '#platform/errors.ts';
import { TtlCache } from '#platform/read-cache.ts';
import type { Tally, VoteCounter } from '#api/voting/voting.service.ts';
import type { CastAnswer, IdentifiedVoter, Voter } from '#api/voting/voter.ts';
import type { VotingIntake } from '#api/voting/intake.service.ts';
import { recordedVotes, refusalOf, votePollsKept, voteTextsMs } from '#api/voting/voting.service.ts';
import { accessTo } from './access.service.ts';
import { presentCommunityPoll } from './community-poll.presenter.ts';
import { findCommunityPoll } from './community-polls.queries.ts';
import type { CommunityPollRow } from './community-polls.queries.ts';
import { guestsSeenBy } from './community-polls.service.ts';
import type { CommunityContext } from './community-polls.service.ts';

/** `counters` are what the vote is counted against when it is recorded. */
export type CastCommunityVote = (
  pollId: string,
  optionId: string,
  voter: IdentifiedVoter,
  counters: readonly VoteCounter[],
) => Promise<CastAnswer<CommunityPoll>>;

/**
 * The use case of voting on a community poll, over the intake that all ballots share. The intake decides whether the
 * poll is open, in the statement that records the vote; who may see it is decided here, a moment before.
 */
export function communityVoting(context: CommunityContext & { readonly intake: VotingIntake }): CastCommunityVote {
  const { db, clock, intake } = context;
  const kept = { ms: voteTextsMs, maxEntries: votePollsKept };
  const polls = new TtlCache(async (id) => {
    const poll = await findCommunityPoll(db, id);
    if (!poll) throw errors.pollNotFound();
    return poll;
  }, kept);
  const seenBy = async (tally: Tally, userId: string | null, userVote: string) => {
    const poll = await polls.get(tally.ballotId);
    const guests = await guestsSeenBy(db, [poll], userId);
    return presentCommunityPoll(counted(poll, tally), clock.now(), { userId, userVote, guests });
  };
  return async (pollId, optionId, voter, counters) => {
    const { visibility } = await polls.get(pollId);
    // Visibility never changes, and the intake knows whether the poll is still there; guests come and go.
    if (visibility === 'private') await accessTo({ db, now: clock.now() }, pollId, voter.userId);
    const outcome = await intake.cast({ ballotId: pollId, kind: 'community', optionId, voter, counters });
    if (outcome.status === 'recorded')
      return { recorded: true, answer: await seenBy(outcome.tally, voter.userId, outcome.userVote) };
    if (outcome.status !== 'already-voted') return { recorded: false, refusal: refusalOf(outcome) };
    const { userVote, cookie, tally } = outcome;
    const poll = await seenBy(tally, voter.userId, userVote);
    return { recorded: false, refusal: errors.alreadyVoted({ userVote, poll }), cookie };
  };
}

/** The poll with the counts and the state of the commit that carried a vote. */
function counted(poll: CommunityPollRow, tally: Tally): CommunityPollRow {
  const { isActive: is_active, startsAt: starts_at, endsAt: ends_at, closedAt: closed_at } = tally;
  const votes = new Map(tally.options.map((option) => [option.id, option.votes]));
  const options = poll.options.map((option) => ({ ...option, votes: votes.get(option.option_id) ?? option.votes }));
  return { ...poll, is_active: is_active ? 1 : 0, starts_at, ends_at, closed_at, options };
}

/** Whether this voter has voted on a poll, and for what; throws what {@link accessTo} throws. */
export async function voteStatusFor(
  { db, clock }: CommunityContext,
  pollId: string,
  voter: Voter | null,
): Promise<VoteStatus> {
  await accessTo({ db, now: clock.now() }, pollId, voter?.userId ?? null);
  const optionId = (await recordedVotes(db, voter, [pollId])).get(pollId);
  return optionId === undefined ? { hasVoted: false } : { hasVoted: true, optionId };
}
