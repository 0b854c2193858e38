import { Model } from 'objection';

/** A row of `users`; the `*_key` columns make usernames and confirmed email addresses unique. Moments in milliseconds. */
export class UserModel extends Model {
  static override tableName = 'users';

  declare id: string;
  declare username: string;
  declare username_key: string;
  declare email: string | null;
  declare email_key: string | null;
  /** Null while nobody has shown that the address is theirs; until then it counts for nothing (decision 146). */
  declare email_confirmed_at: number | null;
  /** PHC string; stays in this room. */
  declare password: string;
  declare first_name: string | null;
  declare last_name: string | null;
  declare profile_image_url: string | null;
  declare created_at: number;
  declare updated_at: number;
}
