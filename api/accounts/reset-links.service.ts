import { hash, randomBytes } from 'node:crypto';
import type { MemberSummary, ResetLink } from '#contract/admin-members.ts';
import { accountKey } from '#domain/account-rules.ts';
import { isStorable } from '#domain/comment-text.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { beginWriting, removeExpired } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { displayNameOf, UserModel } from './user.model.ts';

/** Milliseconds for which a link can be used, and for which its record is kept afterward. */
const lifetimeMs = 3_600_000;
const keptMs = 30 * 86_400_000;

/** Maximum number of members listed for one email address. */
const membersListed = 20;

/** Who creates reset links: the operator on the admin page, or with a command. */
type Maker = 'page' | 'command';

interface ResetLinksContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Pick<Config, 'publicUrl'>;
}

/** The members with a username, or an email address, as the operator sees them; oldest first. */
export async function findMembers(db: Database, name: string): Promise<MemberSummary[]> {
  const key = accountKey(name);
  if (!isStorable(key)) return [];
  const users = await UserModel.query(db)
    .where({ username_key: key })
    .orWhere({ email_key: key })
    .orderBy(['created_at', 'id'])
    .limit(membersListed);
  return users.map((user) => ({
    id: user.id,
    username: user.username,
    name: displayNameOf(user),
    createdAt: iso(user.created_at),
  }));
}

/** Creates a link that works once within an hour and replaces the account’s earlier ones. Throws NOT_FOUND. */
export async function createResetLink(
  { db, clock, config }: ResetLinksContext,
  userId: string,
  maker: Maker,
): Promise<ResetLink> {
  const now = clock.now();
  const secret = randomBytes(32).toString('base64url');
  await db.transaction(async (trx) => {
    await beginWriting(trx);
    if (!(await UserModel.query(trx).findById(userId).forUpdate())) throw errors.noSuchMember();
    await expireResetLinks(trx, userId, now);
    await trx('reset_links').insert({
      digest: digestOf(secret),
      user_id: userId,
      made_by: maker,
      created_at: now,
      expires_at: now + lifetimeMs,
    });
  });
  // The fragment is not sent to servers, which may log addresses.
  return { url: `${config.publicUrl}/auth/recover#reset=${secret}`, expiresAt: iso(now + lifetimeMs) };
}

/** The account that a link can set the password of; undefined if the link was used, replaced, or has expired. */
export async function userOfResetLink(db: Database, secret: string, now: number): Promise<UserModel | undefined> {
  return await UserModel.query(db)
    .whereIn('id', usable(db, secret, now).select('user_id'))
    .first();
}

/** Uses up a link; false if it was used meanwhile. */
export async function useResetLink(trx: Database, secret: string, now: number): Promise<boolean> {
  return (await usable(trx, secret, now).update({ used_at: now })) > 0;
}

/** Invalidates the unused links of an account. */
export async function expireResetLinks(trx: Database, userId: string, now: number): Promise<void> {
  await trx('reset_links')
    .where({ user_id: userId, used_at: null })
    .where('expires_at', '>', now)
    .update({ expires_at: now });
}

/** The links created for an account in the last 30 days, for its owner. */
export async function resetLinksOf(db: Database, userId: string) {
  const rows = await db('reset_links')
    .where({ user_id: userId })
    .orderBy(['created_at', 'digest'])
    .select<{ created_at: number; used_at: number | null }[]>('created_at', 'used_at');
  return rows.map(({ created_at, used_at }) => ({
    createdAt: iso(created_at),
    usedAt: used_at === null ? null : iso(used_at),
  }));
}

/** Deletes the records of links that ended 30 days ago. */
export async function removeOldResetLinks(db: Database, now: number): Promise<void> {
  await removeExpired(db, { table: 'reset_links', key: 'digest', column: 'expires_at' }, now - keptMs);
}

const usable = (db: Database, secret: string, now: number) =>
  db('reset_links')
    .where({ digest: digestOf(secret), used_at: null })
    .where('expires_at', '>', now);

const digestOf = (secret: string) => hash('sha256', secret, 'base64url');
