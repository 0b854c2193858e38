import type { Context } from 'koa';
import { serverLimits } from '#contract/server-limits.ts';
import { accountHintCookie, sessionCookie } from '#contract/vocabulary.ts';

const carried = `${sessionCookie}=`;

/** Whether a request claims to have a session at all; cheap, because every vote is asked. */
export function hasSessionCookie(ctx: Context): boolean {
  return ctx.get('cookie').includes(carried);
}

/** What a session remembers. */
export interface SessionData {
  readonly userId: string;
  /** Digest of the stored password hash that it was opened under: with another password it is no session. */
  readonly stamp: string;
}

/** The part of koa-session's session that is used here; the library leaves it untyped. */
interface KoaSession extends Partial<SessionData> {
  save(): Promise<void>;
  regenerate(): Promise<void>;
  manuallyCommit(): Promise<void>;
}

/** Koa's context with the session that koa-session keeps on it. */
export type SessionContext = Context & { session: KoaSession | SessionData | null };

/** How routes begin and end sessions. */
export interface SessionKeeper {
  /** Whether its cookies are kept off plain HTTP. */
  readonly secure: boolean;
  /** Signs a person in, under an id that nobody knew before; a session that the request came with is destroyed. */
  open(ctx: Context, data: SessionData): Promise<void>;
  /** Destroys the request's session, and takes the cookies from the browser. */
  close(ctx: Context): Promise<void>;
  /** Lets the request's session and its cookies last the whole time again. */
  renew(ctx: Context): Promise<void>;
  /** Takes the cookies of a session that is no more from the browser. */
  forget(ctx: Context): void;
}

/** The keeper for a public address: where that is https, cookies are kept off plain HTTP. */
export function sessionKeeper(publicUrl: string): SessionKeeper {
  const secure = publicUrl.startsWith('https:');
  const hint = `${accountHintCookie}=1; path=/; max-age=${serverLimits.sessionDays * 86_400}`;
  const attributes = `; samesite=lax${secure ? '; secure' : ''}`;
  const noHint = `${accountHintCookie}=; path=/; max-age=0${attributes}`;
  // The service speaks plain HTTP behind its proxy, which cookies with "secure" would otherwise be refused on.
  const prepare = (ctx: Context) => {
    ctx.cookies.secure = secure;
    return ctx as SessionContext;
  };
  const current = (ctx: SessionContext) => ctx.session as KoaSession;

  return {
    secure,
    async open(bare, data) {
      const ctx = prepare(bare);
      ctx.session = data;
      await current(ctx).regenerate();
      ctx.append('set-cookie', hint + attributes);
    },
    async close(bare) {
      const ctx = prepare(bare);
      const session = current(ctx);
      ctx.session = null;
      await session.manuallyCommit();
      ctx.append('set-cookie', noHint);
    },
    async renew(bare) {
      const ctx = prepare(bare);
      await current(ctx).save();
      ctx.append('set-cookie', hint + attributes);
    },
    forget(bare) {
      const ctx = prepare(bare);
      for (const name of [sessionCookie, `${sessionCookie}.sig`])
        ctx.append('set-cookie', `${name}=; path=/; max-age=0; httponly${attributes}`);
      ctx.append('set-cookie', noHint);
    },
  };
}
