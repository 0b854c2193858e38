import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs texts of one kind with the site’s signing keys. */
export interface Signatures {
  /** The signature of a text with the newest key. */
  sign(text: string): string;
  /** Whether one of the keys has signed this text. */
  isValid(text: string, signature: string): boolean;
}

/**
 * `keys`: newest first; a signature is valid while its key is among them. `kind` keeps these signatures distinct from others
 * that use the same keys, such as those of cookies. `length`: characters of a signature, of 6 bits each.
 */
export function signatures(keys: readonly string[], kind: string, length = 43): Signatures {
  const signed = (text: string, key: string) =>
    createHmac('sha256', key).update(`${kind} ${text}`).digest('base64url').slice(0, length);
  return {
    sign(text) {
      const [newest] = keys;
      if (newest === undefined) throw new Error(`There is no key to sign with: ${kind}`);
      return signed(text, newest);
    },
    isValid(text, signature) {
      const given = Buffer.from(signature);
      return given.length === length && keys.some((key) => timingSafeEqual(given, Buffer.from(signed(text, key))));
    },
  };
}
