import { Model } from 'objection';

/** A row of `polls`: the texts of a weekly poll. Its votes and times are in {@link BallotModel}. */
export class PollModel extends Model {
  static override tableName = 'polls';
  static override jsonAttributes = ['tags', 'country_breakdown'];

  declare id: string;
  declare question: string;
  declare description: string;
  declare tags: string[];
  declare author: string | null;
  declare summary: string | null;
  declare analysis: string | null;
  declare methodology_notes: string | null;
  declare country_breakdown: { name: string; percentage: number }[];
  declare created_at: number;
  declare updated_at: number;
  declare ballot: BallotModel;

  static override relationMappings = () => ({
    ballot: {
      relation: Model.BelongsToOneRelation,
      modelClass: BallotModel,
      join: { from: 'polls.id', to: 'ballots.id' },
    },
  });
}

/** A row of `ballots`: opening times and counters of anything that can be voted on. */
export class BallotModel extends Model {
  static override tableName = 'ballots';

  declare id: string;
  declare kind: 'poll' | 'community';
  declare is_active: boolean | 0 | 1;
  declare category: string | null;
  declare starts_at: number;
  declare ends_at: number;
  declare closed_at: number | null;
  declare total_votes: number;
  declare options: BallotOptionModel[];

  static override relationMappings = () => ({
    options: {
      relation: Model.HasManyRelation,
      modelClass: BallotOptionModel,
      join: { from: 'ballots.id', to: 'ballot_options.ballot_id' },
      modify: (query: { orderBy(column: string): unknown }) => void query.orderBy('position'),
    },
  });
}

/** A row of `ballot_options`: one answer and its counter. */
export class BallotOptionModel extends Model {
  static override tableName = 'ballot_options';
  static override idColumn = ['ballot_id', 'option_id'];

  declare ballot_id: string;
  declare option_id: string;
  declare position: number;
  declare offered: boolean | 0 | 1;
  declare text: string;
  declare votes: number;
}
