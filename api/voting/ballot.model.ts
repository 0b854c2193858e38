import { Model } from 'objection';
import { DecisionModel, IndependentVotesModel } from './decision.model.ts';
import type { BallotMethod, OptionOrder, Protection } from '#contract/vocabulary.ts';
import { protectionOf } from '#domain/protection.ts';
import { iso } from '#platform/clock.ts';
import type { Lifespan } from '#domain/poll-lifecycle.ts';

/**
 * A row of `ballots`: opening times and counters of a poll or a community poll, which has the same id. Other features only
 * read it. Vote intake and bulk import write SQL instead of models: one statement per table carries a whole batch of votes
 * or rows.
 */
export class BallotModel extends Model {
  static override tableName = 'ballots';
  static override jsonAttributes = ['protection_raises'];

  declare id: string;
  declare kind: 'poll' | 'community';
  declare is_active: boolean | 0 | 1;
  /** Anyone may find it in lists. */
  declare listed: boolean | 0 | 1;
  /** Counts toward the headline figures. */
  declare in_totals: boolean | 0 | 1;
  declare category: string | null;
  declare starts_at: number;
  /** Null only for community polls. */
  declare ends_at: number | null;
  declare closed_at: number | null;
  /** Votes that came with an import. */
  declare base_votes: number;
  /** When erasing networks, traits, and times of its votes began; decisions about them are final since then. */
  declare erased_at: number | null;
  /** Counted votes. */
  declare total_votes: number;
  /** Votes that are not counted, held ones included. */
  declare set_aside_votes: number;
  declare held_votes: number;
  /** How many options a vote chooses, and how they count; fixed by the first vote. */
  declare method: BallotMethod;
  declare min_choices: number;
  declare max_choices: number;
  /** Its ballots are published when it closes; fixed once it has opened. */
  declare publish_ballots: boolean | 0 | 1;
  declare option_order: Exclude<OptionOrder, 'auto'>;
  /** The rank of its level: what a vote needs. */
  declare protection: number;
  /** The raises since its first vote; null for none. */
  declare protection_raises: StoredRaise[] | null;
  /** How its result differs from its log; null if it doesn’t. */
  declare log_difference: string | null;
  declare options: BallotOptionModel[];
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
export class BallotOptionModel extends Model {
  static override tableName = 'ballot_options';
  static override idColumn = ['ballot_id', 'option_id'];

  declare ballot_id: string;
  declare option_id: string;
  declare position: number;
  /** Can be voted for. */
  declare offered: boolean | 0 | 1;
  declare text: string;
  declare base_votes: number;
  declare votes: number;
  // Of the votes received here, set aside or not, those of each circumstance.
  declare votes_after_results: number;
  declare votes_in_published_order: number;
  declare votes_embedded: number;
  declare votes_on_screen: number;
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
