import { randomInt, timingSafeEqual } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import { errors } from '#platform/errors.ts';
import { hashSecret } from '#platform/hash-secret.ts';

/** A code of six digits to mail. */
export const newMailedCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** The digest of a mailed code; without what it belongs to, all codes could be hashed in a second. */
export const mailedCodeDigest = (owner: string, code: string): string => hashSecret(`${owner} ${code}`);

/**
 * Throws EMAIL_CODE_WRONG while there are tries left, then EMAIL_CODE_EXPIRED, unless a code is the one with the stored digest
 * (null: none was mailed yet). `tries` has this one.
 */
export function requireMailedCode(
  owner: string,
  code: string,
  { digest, tries }: { readonly digest: string | null; readonly tries: number },
): void {
  if (digest !== null && timingSafeEqual(Buffer.from(digest), Buffer.from(mailedCodeDigest(owner, code)))) return;
  const left = limits.mailedCodeTries - tries;
  throw left > 0 ? errors.emailCodeWrong(left) : errors.emailCodeExpired();
}
