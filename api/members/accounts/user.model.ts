import { Model } from 'objection';
import { displayName } from '#domain/display-name.ts';

/** A row of `users`; the `*_key` columns make usernames and confirmed email addresses unique. Times in milliseconds. */
export class UserModel extends Model {
  static override tableName = 'users';

  declare id: string;
  declare username: string;
  declare username_key: string;
  declare email: string | null;
  declare email_key: string | null;
  /** Null until the owner of the address has confirmed it; an unconfirmed address gives no rights (decision 146). */
  declare email_confirmed_at: number | null;
  /** PHC string of the password hash; never leaves the server. */
  declare password: string;
  declare first_name: string | null;
  declare last_name: string | null;
  /** Whether many accounts of its network had been registered on that day; then it never counts as established. */
  declare registered_in_crowd: boolean | 0 | 1;
  declare profile_image_url: string | null;
  declare suspended_at: number | null;
  /** Null: for good, or not suspended. */
  declare suspended_until: number | null;
  declare created_at: number;
  declare updated_at: number;
  /** Whether the member is an operator; read by the modifier only. */
  declare is_staff?: boolean | 0 | 1;

  static override modifiers = {
    /** The columns that other people may see. */
    publicColumns: (query: { select(...columns: unknown[]): unknown }) =>
      void query.select(
        ...publicColumns,
        UserModel.raw('exists (select 1 from operators o where o.user_id = users.id) as is_staff'),
      ),
  };
}

const publicColumns = ['id', 'username', 'first_name', 'last_name', 'profile_image_url'] as const;

/** What other people may see of an account. */
export type PublicUser = Pick<UserModel, (typeof publicColumns)[number] | 'is_staff'>;

/** Whether a member is suspended at the moment `now`, in milliseconds. */
export function isSuspended(
  { suspended_at, suspended_until }: Pick<UserModel, 'suspended_at' | 'suspended_until'>,
  now: number,
): boolean {
  return suspended_at !== null && (suspended_until === null || suspended_until > now);
}

/** The name that other people read. */
export function displayNameOf(user: Pick<UserModel, 'username' | 'first_name' | 'last_name'>): string {
  return displayName({ firstName: user.first_name, lastName: user.last_name, username: user.username });
}
