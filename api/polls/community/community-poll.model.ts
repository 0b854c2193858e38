import { rowModel } from '#platform/row-model.ts';
import { Model } from 'objection';
import { UserModel } from '#api/members/accounts/user.model.ts';
import { BallotModel } from '#api/voting/ballot.model.ts';
import type { RecordedEdit } from './community-polls.contract.ts';
import type { Visibility } from '#contract/vocabulary.ts';

/** Who took a poll down: a moderator, or the suspension of its creator. */
export type TakenDownBy = 'moderator' | 'suspension';

/** A row of `community_polls`: the texts of a community poll and who created it. Its times and counters are in `ballot`. */
export class CommunityPollModel extends rowModel<
  'community_polls',
  { tags: string[]; taken_down_by: TakenDownBy | null; taken_down_from: Visibility | null }
>() {
  static override tableName = 'community_polls';
  static override jsonAttributes = ['tags'];

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
export class EditModel extends rowModel<'community_poll_edits', { changes: RecordedEdit['changes'] }>() {
  static override tableName = 'community_poll_edits';
  static override idColumn = 'key';
  static override jsonAttributes = ['changes'];
}

/** A row of `community_poll_guests`: a member who may open a private poll. */
export class GuestModel extends rowModel<'community_poll_guests'>() {
  static override tableName = 'community_poll_guests';
  static override idColumn = ['poll_id', 'user_id'];

  declare user: UserModel;

  static override relationMappings = () => ({
    user: {
      relation: Model.BelongsToOneRelation,
      modelClass: UserModel,
      join: { from: 'community_poll_guests.user_id', to: 'users.id' },
    },
  });
}
