import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import { knownDeviceCookie } from '#contract/vocabulary.ts';
import { deviceName } from '#domain/device-name.ts';
import { clientAddress } from '#platform/middleware.ts';
import type { SessionKeeper } from '#platform/session.ts';
import type { Voters } from '#api/voting/voter.ts';
import type { SignIn, SignInOrigin } from './accounts.service.ts';
import { deviceCookieDays } from './known-devices.service.ts';

/** What all ways to sign in do with a request and its response. */
export interface SignInRoutes {
  /** Where a request comes from; a device that has none gets the cookie by which it is recognized. */
  originOf(ctx: Context): SignInOrigin;
  /** Opens the session; returns the user. */
  open<U>(ctx: Context, signIn: SignIn<U>): Promise<U>;
}

const secretPattern = /^[\w-]{43}$/;

export function signInRoutes({
  keeper,
  voters,
}: {
  readonly keeper: SessionKeeper;
  readonly voters: Voters;
}): SignInRoutes {
  const name = keeper.secure ? `__Host-${knownDeviceCookie}` : knownDeviceCookie;
  const attributes = `path=/; max-age=${deviceCookieDays * 86_400}; httponly; samesite=strict${keeper.secure ? '; secure' : ''}`;
  const deviceOf = (ctx: Context) => {
    const given = ctx.cookies.get(name) ?? '';
    if (secretPattern.test(given)) return given;
    const device = randomBytes(32).toString('base64url');
    ctx.append('set-cookie', `${name}=${device}; ${attributes}`);
    return device;
  };
  return {
    originOf: (ctx) => ({
      ...{ address: clientAddress(ctx), voter: voters.of(ctx) },
      ...{ device: deviceOf(ctx), deviceName: deviceName(ctx.get('user-agent')) },
    }),
    async open(ctx, { user, session }) {
      await keeper.open(ctx, session);
      return user;
    },
  };
}
