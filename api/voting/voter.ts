import { hash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import {
  deviceIdHeader,
  deviceIdPattern,
  embeddedHeader,
  nonceHeader,
  noncePattern,
  optionOrderHeader,
} from '#contract/vocabulary.ts';
import { circumstances } from '#domain/integrity/vote-traits.ts';
import { writeInFindings } from '#domain/community-poll-rules.ts';
import { seenPolls } from '#domain/seen-results.ts';
import type { Clock } from '#platform/clock.ts';
import { errors } from '#platform/errors.ts';
import { headerOf } from '#platform/middleware.ts';
import { signedInUser } from '#platform/session.ts';
import { voterDigests } from '#platform/voter-digest.ts';
import { nonceText } from '#texts/errors.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import type { Chosen } from './choices.model.ts';

// Routes import no models.
export type { Chosen } from './choices.model.ts';

/** The person behind a request; any of the three may be known. Digests as in `platform/voter-digest`, never raw values. */
export interface Voter {
  readonly device: string | null;
  /** Of the signed voter cookie. */
  readonly cookie: string | null;
  readonly userId: string | null;
}

/** A voter as a vote is recorded: with a device, and with the cookie that the response sets if there was none. */
export interface IdentifiedVoter extends Voter {
  readonly device: string;
}

export const voterCookieDays = 400;
/** A signed cookie: value, dot, signature. */
const cookieNamed = (name: string) => ({
  name,
  pattern: new RegExp(`(?:^|;) *${name}=([0-9a-z]{30,43})\\.([\\w-]{43})(?:;|$)`),
});
const voterCookie = cookieNamed('wv_voter');
/** That of ballots in other sites’ pages, of which a browser has one for each of these sites. */
const embedCookie = cookieNamed('wv_embed');
const isEmbedded = (ctx: Context): boolean => headerOf(ctx.req, embeddedHeader) !== '';
const wellFormed = new RegExp(deviceIdPattern);
const nonceFormat = new RegExp(noncePattern);

/** Recognizes the voters behind requests. */
export interface Voters {
  /**
   * The voter behind a request, or null when nothing identifies one. The device id is in the header, or passed as
   * `deviceId` where the call carries it elsewhere.
   */
  of(ctx: Context, deviceId?: string): Voter | null;
  /** The same for a vote. Throws DEVICE_ID_REQUIRED, and FORBIDDEN_ORIGIN in an embed where no site may have ballots. */
  identify(ctx: Context, deviceId?: string): VoterWithCookie;
}

/** A voter about to vote, and what to do about the cookie. */
interface VoterWithCookie {
  readonly voter: IdentifiedVoter;
  /** The request brought a valid voter cookie. */
  readonly hadCookie: boolean;
  /** Sets the voter cookie of a recorded vote, if the browser had none. */
  readonly remember: () => void;
  /** Gives a browser that lost its cookie, but kept its device id, the one of its earlier vote, whose digest this is. */
  readonly restore: (cookie: string | null) => void;
}

/** Voters of the installation with this key; for an https `publicUrl` their cookie is secure. */
export function createVoters(options: {
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly voterKey: string;
  /** Other sites’ pages may have ballots. */
  readonly embedVoting: boolean;
}): Voters {
  const { clock, publicUrl, voterKey, embedVoting } = options;
  const digests = voterDigests(voterKey);
  const secure = publicUrl.startsWith('https:') ? '; secure' : '';
  const attributes = `path=/; max-age=${voterCookieDays * 86_400}; httponly; samesite=lax${secure}`;
  const embedAttributes = `path=/; max-age=${voterCookieDays * 86_400}; httponly; samesite=none; secure; partitioned`;

  const deviceOf = (deviceId: string) =>
    wellFormed.test(deviceId) ? digests.deviceAndSecret(hash('sha256', deviceId, 'base64url')) : null;
  /** The cookie of a device: the time in seconds, and 128 bits. */
  const cookieValue = (secret: string, seconds: number) => seconds.toString(36).padStart(6, '0') + secret;
  const send = (ctx: Context, value: string) => {
    const [newest] = keysOf(ctx);
    if (newest === undefined) throw new Error('No key is configured to sign the voter cookie.');
    // A vote that takes longer than its request may is recorded all the same.
    if (ctx.res.headersSent) return;
    const [{ name }, kept] = isEmbedded(ctx) ? [embedCookie, embedAttributes] : [voterCookie, attributes];
    ctx.res.appendHeader('set-cookie', `${name}=${value}.${sign(name, value, newest)}; ${kept}`);
  };
  /** An embed has no members: a hidden frame could use their sessions. */
  const userOf = (ctx: Context) => (isEmbedded(ctx) ? null : signedInUser(ctx));

  return {
    of(ctx, deviceId = headerOf(ctx.req, deviceIdHeader)) {
      const device = deviceOf(deviceId)?.device ?? null;
      const value = cookieOf(ctx);
      const userId = userOf(ctx);
      if (device === null && value === null && userId === null) return null;
      return { device, cookie: value === null ? null : digests.cookie(value), userId };
    },
    identify(ctx, deviceId = headerOf(ctx.req, deviceIdHeader)) {
      if (isEmbedded(ctx) && !embedVoting) throw errors.forbiddenOrigin();
      const known = cookieOf(ctx);
      const identity = deviceOf(deviceId);
      if (identity === null) throw errors.deviceIdRequired();
      const { device, secret } = identity;
      const value = known ?? cookieValue(secret, Math.floor(clock.now() / 1_000));
      return {
        voter: { device, cookie: digests.cookie(value), userId: userOf(ctx) },
        hadCookie: known !== null,
        remember() {
          if (known === null) send(ctx, value);
        },
        restore(cookie) {
          if (known !== null || cookie === null) return;
          // The digest begins with the time, from which the value follows.
          const earlier = cookieValue(secret, Number.parseInt(cookie.slice(0, 8), 16));
          if (digests.cookie(earlier) === cookie) send(ctx, earlier);
        },
      };
    },
  };
}

/**
 * What the browser contributes to the receipt of its vote, 32 hexadecimal digits; made here for one that contributes nothing,
 * as without JavaScript. Throws VALIDATION_FAILED.
 */
export function nonceOf(ctx: Context): string {
  const nonce = headerOf(ctx.req, nonceHeader);
  if (nonce === '') return randomUUID().replaceAll('-', '');
  if (!nonceFormat.test(nonce)) throw errors.validationFailed([{ field: nonceHeader, message: nonceText }]);
  return nonce;
}

/** Bits of what the request tells about a vote on this poll that is counted apart. */
export function circumstancesOf(ctx: Context, pollId: string): number {
  // The browser has looked at the results without voting, and kept the cookie that says so.
  const sawResults = seenPolls(headerOf(ctx.req, 'cookie')).includes(pollId);
  // Only the site’s scripts show another order.
  const isVaried = headerOf(ctx.req, optionOrderHeader) !== '';
  return (
    (sawResults ? circumstances.afterResults.trait : 0) |
    (isVaried ? 0 : circumstances.publishedOrder.trait) |
    (isEmbedded(ctx) ? circumstances.embedded.trait : 0)
  );
}

/** A request names no choice, or more than one. */
const noOneChoice = () =>
  errors.validationFailed(
    fieldErrors([{ keyword: 'required', instancePath: '', params: { missingProperty: 'optionId' } }]),
  );

/** What a request chooses: `optionId`, or the list `optionIds`; throws VALIDATION_FAILED for neither or both. */
export function chosenIn(body: {
  readonly optionId?: string | undefined;
  readonly optionIds?: readonly string[] | undefined;
}): Chosen {
  const [optionId, ...further] = body.optionIds ?? (body.optionId === undefined ? [] : [body.optionId]);
  if (optionId === undefined || (body.optionId !== undefined && body.optionIds !== undefined)) throw noOneChoice();
  return further.length === 0 ? { optionId } : { optionId, further };
}

/**
 * What a request chooses with an answer of its own: no option. Throws VALIDATION_FAILED for a text that can’t be one, or an option
 * besides.
 */
export function writtenIn(text: string, { optionId, optionIds }: Parameters<typeof chosenIn>[0]) {
  const findings = writeInFindings(text);
  if (findings.length > 0) throw errors.validationFailed(fieldErrors(findings));
  if (optionId !== undefined || optionIds !== undefined) throw noOneChoice();
  return { optionId: '', text };
}

/** The value of the voter cookie, or in an embed without it, of that of the embed; null without a valid signature. */
function cookieOf(ctx: Context): string | null {
  return valueOf(ctx, voterCookie) ?? (isEmbedded(ctx) ? valueOf(ctx, embedCookie) : null);
}

function valueOf(ctx: Context, { name, pattern }: typeof voterCookie): string | null {
  const [, value, signature] = pattern.exec(headerOf(ctx.req, 'cookie')) ?? [];
  if (value === undefined || signature === undefined) return null;
  const given = Buffer.from(signature);
  return keysOf(ctx).some((key) => timingSafeEqual(given, Buffer.from(sign(name, value, key)))) ? value : null;
}

/** SHA-3 with the key as a prefix is a sound signature; an HMAC would cost each new voter three times as much. */
function sign(name: string, value: string, key: string): string {
  return hash('sha3-256', `${key} ${name}=${value}`, 'base64url');
}

/** Keys that sign cookies, newest first. */
function keysOf(ctx: Context): readonly string[] {
  return Array.isArray(ctx.app.keys) ? ctx.app.keys : [];
}
