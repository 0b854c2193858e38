import { Model } from 'objection';
import type { Intervention } from '#contract/vote-figures.ts';

/** A row of `vote_decisions`, as far as results disclose it. */
export class DecisionModel extends Model {
  static override tableName = 'vote_decisions';
  static override idColumn = 'key';

  declare key: number;
  declare ballot_key: number;
  /** Counted per ballot, from 1. */
  declare number: number;
  declare action: Intervention['action'];
  declare state: Intervention['state'];
  declare reason: Intervention['reason'];
  declare votes: number;
  declare made_at: number;
  declare decided_at: number | null;
}

/** What the figures of a poll are made of: counters of its ballot, and the decisions about its votes by number. */
export interface DecidedBallot {
  /** Votes that are not counted, held ones included. */
  readonly set_aside_votes: number;
  readonly held_votes: number;
  readonly decisions: readonly Pick<DecisionModel, 'number' | 'action' | 'reason' | 'votes' | 'state'>[];
}

/** The members of a poll that `api/contract/vote-figures.ts` describes. */
export interface PresentedFigures {
  receivedVotes: number;
  setAsideVotes: number;
  heldVotes: number;
  interventions: Intervention[];
}

/** The figures of a poll with this many counted votes; null where there was never a decision about its votes. */
export function presentFigures(ballot: DecidedBallot, counted: number): PresentedFigures | null {
  const { set_aside_votes: notCounted, held_votes: heldVotes, decisions } = ballot;
  if (decisions.length === 0) return null;
  return {
    receivedVotes: counted + notCounted,
    setAsideVotes: notCounted - heldVotes,
    heldVotes,
    interventions: decisions.map(({ number, action, reason, votes, state }) => ({
      ...{ number, action, reason, votes, state },
    })),
  };
}
