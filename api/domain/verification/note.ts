import { concat, equalBytes, fromBase64, fromHex, toBase64, toHex, utf8 } from './bytes.ts';
import { hashBytes } from './merkle.ts';
import type { TreeHead } from './merkle.ts';
import { sha256 } from './sha256.ts';

/** Signed notes and checkpoints: C2SP signed-note and tlog-checkpoint, with Ed25519. */

const algorithm = 1;
const dash = '\u2014';

/** Verifies an Ed25519 signature: 32-byte key, message, 64-byte signature. */
export type Verify = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => Promise<boolean> | boolean;
/** Signs a message: a 64-byte Ed25519 signature. */
export type Sign = (message: Uint8Array) => Uint8Array;

/** The id of a key under a name, four bytes: one key has another id for every log it signs. */
export const keyIdOf = (name: string, publicKey: Uint8Array): Uint8Array =>
  sha256(concat(utf8(`${name}\n`), Uint8Array.of(algorithm), publicKey)).subarray(0, 4);

/** A verifier key: name, key id in hexadecimal, algorithm and public key in base64, joined with “+”. */
export const verifierKey = (name: string, publicKey: Uint8Array): string =>
  `${name}+${toHex(keyIdOf(name, publicKey))}+${toBase64(concat(Uint8Array.of(algorithm), publicKey))}`;

/** Name and 32-byte Ed25519 key of a verifier key; null if it isn’t one, or its parts don’t match. */
export function parseVerifierKey(text: string): { name: string; publicKey: Uint8Array } | null {
  // Base64 has plus signs too: the first two separate the parts.
  const [, name, id, key] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  const bytes = fromBase64(key ?? '');
  if (name === undefined || bytes?.length !== 33 || bytes[0] !== algorithm) return null;
  const publicKey = bytes.subarray(1);
  return equalBytes(keyIdOf(name, publicKey), fromHex(id!)!) ? { name, publicKey } : null;
}

/** The text of a checkpoint, which is signed. */
export const checkpointText = (origin: string, { size, root }: TreeHead): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`;

/** A signature line, with its newline. */
export const signatureLine = (text: string, name: string, publicKey: Uint8Array, sign: Sign): string =>
  `${dash} ${name} ${toBase64(concat(keyIdOf(name, publicKey), sign(utf8(text))))}\n`;

/** A note: its text and the lines of its signatures. */
export const signedNote = (text: string, ...signatures: readonly string[]): string => `${text}\n${signatures.join('')}`;

/** A checkpoint that a note carries. */
export interface Checkpoint extends TreeHead {
  readonly origin: string;
}

/** The checkpoint of a note without looking at its signatures; null if it has none. */
export function parseCheckpoint(note: string): Checkpoint | null {
  const text = note.slice(0, note.lastIndexOf('\n\n') + 1);
  const [origin, sizeText, rootText, ...rest] = text.split('\n');
  const root = fromBase64(rootText ?? '');
  if (!origin || !/^(?:0|[1-9]\d{0,14})$/.test(sizeText ?? '') || root?.length !== hashBytes) return null;
  return rest.length === 1 && rest[0] === '' ? { origin, size: Number(sizeText), root } : null;
}

/**
 * The checkpoint of a note that one of the keys signed under the checkpoint’s origin. Lines of other keys are ignored, such
 * as those of witnesses.
 */
export async function openCheckpoint(
  note: string,
  keys: readonly Uint8Array[],
  verify: Verify,
): Promise<Checkpoint | 'bad-format' | 'unknown-key' | 'bad-signature'> {
  const checkpoint = parseCheckpoint(note);
  if (!checkpoint) return 'bad-format';
  const at = note.lastIndexOf('\n\n') + 1;
  const message = utf8(note.slice(0, at));
  let known = false;
  for (const line of note.slice(at + 1).split('\n')) {
    const [start, name, encoded, ...rest] = line.split(' ');
    if (start !== dash || name !== checkpoint.origin || rest.length > 0) continue;
    const signature = fromBase64(encoded ?? '');
    const id = signature?.subarray(0, 4);
    const key = id && keys.find((candidate) => equalBytes(keyIdOf(name, candidate), id));
    if (!signature || !key) continue;
    if (signature.length !== 68 || !(await verify(key, message, signature.subarray(4)))) return 'bad-signature';
    known = true;
  }
  return known ? checkpoint : 'unknown-key';
}
