import { hash, randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import { limits } from '#contract/limits.ts';
import { deviceIdHeader, deviceIdPattern } from '#contract/vocabulary.ts';
import type { Voter } from './voting.service.ts';

const cookieName = 'wv_voter';
const wellFormed = new RegExp(deviceIdPattern);

/** The voter behind a request, or null when it carries no device id and no voter cookie. */
export function voterOf(ctx: Context): Voter | null {
  const deviceId = ctx.get(deviceIdHeader);
  const fingerprint = wellFormed.test(deviceId) ? hash('sha256', deviceId, 'base64url') : null;
  const cookie = ctx.cookies.get(cookieName, { signed: true }) ?? null;
  return fingerprint === null && cookie === null ? null : { fingerprint, cookie, userId: null };
}

/** A new value for the voter cookie. */
export function mintVoterCookie(): string {
  return randomBytes(24).toString('base64url');
}

/** Hands the voter cookie to the browser. `secure` keeps it off plain HTTP. */
export function sendVoterCookie(ctx: Context, value: string, secure: boolean): void {
  // The public address decides: behind a proxy the connection itself is plain.
  ctx.cookies.secure = secure;
  ctx.cookies.set(cookieName, value, {
    signed: true,
    secure,
    httpOnly: true,
    sameSite: 'lax',
    maxAge: limits.voterCookieDays * 86_400_000,
  });
}
