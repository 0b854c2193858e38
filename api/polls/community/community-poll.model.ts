import { Model } from 'objection';
import { UserModel } from '#api/members/accounts/user.model.ts';
import { BallotModel } from '#api/voting/ballot.model.ts';
import type { RecordedEdit } from './community-polls.contract.ts';
import type { ResultVisibility, Visibility } from '#contract/vocabulary.ts';

/** Who took a poll down: a moderator, or the suspension of its creator. */
export type TakenDownBy = 'moderator' | 'suspension';

/** A row of `community_polls`: the texts of a community poll and who created it. Its times and counters are in `ballot`. */
export class CommunityPollModel extends Model {
  static override tableName = 'community_polls';
  static override jsonAttributes = ['tags'];

  declare id: string;
  declare question: string;
  declare description: string;
  declare visibility: Visibility;
  declare result_visibility: ResultVisibility;
  declare comments_open: boolean | 0 | 1;
  /** How often the texts were replaced before the first vote. */
  declare wording: number;
  /** Of the newest recorded edit. */
  declare edited_at: number | null;
  declare category: string | null;
  declare tags: string[];
  /** Meanwhile the visibility is private, so that no list, feed, or search has the poll. */
  declare taken_down_by: TakenDownBy | null;
  /** The visibility to restore. */
  declare taken_down_from: Visibility | null;
  declare featured: boolean | 0 | 1;
  /** Null: a former member. */
  declare created_by: string | null;
  declare created_at: number;
  declare updated_at: number;
  declare comment_count: number;
  declare ballot: BallotModel;
  declare creator?: UserModel | null;

  static override relationMappings = () => ({
    ballot: {
      relation: Model.BelongsToOneRelation,
      modelClass: BallotModel,
      join: { from: 'community_polls.id', to: 'ballots.id' },
    },
    creator: {
      relation: Model.BelongsToOneRelation,
      modelClass: UserModel,
      join: { from: 'community_polls.created_by', to: 'users.id' },
    },
  });
}

/** A row of `community_poll_edits`: what a creator changed after the first vote. */
export class EditModel extends Model {
  static override tableName = 'community_poll_edits';
  static override idColumn = 'key';
  static override jsonAttributes = ['changes'];

  declare key: number;
  declare poll_id: string;
  declare edited_at: number;
  declare changes: RecordedEdit['changes'];
}

/** A row of `community_poll_guests`: a member who may open a private poll. */
export class GuestModel extends Model {
  static override tableName = 'community_poll_guests';
  static override idColumn = ['poll_id', 'user_id'];

  declare poll_id: string;
  declare user_id: string;
  declare invited_at: number;
  /** When the guest first opened the poll. */
  declare accepted_at: number | null;
  declare user: UserModel;

  static override relationMappings = () => ({
    user: {
      relation: Model.BelongsToOneRelation,
      modelClass: UserModel,
      join: { from: 'community_poll_guests.user_id', to: 'users.id' },
    },
  });
}
