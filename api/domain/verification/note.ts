import { sha256 } from '@noble/hashes/sha2.js';
import { concat, equalBytes, fromBase64, fromHex, toBase64, toHex, utf8 } from './bytes.ts';
import { hashBytes } from './merkle.ts';
import type { TreeHead } from './merkle.ts';

/** Signed notes and checkpoints: C2SP signed-note and tlog-checkpoint, with Ed25519. */

/** Signature types of keys: a log’s of its checkpoints, and a witness’s of those that it has seen (C2SP tlog-cosignature). */
export const keyTypes = { log: 1, witness: 4 } as const;
type KeyType = (typeof keyTypes)[keyof typeof keyTypes];

const dash = '\u2014';

/** Verifies an Ed25519 signature: 32-byte key, message, 64-byte signature. */
export type Verify = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => Promise<boolean> | boolean;
/** Signs a message: a 64-byte Ed25519 signature. */
export type Sign = (message: Uint8Array) => Uint8Array;

/** The id of a key under a name, four bytes: one key has another id for every log it signs. */
export const keyIdOf = (name: string, publicKey: Uint8Array, type: KeyType = keyTypes.log): Uint8Array =>
  sha256(concat(utf8(`${name}\n`), Uint8Array.of(type), publicKey)).subarray(0, 4);

/** A verifier key: name, key id in hexadecimal, type and public key in base64, joined with “+”. */
export const verifierKey = (name: string, publicKey: Uint8Array, type: KeyType = keyTypes.log): string =>
  `${name}+${toHex(keyIdOf(name, publicKey, type))}+${toBase64(concat(Uint8Array.of(type), publicKey))}`;

/** An Ed25519 key, 32 bytes, and the name that it signs with. */
export interface NamedKey {
  readonly name: string;
  readonly publicKey: Uint8Array;
}

/** The key of a verifier key; null if it isn’t one of this type, or its parts don’t match. */
export function parseVerifierKey(text: string, type: KeyType = keyTypes.log): NamedKey | null {
  // Base64 has plus signs too: the first two separate the parts.
  const [, name, id, key] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  const bytes = fromBase64(key ?? '');
  if (name === undefined || bytes?.length !== 33 || bytes[0] !== type) return null;
  const publicKey = bytes.subarray(1);
  return equalBytes(keyIdOf(name, publicKey, type), fromHex(id!)!) ? { name, publicKey } : null;
}

/** The text of a checkpoint, which is signed. */
export const checkpointText = (origin: string, { size, root }: TreeHead): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`;

/** A line of a note with a key’s id and what it signed, with its newline. */
export const lineOf = (name: string, keyId: Uint8Array, signature: Uint8Array): string =>
  `${dash} ${name} ${toBase64(concat(keyId, signature))}\n`;

/** A signature line, with its newline. */
export const signatureLine = (text: string, name: string, publicKey: Uint8Array, sign: Sign): string =>
  lineOf(name, keyIdOf(name, publicKey), sign(utf8(text)));

/** A note: its text and the lines of its signatures. */
export const signedNote = (text: string, ...signatures: readonly string[]): string => `${text}\n${signatures.join('')}`;

/** A checkpoint that a note carries. */
export interface Checkpoint extends TreeHead {
  readonly origin: string;
}

/** The text of a note, which is signed; empty if it has none. */
export const textOf = (note: string): string => note.slice(0, note.lastIndexOf('\n\n') + 1);

/**
 * The checkpoint of a note without looking at its signatures; null if it has none. Other logs may add lines of their own
 * (`extended`); those of this software don’t.
 */
export function parseCheckpoint(note: string, { extended = false } = {}): Checkpoint | null {
  const [origin, sizeText, rootText, ...rest] = textOf(note).split('\n');
  const root = fromBase64(rootText ?? '');
  if (!origin || !/^(?:0|[1-9]\d{0,14})$/.test(sizeText ?? '') || root?.length !== hashBytes) return null;
  const isWhole = rest.at(-1) === '' && (extended ? !rest.slice(0, -1).includes('') : rest.length === 1);
  return isWhole ? { origin, size: Number(sizeText), root } : null;
}

/** The signatures of a note by a key, without its id; lines of other keys, such as those of witnesses, are ignored. */
export function signaturesBy({ name, publicKey }: NamedKey, note: string, type: KeyType = keyTypes.log): Uint8Array[] {
  const keyId = keyIdOf(name, publicKey, type);
  return note
    .slice(textOf(note).length + 1)
    .split('\n')
    .flatMap((line) => {
      const [start, signer, encoded, ...rest] = line.split(' ');
      const bytes = start === dash && signer === name && rest.length === 0 ? fromBase64(encoded ?? '') : null;
      return bytes && equalBytes(bytes.subarray(0, 4), keyId) ? [bytes.subarray(4)] : [];
    });
}

/** Whether one of the keys signed a note; a wrong signature of any of them spoils it. */
export async function checkSignatures(
  note: string,
  keys: readonly NamedKey[],
  verify: Verify,
): Promise<'ok' | 'unknown-key' | 'bad-signature'> {
  const message = utf8(textOf(note));
  let isSigned = false;
  for (const key of keys)
    for (const signature of signaturesBy(key, note)) {
      if (signature.length !== 64 || !(await verify(key.publicKey, message, signature))) return 'bad-signature';
      isSigned = true;
    }
  return isSigned ? 'ok' : 'unknown-key';
}

/** The checkpoint of a note that one of the keys signed under the checkpoint’s origin. */
export async function openCheckpoint(
  note: string,
  keys: readonly Uint8Array[],
  verify: Verify,
): Promise<Checkpoint | 'bad-format' | 'unknown-key' | 'bad-signature'> {
  const checkpoint = parseCheckpoint(note);
  if (!checkpoint) return 'bad-format';
  const named = keys.map((publicKey) => ({ name: checkpoint.origin, publicKey }));
  const outcome = await checkSignatures(note, named, verify);
  return outcome === 'ok' ? checkpoint : outcome;
}
