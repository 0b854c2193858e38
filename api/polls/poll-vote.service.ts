import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { VotingIntake } from '#api/voting/intake.service.ts';
import type { VoterMarks } from '#api/voting/voting.service.ts';
import { CountedPolls } from './counted-poll.service.ts';

/** What became of a vote on a weekly poll: recorded, or the refusal that its voter is told. */
export type PollVoteAnswer =
  | { readonly recorded: true; /** The poll as JSON. */ readonly pollJson: string }
  | {
      readonly recorded: false;
      readonly refusal: Error;
      /** Cookie of an earlier vote. */ readonly cookie?: string | null;
    };

export type CastPollVote = (pollId: string, optionId: string, voter: VoterMarks) => Promise<PollVoteAnswer>;

/** The use case of voting on a weekly poll, over an intake that other kinds of ballots share. */
export function pollVoting(context: { db: Database; clock: Clock; intake: VotingIntake }): CastPollVote {
  const polls = new CountedPolls(context);
  return async (ballotId, optionId, voter) => {
    const outcome = await context.intake.cast({ ballotId, kind: 'poll', optionId, voter });
    switch (outcome.status) {
      case 'recorded':
        return { recorded: true, pollJson: await polls.presentJson(outcome.tally, outcome.userVote) };
      case 'already-voted': {
        const poll = await polls.present(outcome.tally, outcome.userVote);
        const refusal = errors.alreadyVoted({ userVote: outcome.userVote, poll });
        return { recorded: false, refusal, cookie: outcome.cookie };
      }
      case 'not-found':
        return { recorded: false, refusal: errors.pollNotFound() };
      case 'invalid-option':
        return { recorded: false, refusal: errors.invalidOption() };
      case 'closed':
        return { recorded: false, refusal: errors.pollClosed() };
      case 'not-started':
        return { recorded: false, refusal: errors.pollNotStarted() };
      case 'overloaded':
        return { recorded: false, refusal: errors.overloaded() };
    }
  };
}
