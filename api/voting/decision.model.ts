import { rowModel } from '#platform/row-model.ts';
import { circumstanceNames } from '#contract/vocabulary.ts';
import type { Circumstance } from '#contract/vocabulary.ts';
import type { IndependentVotes, Intervention, VotesApart } from './vote-figures.contract.ts';
import { writtenReason } from '#domain/integrity/reasons.ts';
import { circumstances } from '#domain/integrity/vote-traits.ts';
import type { CircumstanceColumn } from '#domain/integrity/vote-traits.ts';
import { iso } from '#platform/clock.ts';
import type { Row } from '#platform/database.ts';

/** A row of `vote_decisions`, as far as results disclose it. */
export class DecisionModel extends rowModel<'vote_decisions'>() {
  static override tableName = 'vote_decisions';
  static override idColumn = 'key';
}

/** A row of `independent_votes`, as far as results disclose it. */
export class IndependentVotesModel extends rowModel<
  'independent_votes',
  { votes: Readonly<Record<string, number>> }
>() {
  static override tableName = 'independent_votes';
  static override idColumn = 'ballot_key';
  static override jsonAttributes = ['votes'];
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
  const { set_aside_votes: notCounted, held_votes: heldVotes } = ballot;
  const decisions = withoutWaiting(ballot.decisions);
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

/**
 * Decisions with one in place of all that hold votes for written answers of a ballot: otherwise everybody could see how many
 * voters have written the same.
 */
function withoutWaiting(decisions: DecidedBallot['decisions']): DecidedBallot['decisions'] {
  const isWaiting = ({ reason, state }: (typeof decisions)[number]) => reason === writtenReason && state === 'held';
  const waiting = decisions.filter(isWaiting);
  const [first] = waiting;
  const votes = waiting.reduce((sum, decision) => sum + decision.votes, 0);
  return decisions.flatMap((decision) =>
    !isWaiting(decision) ? [decision] : decision === first ? [{ ...first, votes }] : [],
  );
}

/** How many votes were cast under each circumstance, where any were. */
export function presentVotesApart(
  options: readonly Readonly<Record<CircumstanceColumn, number>>[],
): { votesApart: VotesApart } | null {
  const counts = circumstanceNames.map((name): [Circumstance, number] => {
    const { column } = circumstances[name];
    return [name, options.reduce((sum, option) => sum + option[column], 0)];
  });
  const some = counts.filter(([, votes]) => votes > 0);
  return some.length === 0 ? null : { votesApart: Object.fromEntries(some) };
}

/**
 * The independent votes of a poll; null where no vote was flagged. The leaders are those of independent and imported votes
 * together, since imported ones have no networks.
 */
export function presentIndependent(
  independent: Pick<IndependentVotesModel, 'votes' | 'counted_at' | 'final'> | null | undefined,
  options: readonly (Pick<Row<'ballot_options'>, 'option_id' | 'base_votes'> & {
    readonly merged?: readonly string[];
  })[],
): { independent: IndependentVotes } | null {
  if (!independent) return null;
  const own = new Map(options.map(({ option_id: id, merged = [] }) => [id, [id, ...merged]]));
  const votesOf = (id: string) => own.get(id)!.reduce((sum, one) => sum + (independent.votes[one] ?? 0), 0);
  const withBase = options.map(({ option_id: id, base_votes: base }) => ({ id, votes: votesOf(id) + base }));
  const most = Math.max(0, ...withBase.map(({ votes }) => votes));
  return {
    independent: {
      votes: options.reduce((sum, { option_id: id }) => sum + votesOf(id), 0),
      options: options.map(({ option_id: id }) => ({ id, votes: votesOf(id) })),
      leaders: most === 0 ? [] : withBase.filter(({ votes }) => votes === most).map(({ id }) => id),
      asOf: iso(independent.counted_at),
      isFinal: Boolean(independent.final),
    },
  };
}
