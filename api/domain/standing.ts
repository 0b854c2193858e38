import type { PollOption } from '#api/polls/polls.contract.ts';
import { standingTexts as texts } from '#texts/after-vote.ts';
import { leadOf, percentWhole } from './poll-results.ts';
import type { Result } from './poll-results.ts';

type Standings = Result<Pick<PollOption, 'id' | 'votes'>>;

/** Whether the visitor’s vote, on the option with this id, is the only one, so that there is no result yet. */
export function isFirstVote({ options, totalVotes, heldVotes = 0 }: Standings, chosenId: string | null): boolean {
  return totalVotes === 1 && heldVotes === 0 && options.find(({ id }) => id === chosenId)?.votes === 1;
}

/**
 * How a voter’s answer is doing: “You’re with 28%; the leader is ahead by 6 points.” Points are the difference of the whole
 * percentages shown. Null if the vote is the first, is not counted, or votes are held.
 */
export function standingSentence(result: Standings, chosenId: string | null): string | null {
  const chosen = result.options.find(({ id }) => id === chosenId);
  const { leaders, runnerUp } = leadOf(result);
  const [leader] = leaders;
  if (chosen === undefined || chosen.votes === 0 || leader === undefined || isFirstVote(result, chosenId)) return null;
  const share = (votes: number) => percentWhole(votes, result.totalVotes);
  const points = (votes: number) => share(leader.votes) - share(votes);

  if (chosen.votes === result.totalVotes) return texts.everyone(result.totalVotes);
  if (leaders.includes(chosen))
    return leaders.length > 1
      ? texts.tied(share(chosen.votes), leaders.length)
      : texts.leading(share(chosen.votes), points(runnerUp?.votes ?? 0));
  const behind = texts.behind(points(chosen.votes), leaders.length);
  return chosen.votes === 1 ? texts.alone(behind) : texts.with(share(chosen.votes), behind);
}
