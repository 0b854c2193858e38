import { createPrivateKey, createPublicKey, hash, sign, verify } from 'node:crypto';
import { toBase64 } from '#domain/verification/bytes.ts';
import type { TreeHead } from '#domain/verification/merkle.ts';
import { checkpointText, signatureLine, signedNote, verifierKey } from '#domain/verification/note.ts';
import type { Verify } from '#domain/verification/note.ts';

/** SHA-256 by Node. A latin1 text, alias "binary", is two to three times as fast as asking for a buffer. */
export const sha256 = (bytes: Uint8Array): Buffer => Buffer.from(hash('sha256', bytes, 'binary'), 'latin1');

/** The same, written to 32 bytes of `target`. */
export const sha256Into = (bytes: Uint8Array, target: Buffer, at: number): void =>
  void target.write(hash('sha256', bytes, 'binary'), at, 'latin1');

/** A key that signs checkpoints, made of its 32-byte seed. */
export interface LogKey {
  readonly publicKey: Uint8Array;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

/** What precedes the seed of an Ed25519 key in PKCS #8. */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** What precedes an Ed25519 key in its DER encoding. */
const spki = Buffer.from('302a300506032b6570032100', 'hex');

/** Verifies Ed25519 by Node; false for a key that isn’t a point. */
export const verifySignature: Verify = (publicKey, message, signature) => {
  try {
    const key = createPublicKey({ key: Buffer.concat([spki, publicKey]), format: 'der', type: 'spki' });
    return verify(null, message, key, signature);
  } catch {
    return false;
  }
};

/** The key of a seed: 64 hexadecimal digits. */
export function logKeyOf(seed: string): LogKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8, Buffer.from(seed, 'hex')]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
  return { publicKey, sign: (message) => sign(null, message, privateKey) };
}

/** A checkpoint as a note that every one of the keys has signed. */
export function signedCheckpoint(origin: string, head: TreeHead, keys: readonly LogKey[]): string {
  const text = checkpointText(origin, head);
  return signedNote(text, ...keys.map((key) => signatureLine(text, origin, key.publicKey, key.sign)));
}

/** The verifier keys of an origin, as they are published. */
export const verifierKeysOf = (origin: string, publicKeys: readonly Uint8Array[]): string[] =>
  publicKeys.map((publicKey) => verifierKey(origin, publicKey));

/** A public key as the database has it. */
export const publicKeyText = (key: Pick<LogKey, 'publicKey'>): string => toBase64(key.publicKey);
