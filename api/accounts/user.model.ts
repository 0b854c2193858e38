import { Model } from 'objection';

/** A row of `users`; the `*_key` columns are what makes username and email unique. Moments in milliseconds. */
export class UserModel extends Model {
  static override tableName = 'users';

  declare id: string;
  declare username: string;
  declare username_key: string;
  declare email: string | null;
  declare email_key: string | null;
  /** PHC string; stays in this room. */
  declare password: string;
  declare first_name: string | null;
  declare last_name: string | null;
  declare profile_image_url: string | null;
  declare created_at: number;
  declare updated_at: number;
}
