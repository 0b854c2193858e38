import { accountKey } from '#domain/account-rules.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { UserModel, isSuspended } from './user.model.ts';
import type { PublicUser } from './user.model.ts';

/**
 * A member’s public data; the account can’t be deleted or suspended until the transaction ends. Throws UNAUTHENTICATED when
 * it was deleted meanwhile, ACCOUNT_SUSPENDED.
 */
export async function lockActiveMember(trx: Database, userId: string, now: number): Promise<PublicUser> {
  const member = await UserModel.query(trx)
    .findById(userId)
    .modify('publicColumns')
    .select('suspended_at', 'suspended_until')
    .forKeyShare();
  if (!member) throw errors.unauthenticated();
  if (isSuspended(member, now)) throw errors.accountSuspended();
  return member;
}

/** Suspends a locked member until a moment in milliseconds or, with null, for good; false when there is no such member. */
export async function setSuspended(
  trx: Database,
  userId: string,
  suspension: { readonly at: number; readonly until: number | null } | null,
): Promise<boolean> {
  // Also keeps away whoever is just posting as this member.
  await UserModel.query(trx).findById(userId).select('id').forUpdate();
  const changes = { suspended_at: suspension?.at ?? null, suspended_until: suspension?.until ?? null };
  return (await UserModel.query(trx).findById(userId).patch(changes)) > 0;
}

/** Ids of the members with these usernames, in any case of letters. */
export async function memberIds(db: Database, usernames: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const members = await db('users').whereIn('username_key', usernames.map(accountKey)).select('id', 'username_key');
  const ids = new Map(members.map(({ id, username_key }) => [username_key, id]));
  return new Map(usernames.flatMap((name) => (ids.has(accountKey(name)) ? [[name, ids.get(accountKey(name))!]] : [])));
}

/** Ids of members whose suspension has ended at the moment `now`. */
export async function endedSuspensions(db: Database, now: number): Promise<string[]> {
  return db('users').whereNotNull('suspended_until').where('suspended_until', '<=', now).pluck('id');
}

/**
 * Begins writing. Accounts are deleted and suspended one at a time: two members who commented on each other's polls would
 * deadlock.
 */
export async function lockAccountDeletion(trx: Database): Promise<void> {
  if (!isSqlite(trx)) await trx.raw("select pg_advisory_xact_lock(hashtextextended('leaving', 0))");
}
