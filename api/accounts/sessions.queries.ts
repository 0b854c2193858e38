import type { Database } from '#platform/database.ts';
import { removeExpired } from '#platform/database.ts';

/** A session as it is stored, with the password hash of its user and when the account was made. Moments in milliseconds. */
export interface StoredSession {
  readonly sess: string;
  readonly expire: number;
  readonly password: string;
  readonly created_at: number;
}

/** The session with this digest of an id, unless it has expired or its user is gone. */
export async function findSession(db: Database, sid: string, now: number): Promise<StoredSession | undefined> {
  return db('sessions')
    .join('users', 'users.id', 'sessions.user_id')
    .where('sessions.sid', sid)
    .where('sessions.expire', '>', now)
    .first<StoredSession | undefined>('sessions.sess', 'sessions.expire', 'users.password', 'users.created_at');
}

/** Stores a session; a user who was deleted in this very moment gets none. */
export async function addSession(
  db: Database,
  session: { sid: string; sess: string; userId: string; expire: number },
): Promise<void> {
  const { sid, sess, userId, expire } = session;
  await db.raw(
    'insert into sessions (sid, sess, user_id, expire) ' +
      'select cast(? as varchar(128)), cast(? as text), id, cast(? as bigint) from users where id = ?',
    [sid, sess, expire, userId],
  );
}

/** Moves a session's end; one that was destroyed in the meantime stays destroyed. */
export async function extendSession(db: Database, sid: string, expire: number): Promise<void> {
  await db('sessions').where({ sid }).update({ expire });
}

export async function removeSession(db: Database, sid: string): Promise<void> {
  await db('sessions').where({ sid }).del();
}

export async function removeSessionsOf(db: Database, userId: string): Promise<void> {
  await db('sessions').where({ user_id: userId }).del();
}

/** Removes sessions that have expired. */
export async function removeExpiredSessions(db: Database, now: number): Promise<void> {
  await removeExpired(db, { table: 'sessions', key: 'sid', column: 'expire' }, now);
}
