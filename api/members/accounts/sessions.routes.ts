import { randomBytes } from 'node:crypto';
import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import createSession from 'koa-session';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { hasSessionCookie, sessionDays } from '#platform/session.ts';
import type { SessionKeeper } from '#platform/session.ts';
import { sessionStores } from './session-store.service.ts';
import type { LoadedSession } from './session-store.service.ts';

/**
 * Loads the session and puts the member on `ctx.state.userId`, and the age of the account on `ctx.state.userSince`. Skips
 * requests without the session cookie: most votes come from visitors without an account.
 */
export function sessions(
  koa: Koa,
  context: { readonly db: Database; readonly clock: Clock; readonly keeper: SessionKeeper },
): Middleware {
  const { keeper } = context;
  const load = createSession(
    {
      key: keeper.cookieName,
      maxAge: sessionDays * 86_400_000,
      sameSite: 'lax',
      secure: keeper.secure,
      ContextStore: sessionStores(context),
      genid: () => randomBytes(32).toString('base64url'),
      // Sessions are written on sign-in and sign-out and by `renew`, not at the end of each request.
      autoCommit: false,
    },
    koa,
  );

  return (ctx, next) => {
    if (!hasSessionCookie(ctx.req)) return next();
    const isRenamed = keeper.prepare(ctx);
    return load(ctx, async () => {
      const session = sessionOf(ctx);
      if (session?.userId !== undefined) {
        Object.assign(ctx.state, {
          userId: session.userId,
          userSince: session._since,
          sessionId: session._sid,
          isSuspended: session._suspended,
        });
        if (session._renew || isRenamed || isResigned(ctx, keeper.cookieName)) await keeper.renew(ctx);
      }
      await next();
    });
  };
}

/**
 * Whether an older key or algorithm had signed the cookie: Koa has then set a new signature without an expiry, which the
 * browser would drop on exit.
 */
function isResigned(ctx: Context, name: string): boolean {
  return [ctx.response.headers['set-cookie'] ?? []].flat().some((line) => line.startsWith(`${name}.sig=`));
}

function sessionOf(ctx: Context): Partial<LoadedSession> | null {
  return ctx.session as Partial<LoadedSession> | null;
}
