import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { accountHintCookie, hostSessionCookie, sessionCookie } from '#contract/vocabulary.ts';
import { cookieSignatures } from './cookie-signatures.ts';
import { errors } from './errors.ts';

/** Days after the last use, and after sign-in, when a session ends. */
export const sessionDays = 30;
export const absoluteSessionDays = 90;

/** Hours for which a new account meets the limits of people without one. */

/** Also part of the name on https. */
const cookiePrefix = `${sessionCookie}=`;

/** Whether a request carries a session cookie, valid or not; cheap, because every vote is checked. */
export function hasSessionCookie({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.cookie?.includes(cookiePrefix) ?? false;
}

/** What a session stores. */
export interface SessionData {
  readonly userId: string;
  /** Digest of the password hash at sign-in: changing the password ends the session. */
  readonly stamp: string;
  /** How the member signed in, by default with a password; stored beside the session, see `domain/operator-access`. */
  readonly signedInWith?: 'passkey';
}

/** The part of koa-session's session that is used here; the library does not type it. */
interface KoaSession extends Partial<SessionData> {
  save(): Promise<void>;
  regenerate(): Promise<void>;
  manuallyCommit(): Promise<void>;
}

/** Koa's context with the session that koa-session adds to it. */
type SessionContext = Context & { session: KoaSession | SessionData | null };

/** Starts and ends sessions. */
export interface SessionKeeper {
  /** Whether the cookies are for https only. */
  readonly secure: boolean;
  /** Name of the session cookie. */
  readonly cookieName: string;
  /** Configures how a request’s cookies are signed and sent. Returns whether its session cookie must be sent again. */
  prepare(ctx: Context): boolean;
  /** Signs a user in with a new session id; the session of the request, if any, is destroyed. */
  open(ctx: Context, data: SessionData): Promise<void>;
  /** Destroys the session of the request and deletes its cookies. */
  close(ctx: Context): Promise<void>;
  /** Extends the session of the request and its cookies to their full lifetime. */
  renew(ctx: Context): Promise<void>;
  /** Deletes the cookies of a session that no longer exists. */
  forget(ctx: Context): void;
}

/** Creates the session keeper; for an https `publicUrl`, cookies are secure. `keys` sign them, newest first. */
export function sessionKeeper(publicUrl: string, keys: readonly string[]): SessionKeeper {
  const secure = publicUrl.startsWith('https:');
  const cookieName = secure ? hostSessionCookie : sessionCookie;
  const signatures = cookieSignatures(keys);
  const hint = `${accountHintCookie}=1; path=/; max-age=${sessionDays * 86_400}`;
  const attributes = `; samesite=lax${secure ? '; secure' : ''}`;
  const noHint = `${accountHintCookie}=; path=/; max-age=0${attributes}`;
  // Behind its proxy the service speaks plain HTTP, where Koa would refuse to set secure cookies.
  const prepare = (ctx: Context) => {
    Object.assign(ctx.cookies, { secure, keys: signatures });
    return ctx as SessionContext;
  };
  const expire = (ctx: Context, ...names: readonly string[]) => {
    for (const name of names.flatMap((one) => [one, `${one}.sig`]))
      ctx.append('set-cookie', `${name}=; path=/; max-age=0; httponly${attributes}`);
  };
  /** On https, earlier releases set a session cookie without the prefix. */
  const hasLegacyCookie = (ctx: Context) => secure && /(^|;) *wv_session=/.test(ctx.get('cookie'));
  const current = (ctx: SessionContext) => ctx.session as KoaSession;

  return {
    secure,
    cookieName,
    prepare(bare) {
      const ctx = prepare(bare);
      const former = hasLegacyCookie(ctx) ? ctx.cookies.get(sessionCookie, { signed: true }) : undefined;
      if (former === undefined || ctx.get('cookie').includes(`${cookieName}=`)) return false;
      const pair = `${cookieName}=${former}`;
      ctx.req.headers.cookie = `${ctx.get('cookie')}; ${pair}; ${cookieName}.sig=${signatures.sign(pair)}`;
      return true;
    },
    async open(bare, data) {
      const ctx = prepare(bare);
      ctx.session = data;
      await current(ctx).regenerate();
      if (hasLegacyCookie(ctx)) expire(ctx, sessionCookie);
      ctx.append('set-cookie', hint + attributes);
    },
    async close(bare) {
      const ctx = prepare(bare);
      const session = current(ctx);
      ctx.session = null;
      await session.manuallyCommit();
      if (hasLegacyCookie(ctx)) expire(ctx, sessionCookie);
      ctx.append('set-cookie', noHint);
    },
    async renew(bare) {
      const ctx = prepare(bare);
      await current(ctx).save();
      if (hasLegacyCookie(ctx)) expire(ctx, sessionCookie);
      ctx.append('set-cookie', hint + attributes);
    },
    forget(bare) {
      const ctx = prepare(bare);
      expire(ctx, cookieName, ...(hasLegacyCookie(ctx) ? [sessionCookie] : []));
      ctx.append('set-cookie', noHint);
    },
  };
}

/** Id of the signed-in user, or null; set by the session middleware of the accounts feature. */
export function signedInUser(ctx: Context): string | null {
  const { userId } = ctx.state as { userId?: string };
  return userId ?? null;
}

/** When the account of the signed-in user was created, in milliseconds; null when nobody is signed in. */
export function accountSince(ctx: Context, now: number): number | null {
  const { userId, userSince = now } = ctx.state as { userId?: string; userSince?: number };
  return userId === undefined ? null : userSince;
}

/** Id of the request’s session, which is not the secret in its cookie; null when nobody is signed in. */
export function currentSession(ctx: Context): string | null {
  const { sessionId } = ctx.state as { sessionId?: string };
  return sessionId ?? null;
}

/** Throws ACCOUNT_SUSPENDED when the signed-in user is suspended. */
export function refuseSuspended(ctx: Context): void {
  const { isSuspended = false } = ctx.state as { isSuspended?: boolean };
  if (isSuspended) throw errors.accountSuspended();
}

/** Id of the signed-in user; throws UNAUTHENTICATED when there is none. */
export function requireUser(ctx: Context): string {
  const userId = signedInUser(ctx);
  if (userId === null) throw errors.unauthenticated();
  return userId;
}
