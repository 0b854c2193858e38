import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import { passkeyCookie } from '#contract/vocabulary.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { currentSession } from '#platform/session.ts';
import type { SessionKeeper } from '#platform/session.ts';
import type { SignInRoutes } from './sign-in.routes.ts';
import { challengeMs } from './passkey-challenges.service.ts';
import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  confirmMember,
  loginWithPasskey,
  removePasskey,
  renamePasskey,
} from './passkeys.service.ts';
import type { PasskeysContext } from './passkeys.service.ts';

interface PasskeyRoutesContext extends PasskeysContext {
  readonly keeper: SessionKeeper;
}

/** The endpoints of passkeys; `limit` counts requests by address. */
export function mountPasskeys(
  router: EndpointRouter,
  context: PasskeyRoutesContext,
  limit: (ctx: Context) => Promise<void>,
  signIns: SignInRoutes,
): void {
  const { db, keeper } = context;
  const name = keeper.secure ? `__Host-${passkeyCookie}` : passkeyCookie;
  /** Binds a challenge to the browser that asked for it. */
  const setCookie = (ctx: Context, value: string, seconds: number) =>
    ctx.append(
      'set-cookie',
      `${name}=${value}; path=/; max-age=${seconds}; httponly; samesite=strict${keeper.secure ? '; secure' : ''}`,
    );
  router
    .mount('passkeyChallenge', async ({ ctx }) => {
      await limit(ctx);
      const browser = randomBytes(32).toString('base64url');
      const challenge = await beginPasskeyLogin(context, browser);
      setCookie(ctx, browser, challengeMs / 1_000);
      return challenge;
    })
    .mount('loginWithPasskey', async ({ ctx, body }) => {
      await limit(ctx);
      const browser = ctx.cookies.get(name) ?? '';
      const signed = { browser, login: body };
      const user = await signIns.open(ctx, await loginWithPasskey(context, signed, signIns.originOf(ctx)));
      setCookie(ctx, '', 0);
      return user;
    })
    .mount('confirmSession', async ({ ctx, userId, body: { password, passkey } }) => {
      await limit(ctx);
      const signed = passkey ? { browser: ctx.cookies.get(name) ?? '', login: passkey } : null;
      await confirmMember(context, { userId, sid: currentSession(ctx) ?? '' }, { password, signed });
      if (signed !== null) setCookie(ctx, '', 0);
      return undefined;
    })
    .mount('passkeyCreation', async ({ ctx, userId, body }) => {
      await limit(ctx);
      return beginPasskey(context, userId, { ...body, session: currentSession(ctx) ?? '' });
    })
    .mount('addPasskey', async ({ ctx, userId, body }) => {
      await limit(ctx);
      return addPasskey(context, userId, { session: currentSession(ctx) ?? '', passkey: body });
    })
    .mount('renamePasskey', async ({ params, userId, body }) => {
      await renamePasskey(db, userId, params.id, body.name);
      return undefined;
    })
    .mount('removePasskey', async ({ ctx, params, userId, body }) => {
      await limit(ctx);
      await removePasskey(context, userId, { id: params.id, ...body, session: currentSession(ctx) ?? '' });
      return undefined;
    });
}
