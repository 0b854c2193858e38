import type { Database } from '#platform/database.ts';
import { UserModel } from './user.model.ts';

export async function findUser(db: Database, id: string): Promise<UserModel | undefined> {
  return await UserModel.query(db).findById(id);
}

/**
 * The account that a person signs in to by this key; an email address has an @, a username never. An address finds the
 * account that confirmed it, else the first one that gave it: whoever gives it later takes no sign-in away.
 */
export async function findUserByKey(db: Database, key: string): Promise<UserModel | undefined> {
  if (!key.includes('@')) return await UserModel.query(db).findOne({ username_key: key });
  return await UserModel.query(db)
    .where({ email_key: key })
    .orderByRaw('email_confirmed_at is null, created_at, id')
    .first();
}

export async function isUsernameTaken(db: Database, username_key: string): Promise<boolean> {
  return (await UserModel.query(db).findOne({ username_key }).select('id')) !== undefined;
}

export async function insertUser(
  db: Database,
  user: Pick<
    UserModel,
    'id' | 'username' | 'username_key' | 'email' | 'email_key' | 'password' | 'first_name' | 'last_name' | 'created_at'
  >,
): Promise<UserModel> {
  return await UserModel.query(db).insertAndFetch({ ...user, updated_at: user.created_at });
}

/** Changes columns of an account and answers the account; undefined when it is gone. */
export async function patchUser(
  db: Database,
  id: string,
  change: Partial<Pick<UserModel, 'first_name' | 'last_name' | 'profile_image_url' | 'updated_at'>>,
): Promise<UserModel | undefined> {
  return await UserModel.query(db).patchAndFetchById(id, change);
}

/** Puts a new password hash in the place of one; false when that one is no longer there. */
export async function changePasswordHash(
  db: Database,
  { id, from, to }: { id: string; from: string; to: string },
  now: number,
): Promise<boolean> {
  return (await UserModel.query(db).where({ id, password: from }).patch({ password: to, updated_at: now })) === 1;
}

export async function removeUser(db: Database, id: string): Promise<void> {
  await UserModel.query(db).deleteById(id);
}

/** Deletes those of the accounts whose password is this one. */
export async function deleteUsersWith(db: Database, ids: readonly string[], password: string): Promise<void> {
  await UserModel.query(db)
    .delete()
    .whereIn('id', [...ids])
    .where({ password });
}
