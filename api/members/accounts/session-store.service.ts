import { hash } from 'node:crypto';
import { sweepAttempts } from '#platform/attempts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { removeExpired } from '#platform/database.ts';
import type { SessionData } from '#platform/session.ts';
import { removeOldMail } from '#api/mail/outbox.service.ts';
import { removeOldEmailChanges } from './email-changes.service.ts';
import { forgetDevices, removeOldDevices } from './known-devices.service.ts';
import { removeOldChallenges } from './passkey-challenges.service.ts';
import { removeOldResetLinks } from './reset-links.service.ts';
import { SessionModel } from './session.model.ts';
import { isSuspended } from './user.model.ts';
import { absoluteSessionDays, sessionDays } from '#platform/session.ts';
import type { SessionSummary } from './account-security.contract.ts';
import { deviceName } from '#domain/device-name.ts';
import { iso } from '#platform/clock.ts';

/** Hours after which using a session extends it; each renewal is a write. */
const sessionRenewHours = 24;

const lifetime = sessionDays * 86_400_000;
const absoluteLifetime = absoluteSessionDays * 86_400_000;

/** Maximum number of sessions that a member sees. */
const sessionsListed = 100;

/** A stored session as koa-session loads it; it doesn’t store members that begin with `_`. */
export interface LoadedSession extends SessionData {
  /** The last renewal is at least `sessionRenewHours` old. */
  readonly _renew: boolean;
  /** When the account was created, in milliseconds. */
  readonly _since: number;
  /** Digest of the id, by which the member can end it. */
  readonly _sid: string;
  readonly _suspended: boolean;
}

/** Digest of a password hash: ties a session to the password that it was opened with. */
export function passwordStamp(passwordHash: string): string {
  return hash('sha256', passwordHash, 'base64url');
}

/** The part of Koa’s context that is used here. */
interface WithUserAgent {
  get(header: string): string;
}

/** The session store of koa-session for one request. */
interface SessionStore {
  get(id: string): Promise<LoadedSession | undefined>;
  set(id: string, session: SessionData): Promise<void>;
  destroy(id: string): Promise<void>;
}

/**
 * Stores sessions in the database under a digest of their id, so that a leaked table can't be used to sign in. koa-session
 * creates one store per request; it remembers the loaded session, so that renewing one that was destroyed in the
 * meantime does not restore it.
 */
export function sessionStores({ db, clock }: { db: Database; clock: Clock }): new (ctx: WithUserAgent) => SessionStore {
  return class implements SessionStore {
    #loaded: { readonly id: string; readonly createdAt: number } | null = null;
    readonly #device: string | null;

    constructor(ctx: WithUserAgent) {
      this.#device = deviceName(ctx.get('user-agent'));
    }

    async get(id: string): Promise<LoadedSession | undefined> {
      const now = clock.now();
      const stored = await findSession(db, digest(id), now);
      if (!stored) return undefined;
      const { userId, stamp } = JSON.parse(stored.sess) as SessionData;
      if (stamp !== passwordStamp(stored.password)) return undefined;
      const { createdAt, lastUsedAt } = timesOf(stored);
      this.#loaded = { id, createdAt };
      const _renew = now - lastUsedAt >= sessionRenewHours * 3_600_000;
      return {
        userId,
        stamp,
        _renew,
        _since: stored.user_since,
        _sid: digest(id),
        _suspended: isSuspended(stored, now),
      };
    }

    async set(id: string, { userId, stamp, signedInWith }: SessionData): Promise<void> {
      const now = clock.now();
      const createdAt = id === this.#loaded?.id ? this.#loaded.createdAt : now;
      const expire = Math.min(now + lifetime, createdAt + absoluteLifetime);
      const details = { expire, created_at: createdAt, last_used_at: now, device: this.#device };
      if (id === this.#loaded?.id) await SessionModel.query(db).findById(digest(id)).patch(details);
      else {
        const sess = JSON.stringify({ userId, stamp });
        const [password_at, passkey_at] = signedInWith === 'passkey' ? [null, now] : [now, null];
        await addSession(db, { sid: digest(id), sess, userId, ...details, password_at, passkey_at });
      }
    }

    async destroy(id: string): Promise<void> {
      if (id === this.#loaded?.id) await SessionModel.query(db).deleteById(digest(id));
    }
  };
}

const digest = (id: string) => hash('sha256', id, 'base64url');

/** A session with what is checked of its user. */
type StoredSession = Pick<SessionModel, 'sess' | 'expire' | 'created_at' | 'last_used_at'> &
  Pick<SessionModel['user'], 'password' | 'suspended_at' | 'suspended_until'> & { readonly user_since: number };

/** A session without stored times began, and was last used, when it was last renewed. */
function timesOf({ expire, created_at, last_used_at }: Pick<StoredSession, 'expire' | 'created_at' | 'last_used_at'>) {
  const renewedAt = expire - lifetime;
  return { createdAt: created_at ?? renewedAt, lastUsedAt: last_used_at ?? renewedAt };
}

/** The session with this digest of an id, unless it has expired or its user is deleted; one query, since every signed-in request needs it. */
export async function findSession(db: Database, sid: string, now: number): Promise<StoredSession | undefined> {
  return await SessionModel.query(db)
    .joinRelated('user')
    .findOne({ sid })
    .where('expire', '>', now)
    .select(
      ...['sess', 'expire', 'sessions.created_at', 'last_used_at', 'user.password', 'user.created_at as user_since'],
      ...['suspended_at', 'suspended_until'],
    )
    .castTo<StoredSession | undefined>();
}

/** Stores a session; does nothing when the user was deleted concurrently. */
async function addSession(
  db: Database,
  session: Pick<
    SessionModel,
    'sid' | 'sess' | 'expire' | 'created_at' | 'last_used_at' | 'device' | 'password_at' | 'passkey_at'
  > & { readonly userId: string },
): Promise<void> {
  const { sid, sess, userId, expire, created_at, last_used_at, device, password_at, passkey_at } = session;
  await db.raw(
    'insert into sessions (sid, sess, user_id, expire, created_at, last_used_at, device, password_at, passkey_at) ' +
      'select cast(? as varchar(128)), cast(? as text), id, cast(? as bigint), cast(? as bigint), cast(? as bigint), ' +
      'cast(? as varchar(40)), cast(? as bigint), cast(? as bigint) from users where id = ?',
    [sid, sess, expire, created_at, last_used_at, device, password_at, passkey_at, userId],
  );
}

/** The sessions of a member, last used first; `current` is the id of the request’s session. */
export async function sessionsOf(
  db: Database,
  userId: string,
  { now, current }: { readonly now: number; readonly current: string | null },
): Promise<SessionSummary[]> {
  const rows = await SessionModel.query(db)
    .where({ user_id: userId })
    .where('expire', '>', now)
    .orderBy([{ column: 'expire', order: 'desc' }, 'sid'])
    .limit(sessionsListed);
  return rows.map((row) => {
    const { createdAt, lastUsedAt } = timesOf(row);
    return {
      id: row.sid,
      device: row.device,
      createdAt: iso(createdAt),
      lastUsedAt: iso(lastUsedAt),
      current: row.sid === current,
    };
  });
}

/**
 * Ends one session of a member, or all but the current one. Which device had it isn’t stored, so no device stays known but
 * this one.
 */
export async function endSessions(
  db: Database,
  userId: string,
  {
    id,
    current,
    device,
  }: { readonly id: string | undefined; readonly current: string | null; readonly device: string },
): Promise<void> {
  await forgetDevices(db, userId, device);
  const own = SessionModel.query(db).delete().where({ user_id: userId });
  await (id === undefined ? own.whereNot({ sid: current ?? '' }) : own.where({ sid: id }));
}

/** Records that the member of a session gave the password, or a passkey, at the moment `now`. */
export async function confirmSession(
  db: Database,
  { sid, by, now }: { readonly sid: string; readonly by: 'password_at' | 'passkey_at'; readonly now: number },
): Promise<void> {
  await SessionModel.query(db)
    .findById(sid)
    .patch({ [by]: now });
}

/** Ends all sessions of a member, and makes no device known. */
export async function removeSessionsOf(db: Database, userId: string): Promise<void> {
  await SessionModel.query(db).delete().where({ user_id: userId });
  await forgetDevices(db, userId);
}

/** Deletes expired sessions. */
export async function removeExpiredSessions(db: Database, now: number): Promise<void> {
  await removeExpired(db, { table: 'sessions', key: 'sid', column: 'expire' }, now);
}

/** Deletes expired sessions, old reset links, unconfirmed addresses, unused challenges, devices and mail of long ago, and expired counters of attempts. */
export async function sweepAccounts(db: Database, now: number): Promise<void> {
  await removeExpiredSessions(db, now);
  await removeOldResetLinks(db, now);
  await removeOldEmailChanges(db, now);
  await removeOldChallenges(db, now);
  await removeOldDevices(db, now);
  await removeOldMail(db, now);
  await sweepAttempts(db, now);
}
