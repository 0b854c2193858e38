import { createHmac, timingSafeEqual } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import type { Clock } from '#platform/clock.ts';

/** Tokens that open a poll before its start and the preview of its page, for the operator. */
export interface PreviewLinks {
  /** A token for one poll that expires after `limits.previewLinkDays`. */
  issue(pollId: string): string;
  isValid(pollId: string, token: string): boolean;
}

/** Time of expiry in base 36, dot, signature. */
const tokenPattern = /^([0-9a-z]{1,10})\.([\w-]{43})$/;

/** `keys` are the site’s signing keys, newest first; a token is valid while its key is among them. */
export function previewLinks(keys: readonly string[], clock: Clock): PreviewLinks {
  return {
    issue(pollId) {
      const [newest] = keys;
      if (newest === undefined) throw new Error('There is no key to sign preview links with.');
      const expires = (clock.now() + limits.previewLinkDays * 86_400_000).toString(36);
      return `${expires}.${sign(pollId, expires, newest)}`;
    },
    isValid(pollId, token) {
      const [, expires, signature] = tokenPattern.exec(token) ?? [];
      if (expires === undefined || signature === undefined || parseInt(expires, 36) <= clock.now()) return false;
      const given = Buffer.from(signature);
      return keys.some((key) => timingSafeEqual(given, Buffer.from(sign(pollId, expires, key))));
    },
  };
}

/** The prefix keeps these signatures distinct from cookie signatures, which use the same keys. */
function sign(pollId: string, expires: string, key: string): string {
  return createHmac('sha256', key).update(`poll preview ${pollId} ${expires}`).digest('base64url');
}
