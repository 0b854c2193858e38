import { hmacSha256 } from './hmac.ts';

/** Keyed digests of what identifies a voter: 32 hexadecimal digits each, for 16 bytes in the database. */
export interface VoterDigests {
  /** Digest of a device's fingerprint, which is the SHA-256 digest of its id in base64url. */
  device(fingerprint: string): string;
  /** The same, and as many digits that only this installation can compute, and that are stored nowhere. */
  deviceAndSecret(fingerprint: string): { readonly device: string; readonly secret: string };
  /** Digest of a voter cookie's value. It begins with the time of the cookie, so that new ones are neighbors in the index. */
  cookie(value: string): string;
}

/**
 * The digests of one installation, by its `voterKey`. Databases contain them, and nothing turns them back: a change here
 * would let everyone vote again.
 */
export function voterDigests(voterKey: string): VoterDigests {
  const hmac = hmacSha256(Buffer.from(voterKey));
  const digest = (value: string) => hmac(value, { message: 'utf8', digest: 'hex' });
  return {
    device: (fingerprint) => digest(fingerprint).slice(0, 32),
    deviceAndSecret(fingerprint) {
      const digits = digest(fingerprint);
      return { device: digits.slice(0, 32), secret: digits.slice(32) };
    },
    cookie: (value) => secondsOf(value).toString(16).padStart(8, '0') + digest(value).slice(0, 24),
  };
}

/** When a cookie was made, in seconds since 1970, which fit into 32 bits; 0 where its value has another format. */
function secondsOf(value: string): number {
  const seconds =
    value.length === 40
      ? Math.floor(parseInt(value.slice(0, 8), 36) / 1_000)
      : value.length === 38
        ? parseInt(value.slice(0, 6), 36)
        : 0;
  return Number.isNaN(seconds) ? 0 : seconds;
}
