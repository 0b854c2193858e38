import type { Context } from 'koa';
import { rateLimits } from '#contract/rate-limits.ts';
import { signInAddress } from '#domain/next-path.ts';
import type { Config } from '#platform/config.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { errors } from '#platform/errors.ts';
import { clientAddress, rateLimit } from '#platform/middleware.ts';
import { currentSession, hasSessionCookie } from '#platform/session.ts';
import type { SessionKeeper } from '#platform/session.ts';
import type { Voters } from '#api/voting/voter.ts';
import {
  accountOf,
  changePassword,
  changeUser,
  confirmPassword,
  findAccount,
  login,
  register,
  rememberOrigin,
} from './accounts.service.ts';
import type { AccountsContext, SignIn, SignInOrigin } from './accounts.service.ts';
import { emailOf } from './email-changes.service.ts';
import { changeEmail, confirmEmail, removeEmail, requestPasswordReset } from './email.service.ts';
import { answerSignIn, deviceDigest, waitingSignIns } from './known-devices.service.ts';
import { mountPasskeys } from './passkeys.routes.ts';
import { passkeysOf } from './passkeys.service.ts';
import { encodePicture, pictureWith, readPicture, storePicture } from './pictures.service.ts';
import { codesLeft } from './recovery-codes.service.ts';
import { endSessions, sessionsOf } from './session-store.service.ts';
import { signInRoutes } from './sign-in.routes.ts';
import { createRecoveryCodes, recover, resetPassword } from './recovery.service.ts';

/** What the endpoints of accounts need. */
interface AccountRoutesContext extends AccountsContext {
  readonly keeper: SessionKeeper;
  readonly voters: Voters;
  readonly config: Pick<Config, 'rateLimit' | 'earlyAdopterUntil' | 'publicUrl' | 'siteName'>;
}

/** The endpoints of accounts: signing in and out, and changing an account. */
export function mountAccounts(router: EndpointRouter, context: AccountRoutesContext): void {
  const { db, clock, keeper, voters, config } = context;
  const signIns = signInRoutes({ keeper, voters });
  const limit = config.rateLimit ? rateLimit(rateLimits.account) : () => Promise.resolve();
  const signIn = async <U>(ctx: Context, start: (origin: SignInOrigin) => Promise<SignIn<U>>) => {
    await limit(ctx);
    return signIns.open(ctx, await start(signIns.originOf(ctx)));
  };

  mountPasskeys(router, context, limit, signIns);
  router
    .mount('user', async ({ ctx, userId }) => {
      const user = userId === null ? undefined : await findAccount(db, userId, clock.now());
      if (user) return user;
      // Only here: a concurrent request may still use a session id that was just replaced.
      if (hasSessionCookie(ctx)) keeper.forget(ctx);
      throw errors.unauthenticated();
    })
    .mount('login', ({ ctx, body }) => signIn(ctx, (origin) => login(context, body, origin)))
    .mount('register', ({ ctx, body }) => signIn(ctx, (origin) => register(context, body, origin)))
    .mount('recover', ({ ctx, body }) => signIn(ctx, (origin) => recover(context, body, origin)))
    .mount('resetPassword', ({ ctx, body }) => signIn(ctx, (origin) => resetPassword(context, body, origin)))
    .mount('accountSecurity', async ({ ctx, userId }) => ({
      email: { ...(await emailOf(db, userId)), sendsMail: context.mail.on },
      passkeys: await passkeysOf(db, userId),
      recoveryCodes: await codesLeft(db, userId),
      sessions: await sessionsOf(db, userId, { now: clock.now(), current: currentSession(ctx) }),
      signIns: await waitingSignIns(db, userId, clock.now()),
    }))
    .mount('requestPasswordReset', async ({ ctx, body }) => {
      await limit(ctx);
      await requestPasswordReset(context, body, clientAddress(ctx));
      return undefined;
    })
    .mount('changeEmail', async ({ ctx, userId, body }) => {
      await limit(ctx);
      await changeEmail(context, userId, body);
      return undefined;
    })
    .mount('removeEmail', async ({ ctx, userId, body }) => {
      await limit(ctx);
      await removeEmail(context, userId, body.password);
      return undefined;
    })
    .mount('confirmEmail', async ({ ctx, body }) => {
      await limit(ctx);
      return confirmEmail(context, body.token);
    })
    .mount('endSessions', async ({ ctx, userId, body }) => {
      await limit(ctx);
      await confirmPassword(context, userId, body.password);
      const device = deviceDigest(signIns.originOf(ctx).device, userId);
      await endSessions(db, userId, { id: body.id, current: currentSession(ctx), device });
      return undefined;
    })
    .mount('answerSignIn', async ({ userId, body }) => {
      await answerSignIn(db, userId, { ...body, now: clock.now() });
      return undefined;
    })
    .mount('createRecoveryCodes', async ({ ctx, userId, body }) => {
      await limit(ctx);
      return createRecoveryCodes(context, userId, body.password);
    })
    .mount('logout', async ({ ctx }) => {
      await keeper.close(ctx);
      return undefined;
    })
    .mount('loginPage', ({ ctx }) => {
      const { next } = ctx.query;
      ctx.redirect(signInAddress(typeof next === 'string' ? next : ''));
      return Promise.resolve(undefined);
    })
    .mount('updateUser', async ({ ctx, userId, body }) => {
      await limit(ctx);
      return changeUser(context, userId, body);
    })
    .mount('uploadPicture', async ({ ctx, userId }) => {
      await context.attempts.count([['picture', userId]], errors.rateLimited);
      await storePicture(context, userId, await encodePicture(await readPicture(ctx.req)));
      return accountOf(db, userId, clock.now());
    })
    .mount('picture', async ({ ctx, params }) => {
      ctx.body = await pictureWith(db, params.hash);
      ctx.type = 'image/webp';
      ctx.set('x-content-type-options', 'nosniff');
      return undefined;
    })
    .mount('changePassword', async ({ ctx, userId, body }) => {
      await limit(ctx);
      const session = await changePassword(context, userId, body);
      await rememberOrigin(context, userId, signIns.originOf(ctx));
      await keeper.open(ctx, session);
      return undefined;
    });
}
