import type { CommunityPoll } from '#contract/community-poll.ts';
import type { PollOption } from '#contract/poll.ts';
import type { PollFigures } from '#domain/vote-figures.ts';

/** What can be voted on in a poll of either kind, as this visitor may see it. */
export type BallotData = PollFigures &
  Pick<CommunityPoll, 'protection' | 'protectionRaises'> &
  Pick<CommunityPoll, 'id' | 'question' | 'options' | 'isActive' | 'closedAt' | 'hasVoted' | 'userVote'>;

/** The field of a ballot’s form with the id of the chosen option. */
export const optionField = 'optionId';

/** The choice is kept until the vote is recorded, so a failed vote can be retried. */
export type VoteState =
  | { readonly kind: 'upcoming' }
  | { readonly kind: 'unvoted'; readonly choice: string | null; readonly problem: string | null }
  /** `checking`: the browser is solving a challenge. */
  | { readonly kind: 'pending'; readonly choice: string; readonly checking: boolean }
  /** `fresh`: recorded while this page was open, so the bars animate. */
  | { readonly kind: 'voted'; readonly fresh: boolean }
  | { readonly kind: 'closed'; readonly fresh: boolean };

/** Whether the server says the poll is closed; the browser’s clock doesn’t count. */
export function isClosed(ballot: Pick<BallotData, 'isActive' | 'closedAt'>): boolean {
  return !ballot.isActive || ballot.closedAt !== null;
}

/** The options with counts; null while the server withholds any count. */
export function countedOptions({ options }: Pick<BallotData, 'options'>): readonly PollOption[] | null {
  const counted = options.flatMap(({ id, text, votes }) => (votes === null ? [] : [{ id, text, votes }]));
  return counted.length === options.length ? counted : null;
}
