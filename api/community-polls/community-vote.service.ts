import type { CommunityPoll, VoteStatus } from '#contract/community-poll.ts';
import { errors } from '#platform/errors.ts';
import type { CastAnswer, Voter } from '#platform/voter.ts';
import type { VotingIntake } from '#api/voting/intake.service.ts';
import { recordedVotes, refusalOf } from '#api/voting/voting.service.ts';
import type { VoterMarks } from '#api/voting/voting.service.ts';
import { accessTo } from './access.service.ts';
import { presentCommunityPoll } from './community-poll.presenter.ts';
import { findCommunityPoll } from './community-polls.queries.ts';
import type { CommunityContext } from './community-polls.service.ts';

export type CastCommunityVote = (
  pollId: string,
  optionId: string,
  voter: VoterMarks,
) => Promise<CastAnswer<CommunityPoll>>;

/**
 * The use case of voting on a community poll, over the intake that all ballots share. The intake decides whether the
 * poll is open, in the statement that records the vote; who may see it is decided here, a moment before.
 */
export function communityVoting(context: CommunityContext & { readonly intake: VotingIntake }): CastCommunityVote {
  const { db, clock, intake } = context;
  const seenBy = async (pollId: string, userId: string | null, userVote: string) => {
    const poll = await findCommunityPoll(db, pollId);
    if (!poll) throw errors.pollNotFound();
    return presentCommunityPoll(poll, clock.now(), { userId, userVote });
  };
  return async (pollId, optionId, voter) => {
    await accessTo({ db, now: clock.now() }, pollId, voter.userId);
    const outcome = await intake.cast({ ballotId: pollId, kind: 'community', optionId, voter });
    if (outcome.status === 'recorded')
      return { recorded: true, answer: await seenBy(pollId, voter.userId, outcome.userVote) };
    if (outcome.status !== 'already-voted') return { recorded: false, refusal: refusalOf(outcome.status) };
    const { userVote, cookie } = outcome;
    const poll = await seenBy(pollId, voter.userId, userVote);
    return { recorded: false, refusal: errors.alreadyVoted({ userVote, poll }), cookie };
  };
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
