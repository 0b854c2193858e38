import * as limits from '#contract/limits.ts';
import type { Clock } from '#platform/clock.ts';
import { signatures } from '#platform/signatures.ts';

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
  const signed = signatures(keys, 'poll preview');
  return {
    issue(pollId) {
      const expires = (clock.now() + limits.previewLinkDays * 86_400_000).toString(36);
      return `${expires}.${signed.sign(`${pollId} ${expires}`)}`;
    },
    isValid(pollId, token) {
      const [, expires, signature] = tokenPattern.exec(token) ?? [];
      if (expires === undefined || signature === undefined || parseInt(expires, 36) <= clock.now()) return false;
      return signed.isValid(`${pollId} ${expires}`, signature);
    },
  };
}
