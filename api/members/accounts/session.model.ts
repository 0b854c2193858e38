import { Model } from 'objection';
import { UserModel } from './user.model.ts';

/** A row of `sessions`. */
export class SessionModel extends Model {
  static override tableName = 'sessions';
  static override idColumn = 'sid';

  /** Digest of the session id. */
  declare sid: string;
  /** JSON of the session's data. */
  declare sess: string;
  declare user_id: string;
  /** Time in milliseconds. */
  declare expire: number;
  /** Null for sessions that began before these were stored. */
  declare created_at: number | null;
  declare last_used_at: number | null;
  declare device: string | null;
  /** When the member last gave the password, or a passkey, in this session. */
  declare password_at: number | null;
  declare passkey_at: number | null;
  declare user: UserModel;

  static override relationMappings = () => ({
    user: {
      relation: Model.BelongsToOneRelation,
      modelClass: UserModel,
      join: { from: 'sessions.user_id', to: 'users.id' },
    },
  });
}
