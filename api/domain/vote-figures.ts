import type { IndependentVotes, Intervention } from '#api/voting/vote-figures.contract.ts';

/** The members of a poll that the figures are made of; see `api/contract/vote-figures.ts`. */
export interface PollFigures {
  /** Counted votes. */
  readonly totalVotes: number;
  readonly setAsideVotes?: number | undefined;
  readonly heldVotes?: number | undefined;
  readonly interventions?: readonly Intervention[] | undefined;
  readonly independent?: IndependentVotes | undefined;
}

/** What became of the votes of a poll: `received` is the sum of the other three. */
export interface VoteFigures {
  readonly receivedVotes: number;
  readonly countedVotes: number;
  readonly setAsideVotes: number;
  readonly heldVotes: number;
  /** Every decision about votes of the poll, also those that were taken back. */
  readonly interventions: readonly Intervention[];
}

/** The figures of a poll, whether or not it names those that are zero. */
export function figuresOf(poll: PollFigures): VoteFigures {
  const { totalVotes, setAsideVotes = 0, heldVotes = 0, interventions = [] } = poll;
  return {
    receivedVotes: totalVotes + setAsideVotes + heldVotes,
    countedVotes: totalVotes,
    setAsideVotes,
    heldVotes,
    interventions,
  };
}

/** Whether votes wait for a decision, so that no conclusion can be drawn from the counted ones. */
export function isProvisional({ heldVotes = 0 }: Pick<PollFigures, 'heldVotes'>): boolean {
  return heldVotes > 0;
}
