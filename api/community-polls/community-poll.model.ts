import { Model } from 'objection';
import type { Visibility } from '#contract/vocabulary.ts';

/** A row of `community_polls`: the texts of a community poll and who made it. Its votes and times are in {@link CommunityBallotModel}. */
export class CommunityPollModel extends Model {
  static override tableName = 'community_polls';

  declare id: string;
  declare question: string;
  declare description: string;
  declare visibility: Visibility;
  declare category: string | null;
  declare featured: boolean | 0 | 1;
  /** Null: a former member. */
  declare created_by: string | null;
  declare created_at: number;
  declare updated_at: number;
  declare comment_count: number;
}

/** The row of `ballots` that a community poll shares its id with. */
export class CommunityBallotModel extends Model {
  static override tableName = 'ballots';

  declare id: string;
  declare kind: 'community';
  declare is_active: boolean | 0 | 1;
  /** Anyone may find it: public polls only. */
  declare listed: boolean | 0 | 1;
  declare in_totals: boolean | 0 | 1;
  declare category: string | null;
  declare starts_at: number;
  declare ends_at: number | null;
  declare closed_at: number | null;
  declare total_votes: number;
  declare options: CommunityOptionModel[];

  static override relationMappings = () => ({
    options: {
      relation: Model.HasManyRelation,
      modelClass: CommunityOptionModel,
      join: { from: 'ballots.id', to: 'ballot_options.ballot_id' },
    },
  });
}

/** A row of `ballot_options`: one answer. All of a community poll's are offered. */
export class CommunityOptionModel extends Model {
  static override tableName = 'ballot_options';
  static override idColumn = ['ballot_id', 'option_id'];

  declare ballot_id: string;
  declare option_id: string;
  declare position: number;
  declare text: string;
  declare votes: number;
}

/** A row of `community_poll_guests`: somebody who may open a private poll. */
export class GuestModel extends Model {
  static override tableName = 'community_poll_guests';
  static override idColumn = ['poll_id', 'user_id'];

  declare poll_id: string;
  declare user_id: string;
  declare invited_at: number;
  /** When the guest first opened the poll. */
  declare accepted_at: number | null;
}
