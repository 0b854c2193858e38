import type { Context } from 'koa';
import type { Config } from '#platform/config.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { errors } from '#platform/errors.ts';
import { hasSessionCookie } from '#platform/session.ts';
import type { SessionKeeper } from '#platform/session.ts';
import { voterOf } from '#platform/voter.ts';
import { login, register } from './accounts.service.ts';
import type { AccountsContext, SignIn } from './accounts.service.ts';
import { presentUser } from './user.presenter.ts';
import { findUser } from './users.queries.ts';

/** What the calls of accounts stand on. */
export interface AccountRoutesContext extends AccountsContext {
  readonly keeper: SessionKeeper;
  readonly config: Pick<Config, 'rateLimit'>;
}

/** Signing in and out. */
export function mountAccounts(router: EndpointRouter, context: AccountRoutesContext): void {
  const { db, keeper } = context;
  const signIn = async (ctx: Context, { user, session }: SignIn) => {
    await keeper.open(ctx, session);
    return user;
  };

  router
    .mount('user', async ({ ctx, userId }) => {
      const user = userId === null ? undefined : await findUser(db, userId);
      if (user) return presentUser(user);
      // Only here: another call may be on its way with an id that was changed a moment ago.
      if (hasSessionCookie(ctx)) keeper.forget(ctx);
      throw errors.unauthenticated();
    })
    .mount('login', async ({ ctx, body }) => signIn(ctx, await login(context, body, voterOf(ctx))))
    .mount('register', async ({ ctx, body }) => signIn(ctx, await register(context, body, voterOf(ctx))))
    .mount('logout', async ({ ctx }) => {
      await keeper.close(ctx);
      return undefined;
    });
}
