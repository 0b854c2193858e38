import type { CommunityPoll, VoteStatus } from '#contract/community-poll.ts';
import { errors } from '#platform/errors.ts';
import { TtlCache } from '#platform/read-cache.ts';
import type { Tally, VoteCounter } from '#api/voting/voting.service.ts';
import type { CastAnswer, IdentifiedVoter, Voter } from '#api/voting/voter.ts';
import type { VotingIntake } from '#api/voting/intake.service.ts';
import { recordedVotes, refusalOf, votePollsKept, voteTextsMs } from '#api/voting/voting.service.ts';
import { accessTo } from './access.service.ts';
import { presentCommunityPoll } from './community-poll.presenter.ts';
import type { PresentedPoll } from './community-poll.presenter.ts';
import { findCommunityPoll } from './community-polls.queries.ts';
import { guestsSeenBy } from './community-polls.service.ts';
import type { CommunityContext } from './community-polls.service.ts';

/** Records a vote; `counters` are the limits that the vote counts against. */
export type CastCommunityVote = (
  pollId: string,
  optionId: string,
  voter: IdentifiedVoter,
  counters: readonly VoteCounter[],
) => Promise<CastAnswer<CommunityPoll>>;

/**
 * Voting on a community poll, through the intake that all ballots share. The intake decides whether the poll is open, in
 * the statement that records the vote; whether the voter may see it is decided here, just before.
 */
export function communityVoting(context: CommunityContext & { readonly intake: VotingIntake }): CastCommunityVote {
  const { db, clock, intake } = context;
  const limits = { ms: voteTextsMs, maxEntries: votePollsKept };
  const polls = new TtlCache(async (id) => {
    const poll = await findCommunityPoll(db, id);
    if (!poll) throw errors.pollNotFound();
    return poll;
  }, limits);
  const seenBy = async (tally: Tally, userId: string | null, userVote: string) => {
    const poll = await polls.get(tally.ballotId);
    const guests = await guestsSeenBy(db, [poll], userId);
    return presentCommunityPoll(withTally(poll, tally), clock.now(), { userId, userVote, guests });
  };
  return async (pollId, optionId, voter, counters) => {
    const { visibility } = await polls.get(pollId);
    // Visibility never changes, and the intake knows whether the poll still exists; guests come and go.
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
function withTally(poll: PresentedPoll, tally: Tally): PresentedPoll {
  const { isActive, startsAt: starts_at, endsAt: ends_at, closedAt: closed_at } = tally;
  const votes = new Map(tally.options.map((option) => [option.id, option.votes]));
  const options = poll.ballot.options.map(({ option_id, text, ...option }) => ({
    option_id,
    text,
    votes: votes.get(option_id) ?? option.votes,
  }));
  return { ...poll, ballot: { is_active: isActive, starts_at, ends_at, closed_at, options } };
}

/** Whether this voter has voted on a poll, and for which option; throws what {@link accessTo} throws. */
export async function voteStatusFor(
  { db, clock }: CommunityContext,
  pollId: string,
  voter: Voter | null,
): Promise<VoteStatus> {
  await accessTo({ db, now: clock.now() }, pollId, voter?.userId ?? null);
  const optionId = (await recordedVotes(db, voter, [pollId])).get(pollId);
  return optionId === undefined ? { hasVoted: false } : { hasVoted: true, optionId };
}
