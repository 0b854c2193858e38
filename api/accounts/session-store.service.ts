import { hash } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import type { SessionData } from '#platform/session.ts';
import { sessionDays } from '#platform/session.ts';
import { addSession, extendSession, findSession, removeSession } from './sessions.queries.ts';

/** Hours after which using a session extends it; each renewal is a write. */
const sessionRenewHours = 24;

const lifetime = sessionDays * 86_400_000;

/** What koa-session gets back of a stored session; members that begin with `_` are not stored again. */
export interface LoadedSession extends SessionData {
  /** Less than `sessionRenewHours` after its last renewal, a session is not written. */
  readonly _renew: boolean;
  /** When the account was made, in milliseconds. */
  readonly _since: number;
}

/** What a session remembers of the password that it was opened under. */
export function passwordStamp(passwordHash: string): string {
  return hash('sha256', passwordHash, 'base64url');
}

/** The store of koa-session for one request. */
export interface SessionStore {
  get(id: string): Promise<LoadedSession | undefined>;
  set(id: string, session: SessionData): Promise<void>;
  destroy(id: string): Promise<void>;
}

/**
 * Sessions in the database, under a digest of their id: whoever reads the table cannot use them. koa-session makes
 * one store for each request; it remembers which session was there, so that renewing one that was destroyed in the
 * meantime does not bring it back.
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
      if (id === this.#loaded) await extendSession(db, digest(id), expire);
      else await addSession(db, { sid: digest(id), sess: JSON.stringify({ userId, stamp }), userId, expire });
    }

    async destroy(id: string): Promise<void> {
      if (id === this.#loaded) await removeSession(db, digest(id));
    }
  };
}

const digest = (id: string) => hash('sha256', id, 'base64url');
