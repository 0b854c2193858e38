import { rowModel } from '#platform/row-model.ts';
import { Model } from 'objection';
import { UserModel } from './user.model.ts';

/** A row of `sessions`. */
export class SessionModel extends rowModel<'sessions', { user_id: string }>() {
  static override tableName = 'sessions';
  static override idColumn = 'sid';

  declare user: UserModel;

  static override relationMappings = () => ({
    user: {
      relation: Model.BelongsToOneRelation,
      modelClass: UserModel,
      join: { from: 'sessions.user_id', to: 'users.id' },
    },
  });
}
