import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs cookies and verifies their signatures, in the form that Koa expects. */
export interface CookieSignatures {
  sign(data: string): string;
  /** 0 for a valid signature, above 0 if it is valid but must be renewed, -1 if it is invalid. */
  index(data: string, signature: string): number;
  verify(data: string, signature: string): boolean;
}

/**
 * HMAC-SHA-256 signatures with the newest key. Signatures with older keys, and the SHA-1 signatures of earlier releases, are
 * accepted and replaced when the cookie is used, so that updating signs nobody out.
 */
export function cookieSignatures(keys: readonly string[]): CookieSignatures {
  const [newest] = keys;
  if (newest === undefined) throw new Error('No key is configured to sign cookies.');
  const accepted = ['sha256', 'sha1'].flatMap((algorithm) => keys.map((key) => [algorithm, key] as const));
  const signWith = (data: string, algorithm: string, key: string) =>
    createHmac(algorithm, key).update(data).digest('base64url');
  const isEqual = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b);
  const index = (data: string, signature: string) =>
    accepted.findIndex(([algorithm, key]) =>
      isEqual(Buffer.from(signWith(data, algorithm, key)), Buffer.from(signature)),
    );
  return {
    sign: (data) => signWith(data, 'sha256', newest),
    index,
    verify: (data, signature) => index(data, signature) >= 0,
  };
}
