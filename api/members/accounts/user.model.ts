import { rowModel } from '#platform/row-model.ts';
import { displayName } from '#domain/display-name.ts';

/** A row of `users`; the `*_key` columns make usernames and confirmed email addresses unique. Times in milliseconds. */
export class UserModel extends rowModel<'users'>() {
  static override tableName = 'users';

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
