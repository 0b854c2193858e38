import { accountKey } from '#domain/account-rules.ts';
import type { Database } from '#platform/database.ts';
import { dummyHash } from '#platform/password-hash.ts';
import { deleteUsersWith, insertUser, isUsernameTaken } from './users.queries.ts';

/** An account that came with the software. */
export interface LockedAccount {
  readonly id: string;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** Makes accounts that no password opens: all of them, or none and false when somebody has one of the names. */
export async function makeLockedAccounts(
  trx: Database,
  accounts: readonly LockedAccount[],
  now: number,
): Promise<boolean> {
  for (const { username } of accounts) if (await isUsernameTaken(trx, accountKey(username))) return false;
  for (const { id, username, firstName, lastName } of accounts)
    await insertUser(trx, {
      id,
      username,
      username_key: accountKey(username),
      email: null,
      email_key: null,
      password: dummyHash,
      first_name: firstName,
      last_name: lastName,
      created_at: now,
    });
  return true;
}

/** Removes accounts that no password opens; others with these ids stay. */
export async function removeLockedAccounts(db: Database, ids: readonly string[]): Promise<void> {
  await deleteUsersWith(db, ids, dummyHash);
}
