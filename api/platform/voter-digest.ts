import { createHmac, createSecretKey } from 'node:crypto';

/** Keyed digests of what identifies a voter, as 32 hexadecimal digits; the database stores their 16 bytes. */
export interface VoterDigests {
  /** Of the SHA-256 digest of a device id, in base64url. */
  device(fingerprint: string): string;
  /** Of the value of a voter cookie: four bytes of the time it was made at, twelve of its digest. */
  cookie(value: string): string;
}

/** Digests by HMAC-SHA-256 under the installation's key: without it, nobody can tell from the database who voted. */
export function voterDigests(voterKey: string): VoterDigests {
  const key = createSecretKey(Buffer.from(voterKey));
  const digest = (value: string) => createHmac('sha256', key).update(value).digest('hex');
  return {
    device: (fingerprint) => digest(fingerprint).slice(0, 32),
    // With the time in front, new digests are neighbors in the index, and a batch of votes writes one page of it.
    cookie: (value) => madeAt(value).toString(16).padStart(8, '0') + digest(value).slice(0, 24),
  };
}

/** Seconds since 1970 at which a voter cookie was made; 0 for values that don't say. */
function madeAt(value: string): number {
  const seconds =
    value.length === 40 ? Number.parseInt(value.slice(0, 8), 36) / 1_000 : Number.parseInt(value.slice(0, 6), 36);
  const isKnown = (value.length === 40 || value.length === 38) && seconds < 2 ** 32;
  return isKnown ? Math.floor(seconds) : 0;
}
