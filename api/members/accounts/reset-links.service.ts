import { randomBytes } from 'node:crypto';
import { record } from '#api/events/record.service.ts';
import type { Actor } from '#api/events/events.ts';
import type { MemberSummary, ResetLink } from '#api/admin/members.contract.ts';
import { accountKey } from '#domain/account-rules.ts';
import { isStorable } from '#domain/comment-text.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { removeExpired } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { hashSecret } from '#platform/hash-secret.ts';
import { operatorsAmong } from './operator-accounts.service.ts';
import { displayNameOf, isSuspended, UserModel } from './user.model.ts';

/** Milliseconds for which a link can be used, and for which its record is kept afterward. */
const lifetimeMs = 3_600_000;
const storedMs = 30 * 86_400_000;

/** Maximum number of members listed for one email address. */
const membersListed = 20;

/** Maximum number of links mailed to an account within an hour: whoever asks more often has one that works. */
const mailedAnHour = 5;

/** Who creates reset links: the operator on the admin page, or with a command; or a mail. */
type Maker = 'page' | 'command' | 'mail';

interface ResetLinksContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Pick<Config, 'publicUrl'>;
}

/** The members with a username, or an email address, as the operator sees them at the moment `now`; oldest first. */
export async function findMembers(db: Database, name: string, now: number): Promise<MemberSummary[]> {
  const key = accountKey(name);
  if (!isStorable(key)) return [];
  const users = await UserModel.query(db)
    .where({ username_key: key })
    .orWhere({ email_key: key })
    .orderBy(['created_at', 'id'])
    .limit(membersListed);
  const operators = await operatorsAmong(
    db,
    users.map(({ id }) => id),
  );
  return users.map((user) => ({
    id: user.id,
    username: user.username,
    name: displayNameOf(user),
    profileImageUrl: user.profile_image_url,
    createdAt: iso(user.created_at),
    suspended: isSuspended(user, now),
    operator: operators.has(user.id),
  }));
}

/** Creates a link that works once within an hour and replaces the account’s earlier ones. Throws NOT_FOUND. */
export async function createResetLink(
  { db, clock, config }: ResetLinksContext,
  userId: string,
  { maker, actor }: { readonly maker: Exclude<Maker, 'mail'>; readonly actor: Actor },
): Promise<ResetLink> {
  const now = clock.now();
  const url = await db.transaction(async (trx) => {
    const user = await UserModel.query(trx).findById(userId).forUpdate();
    if (!user) throw errors.noSuchMember();
    await expireResetLinks(trx, userId, now);
    const subject = { kind: 'member', id: userId };
    await record(trx, { at: now, actor, type: 'member.reset-link', subject });
    return storeLink(trx, config, { user, maker, now });
  });
  return { url, expiresAt: iso(now + lifetimeMs) };
}

/** Creates a link to be mailed, beside earlier ones; null if enough were mailed within an hour, except for a retry. */
export async function mailableResetLink(
  { db, clock, config }: ResetLinksContext,
  user: Pick<UserModel, 'id' | 'username'>,
  isRetry: boolean,
): Promise<string | null> {
  const now = clock.now();
  const recent = await db('reset_links')
    .where({ user_id: user.id, made_by: 'mail' })
    .where('created_at', '>', now - lifetimeMs)
    .pluck('digest');
  return !isRetry && recent.length >= mailedAnHour ? null : storeLink(db, config, { user, maker: 'mail', now });
}

async function storeLink(
  db: Database,
  { publicUrl }: ResetLinksContext['config'],
  {
    user: { id, username },
    maker,
    now,
  }: { readonly user: Pick<UserModel, 'id' | 'username'>; readonly maker: Maker; readonly now: number },
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  await db('reset_links').insert({
    digest: hashSecret(secret),
    user_id: id,
    made_by: maker,
    created_at: now,
    expires_at: now + lifetimeMs,
  });
  // The fragment is not sent to servers, which may log addresses. The name is for the password manager.
  return `${publicUrl}/auth/recover#reset=${secret}&username=${encodeURIComponent(username)}`;
}

/** The account that a link can set the password of; undefined if the link was used, replaced, or has expired. */
export async function userOfResetLink(db: Database, secret: string, now: number): Promise<UserModel | undefined> {
  return await UserModel.query(db)
    .whereIn('id', usable(db, secret, now).select('user_id'))
    .first();
}

/** Uses up a link, and returns who made it; undefined if it was used meanwhile. */
export async function useResetLink(trx: Database, secret: string, now: number): Promise<Maker | undefined> {
  const [used] = await usable(trx, secret, now).update({ used_at: now }).returning<{ made_by: Maker }[]>('made_by');
  return used?.made_by;
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
    .select('created_at', 'used_at');
  return rows.map(({ created_at, used_at }) => ({
    createdAt: iso(created_at),
    usedAt: used_at === null ? null : iso(used_at),
  }));
}

/** Deletes the records of links that ended 30 days ago. */
export async function removeOldResetLinks(db: Database, now: number): Promise<void> {
  await removeExpired(db, { table: 'reset_links', key: 'digest', column: 'expires_at' }, now - storedMs);
}

const usable = (db: Database, secret: string, now: number) =>
  db('reset_links')
    .where({ digest: hashSecret(secret), used_at: null })
    .where('expires_at', '>', now);
