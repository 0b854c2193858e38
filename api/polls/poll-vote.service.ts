import { phaseOf } from '#domain/poll-lifecycle.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { VoteCounter } from '#api/voting/voting.service.ts';
import type { CastAnswer, IdentifiedVoter } from '#api/voting/voter.ts';
import type { VotingIntake } from '#api/voting/intake.service.ts';
import { refusalOf } from '#api/voting/voting.service.ts';
import { CountedPolls } from './counted-poll.service.ts';

/** Answers the poll as JSON. `counters` are what the vote is counted against when it is recorded. */
export type CastPollVote = (
  pollId: string,
  optionId: string,
  voter: IdentifiedVoter,
  counters: readonly VoteCounter[],
) => Promise<CastAnswer<string>>;

/** The use case of voting on a weekly poll, over an intake that other kinds of ballots share. */
export function pollVoting(context: { db: Database; clock: Clock; intake: VotingIntake }): CastPollVote {
  const polls = new CountedPolls(context);
  return async (ballotId, optionId, voter, counters) => {
    const outcome = await context.intake.cast({ ballotId, kind: 'poll', optionId, voter, counters });
    if (outcome.status === 'recorded')
      return { recorded: true, answer: await polls.presentJson(outcome.tally, outcome.userVote) };
    // A poll that has not started does not exist for anybody, also not for those who voted before it was rescheduled.
    if (
      outcome.status === 'not-started' ||
      (outcome.status === 'already-voted' && phaseOf(outcome.tally, context.clock.now()) === 'upcoming')
    )
      return { recorded: false, refusal: errors.pollNotFound() };
    if (outcome.status !== 'already-voted') return { recorded: false, refusal: refusalOf(outcome) };
    const { userVote, cookie } = outcome;
    const poll = await polls.present(outcome.tally, userVote);
    return { recorded: false, refusal: errors.alreadyVoted({ userVote, poll }), cookie };
  };
}
