import { hash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { deviceIdHeader, deviceIdPattern } from '#contract/vocabulary.ts';
import type { Clock } from '#platform/clock.ts';
import { errors } from '#platform/errors.ts';
import { signedInUser } from '#platform/session.ts';

/** The person behind a request; any of the three may be known. Digests and cookie values, never a raw device id. */
export interface Voter {
  /** Digest of the device id. */
  readonly fingerprint: string | null;
  /** Value of the signed voter cookie. */
  readonly cookie: string | null;
  readonly userId: string | null;
}

/** A voter whose device is known. */
export interface IdentifiedVoter extends Voter {
  readonly fingerprint: string;
}

export const voterCookieDays = 400;
const cookieName = 'wv_voter';
/** Value, dot, signature. */
const cookiePattern = new RegExp(`(?:^|;) *${cookieName}=([0-9a-z]{30,43})\\.([\\w-]{43})(?:;|$)`);
const wellFormed = new RegExp(deviceIdPattern);

/**
 * The voter behind a request, or null when nothing identifies one. The device id is in the header, or passed as
 * `deviceId` where the call carries it elsewhere.
 */
export function voterOf(ctx: Context, deviceId = ctx.get(deviceIdHeader)): Voter | null {
  const fingerprint = wellFormed.test(deviceId) ? hash('sha256', deviceId, 'base64url') : null;
  const cookie = cookieOf(ctx);
  const userId = signedInUser(ctx);
  return fingerprint === null && cookie === null && userId === null ? null : { fingerprint, cookie, userId };
}

/** The result of casting a vote: the answer, or the refusal with the cookie of the earlier vote if one exists. */
export type CastAnswer<T> =
  | { readonly recorded: true; readonly answer: T }
  | { readonly recorded: false; readonly refusal: Error; readonly cookie?: string | null };

/**
 * Casts votes for the voter behind a request and sets the voter cookie when one is recorded. Throws DEVICE_ID_REQUIRED,
 * and the refusal of a vote that does not count. `deviceId` as for {@link voterOf}.
 */
export function votesWithCookie({ clock, publicUrl }: { readonly clock: Clock; readonly publicUrl: string }) {
  const sendCookie = voterCookieSender(publicUrl);
  return async <T>(
    ctx: Context,
    deviceId: string | undefined,
    cast: (voter: IdentifiedVoter & { cookie: string }) => Promise<CastAnswer<T>>,
  ): Promise<T> => {
    const voter = voterOf(ctx, deviceId);
    if (!voter?.fingerprint) throw errors.deviceIdRequired();
    const { fingerprint, userId } = voter;
    const cookie = voter.cookie ?? mintVoterCookie(clock.now());
    const outcome = await cast({ fingerprint, cookie, userId });
    if (!outcome.recorded) {
      // A browser that lost its cookie but kept its device id gets back the one that the vote was cast with.
      if (voter.cookie === null && outcome.cookie) sendCookie(ctx, outcome.cookie);
      throw outcome.refusal;
    }
    if (voter.cookie === null) sendCookie(ctx, cookie);
    return outcome.answer;
  };
}

/**
 * A new value for the voter cookie: the time and 122 random bits. With the time in front, new values are neighbors in
 * the index, and a batch of votes writes one page of it instead of one per vote.
 */
function mintVoterCookie(now: number): string {
  return now.toString(36) + randomUUID().replaceAll('-', '');
}

/** Sets the voter cookie; for an https `publicUrl` it is secure. */
function voterCookieSender(publicUrl: string): (ctx: Context, value: string) => void {
  const maxAge = voterCookieDays * 86_400;
  const secure = publicUrl.startsWith('https:') ? '; secure' : '';
  const attributes = `path=/; max-age=${maxAge}; httponly; samesite=lax${secure}`;
  return (ctx, value) => {
    const [newest] = keysOf(ctx);
    if (newest === undefined) throw new Error('No key is configured to sign the voter cookie.');
    ctx.append('set-cookie', `${cookieName}=${value}.${sign(value, newest)}; ${attributes}`);
  };
}

/** The value of the voter cookie, or null without a valid signature. */
function cookieOf(ctx: Context): string | null {
  const [, value, signature] = cookiePattern.exec(ctx.get('cookie')) ?? [];
  if (value === undefined || signature === undefined) return null;
  const given = Buffer.from(signature);
  return keysOf(ctx).some((key) => timingSafeEqual(given, Buffer.from(sign(value, key)))) ? value : null;
}

/** SHA-3 with the key as a prefix is a sound signature; an HMAC would cost each new voter three times as much. */
function sign(value: string, key: string): string {
  return hash('sha3-256', `${key} ${cookieName}=${value}`, 'base64url');
}

/** Keys that sign cookies, newest first. */
function keysOf(ctx: Context): readonly string[] {
  return Array.isArray(ctx.app.keys) ? ctx.app.keys : [];
}
