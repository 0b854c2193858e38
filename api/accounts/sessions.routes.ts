import { randomBytes } from 'node:crypto';
import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import createSession from 'koa-session';
import { sessionCookie } from '#contract/vocabulary.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { hasSessionCookie, sessionDays } from '#platform/session.ts';
import type { SessionKeeper } from '#platform/session.ts';
import { sessionStores } from './session-store.service.ts';
import type { LoadedSession } from './session-store.service.ts';

/**
 * Finds out who is signed in and puts it on `ctx.state.userId`, and since when there is the account on `userSince`. A request without the session cookie goes straight
 * on: most votes come from visitors without an account.
 */
export function sessions(
  koa: Koa,
  context: { readonly db: Database; readonly clock: Clock; readonly keeper: SessionKeeper },
): Middleware {
  const { keeper } = context;
  const load = createSession(
    {
      key: sessionCookie,
      maxAge: sessionDays * 86_400_000,
      sameSite: 'lax',
      secure: keeper.secure,
      ContextStore: sessionStores(context),
      genid: () => randomBytes(32).toString('base64url'),
      // Sessions are written where somebody signs in or out and by `renew`, never at the end of each request.
      autoCommit: false,
    },
    koa,
  );

  return (ctx, next) => {
    if (!hasSessionCookie(ctx)) return next();
    return load(ctx, async () => {
      const session = sessionOf(ctx);
      if (session?.userId !== undefined) {
        Object.assign(ctx.state, { userId: session.userId, userSince: session._since });
        if (session._renew || isSignedAnew(ctx)) await keeper.renew(ctx);
      }
      await next();
    });
  };
}

/**
 * Whether an older key had signed the cookie: Koa has then set the new signature, but without a date or other attributes,
 * so that the browser would drop it when it closes.
 */
function isSignedAnew(ctx: Context): boolean {
  return [ctx.response.headers['set-cookie'] ?? []].flat().some((line) => line.startsWith(`${sessionCookie}.sig=`));
}

function sessionOf(ctx: Context): Partial<LoadedSession> | null {
  return ctx.session as Partial<LoadedSession> | null;
}
