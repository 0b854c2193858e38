import { rowModel } from '#platform/row-model.ts';
import { Model } from 'objection';
import { DecisionModel, IndependentVotesModel } from './decision.model.ts';
import type { BallotMethod, Protection } from '#contract/vocabulary.ts';
import { protectionOf } from '#domain/protection.ts';
import { iso } from '#platform/clock.ts';
import type { Lifespan } from '#domain/poll-lifecycle.ts';

/**
 * A row of `ballots`: opening times and counters of a poll or a community poll, which has the same id. Other features only
 * read it. Vote intake and bulk import write SQL instead of models: one statement per table carries a whole batch of votes
 * or rows.
 */
export class BallotModel extends rowModel<
  'ballots',
  { method: BallotMethod; protection_raises: StoredRaise[] | null }
>() {
  static override tableName = 'ballots';
  static override jsonAttributes = ['protection_raises'];

  declare options: BallotOptionModel[];
  /** Of a community poll that was read with its options, which then are those that anyone may see: all written answers. */
  declare written?: ReadonlyMap<string, NonNullable<BallotOptionModel['written']>>;
  declare decisions: DecisionModel[];
  /** Absent unless votes were flagged. */
  declare independent?: IndependentVotesModel;

  static override relationMappings = () => ({
    options: {
      relation: Model.HasManyRelation,
      modelClass: BallotOptionModel,
      join: { from: 'ballots.id', to: 'ballot_options.ballot_id' },
      modify: (query: { orderBy(column: string): unknown }) => void query.orderBy('position'),
    },
    decisions: {
      relation: Model.HasManyRelation,
      modelClass: DecisionModel,
      join: { from: 'ballots.key', to: 'vote_decisions.ballot_key' },
      modify: (query: { orderBy(column: string): unknown }) => void query.orderBy('number'),
    },
    independent: {
      relation: Model.HasOneRelation,
      modelClass: IndependentVotesModel,
      join: { from: 'ballots.key', to: 'independent_votes.ballot_key' },
    },
  });
}

/** A raise of a ballot’s protection: to which level, when (milliseconds), and how many votes it had received. */
export interface StoredRaise {
  readonly level: Protection;
  readonly at: number;
  readonly votesBefore: number;
}

/** The members of a poll about its protection; `level` is that of its ballot where the poll has no other. */
export function presentProtection(
  { protection, protection_raises: raises }: Pick<BallotModel, 'protection' | 'protection_raises'>,
  level = protectionOf(protection),
) {
  return {
    ...(level !== 'browser' && { protection: level }),
    ...(raises !== null && { protectionRaises: raises.map(({ at, ...raise }) => ({ ...raise, at: iso(at) })) }),
  };
}

/** A row of `ballot_options`: one answer and its counter. */
export class BallotOptionModel extends rowModel<'ballot_options'>() {
  static override tableName = 'ballot_options';
  static override idColumn = ['ballot_id', 'option_id'];

  /** The ids of written answers whose votes it has, too; see {@link shownOptions}. */
  declare merged?: readonly string[];
}

/** Whether anyone may see an option: not a written answer that waits, was merged, or was rejected. */
export const isShown = ({ written }: Pick<BallotOptionModel, 'written'>): boolean =>
  written === null || written === 'approved';

/** What {@link shownOptions} needs of an option. */
type MergeableOption = Pick<BallotOptionModel, 'key' | 'option_id' | 'written' | 'merged_into'>;

/**
 * The options of a ballot that anyone may see: without written answers that wait or were rejected, and with the votes of merged
 * ones, whose ids are in `merged`. `counts` names the columns to add up.
 */
export function shownOptions<Column extends string, Option extends MergeableOption & Record<Column, number>>(
  options: readonly Option[],
  counts: readonly Column[],
): (Omit<Option, 'merged'> & { readonly merged: readonly string[] })[] {
  return options.filter(isShown).map((option) => {
    const merged = options.filter(({ merged_into: into }) => into === option.key);
    const sums = counts.map((column) => [
      column,
      [option, ...merged].reduce<number>((sum, one) => sum + one[column], 0),
    ]);
    return {
      ...option,
      ...(Object.fromEntries(sums) as Record<Column, number>),
      merged: merged.map((one) => one.option_id),
    };
  });
}

/** The member of a poll whose order of options varies. */
export const presentOrder = ({ option_order: optionOrder }: Pick<BallotModel, 'option_order'>) =>
  optionOrder === 'fixed' ? {} : { optionOrder };

/** The columns of a ballot that decide when it can be voted on. */
export type BallotTimes = Pick<BallotModel, 'is_active' | 'starts_at' | 'ends_at' | 'closed_at'>;

/** The lifespan of a ballot as the rules of the domain take it. */
export function lifespanOf({ is_active, starts_at, ends_at, closed_at }: BallotTimes): Lifespan {
  return { isActive: Boolean(is_active), startsAt: starts_at, endsAt: ends_at, closedAt: closed_at };
}
