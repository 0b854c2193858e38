import type { Context } from 'koa';
import { serverLimits } from '#contract/server-limits.ts';
import { errors } from './errors.ts';

/** Id of the user whose session a request carries, or null. The middleware of the accounts room has put it there. */
export function signedInUser(ctx: Context): string | null {
  const { userId } = ctx.state as { userId?: string };
  return userId ?? null;
}

/** The same when the account is older than a day; a younger one meets the limits of people without an account. */
export function establishedUser(ctx: Context, now: number): string | null {
  const { userId, userSince = now } = ctx.state as { userId?: string; userSince?: number };
  return userId !== undefined && now - userSince >= serverLimits.accountYoungHours * 3_600_000 ? userId : null;
}

/** The same for what only signed-in people may do; throws UNAUTHENTICATED. */
export function requireUser(ctx: Context): string {
  const userId = signedInUser(ctx);
  if (userId === null) throw errors.unauthenticated();
  return userId;
}
