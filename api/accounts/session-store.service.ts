import { hash } from 'node:crypto';
import { sweepAttempts } from '#platform/attempts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { removeExpired } from '#platform/database.ts';
import type { SessionData } from '#platform/session.ts';
import { removeOldResetLinks } from './reset-links.service.ts';
import { SessionModel } from './session.model.ts';
import { sessionDays } from '#platform/session.ts';

/** Hours after which using a session extends it; each renewal is a write. */
const sessionRenewHours = 24;

const lifetime = sessionDays * 86_400_000;

/** A stored session as koa-session loads it; it doesn’t store members that begin with `_`. */
export interface LoadedSession extends SessionData {
  /** The last renewal is at least `sessionRenewHours` old. */
  readonly _renew: boolean;
  /** When the account was created, in milliseconds. */
  readonly _since: number;
}

/** Digest of a password hash: ties a session to the password that it was opened with. */
export function passwordStamp(passwordHash: string): string {
  return hash('sha256', passwordHash, 'base64url');
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
export function sessionStores({ db, clock }: { db: Database; clock: Clock }): new () => SessionStore {
  return class implements SessionStore {
    #loaded: string | null = null;

    async get(id: string): Promise<LoadedSession | undefined> {
      const now = clock.now();
      const stored = await findSession(db, digest(id), now);
      if (!stored) return undefined;
      const { userId, stamp } = JSON.parse(stored.sess) as SessionData;
      if (stamp !== passwordStamp(stored.password)) return undefined;
      this.#loaded = id;
      const renewed = stored.expire - lifetime;
      const _renew = now - renewed >= sessionRenewHours * 3_600_000;
      return { userId, stamp, _renew, _since: stored.created_at };
    }

    async set(id: string, { userId, stamp }: SessionData): Promise<void> {
      const expire = clock.now() + lifetime;
      if (id === this.#loaded) await SessionModel.query(db).findById(digest(id)).patch({ expire });
      else await addSession(db, { sid: digest(id), sess: JSON.stringify({ userId, stamp }), userId, expire });
    }

    async destroy(id: string): Promise<void> {
      if (id === this.#loaded) await SessionModel.query(db).deleteById(digest(id));
    }
  };
}

const digest = (id: string) => hash('sha256', id, 'base64url');

/** A session with what is checked of its user. */
type StoredSession = Pick<SessionModel, 'sess' | 'expire'> & Pick<SessionModel['user'], 'password' | 'created_at'>;

/** The session with this digest of an id, unless it has expired or its user is deleted; one query, since every signed-in request needs it. */
export async function findSession(db: Database, sid: string, now: number): Promise<StoredSession | undefined> {
  return await SessionModel.query(db)
    .joinRelated('user')
    .findOne({ sid })
    .where('expire', '>', now)
    .select('sess', 'expire', 'user.password', 'user.created_at')
    .castTo<StoredSession | undefined>();
}

/** Stores a session; does nothing when the user was deleted concurrently. */
async function addSession(
  db: Database,
  { sid, sess, userId, expire }: { sid: string; sess: string; userId: string; expire: number },
): Promise<void> {
  await db.raw(
    'insert into sessions (sid, sess, user_id, expire) ' +
      'select cast(? as varchar(128)), cast(? as text), id, cast(? as bigint) from users where id = ?',
    [sid, sess, expire, userId],
  );
}

/** Ends all sessions of a member. */
export async function removeSessionsOf(db: Database, userId: string): Promise<void> {
  await SessionModel.query(db).delete().where({ user_id: userId });
}

/** Deletes expired sessions. */
export async function removeExpiredSessions(db: Database, now: number): Promise<void> {
  await removeExpired(db, { table: 'sessions', key: 'sid', column: 'expire' }, now);
}

/** Deletes expired sessions, old reset links, and expired counters of attempts. */
export async function sweepAccounts(db: Database, now: number): Promise<void> {
  await removeExpiredSessions(db, now);
  await removeOldResetLinks(db, now);
  await sweepAttempts(db, now);
}
