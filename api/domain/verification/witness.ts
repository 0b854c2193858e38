import { sha256 } from '@noble/hashes/sha2.js';
import { concat, equalBytes, fromBase64, toBase64, uint32, utf8 } from './bytes.ts';
import { hashBytes, verifyConsistency } from './merkle.ts';
import type { TreeHead } from './merkle.ts';
import { keyIdOf, keyTypes, lineOf, parseVerifierKey, signaturesBy, textOf, verifierKey } from './note.ts';
import type { NamedKey, Sign, Verify } from './note.ts';

/**
 * Witnesses: C2SP tlog-witness and tlog-cosignature, with Ed25519. A witness signs that it saw a log grow, so that a log
 * that shows its readers different histories needs a dishonest witness for each of them.
 */

/** Hashes that a consistency proof may have. */
const mostHashes = 63;

/** The verifier key of a witness. */
export const witnessKey = (name: string, publicKey: Uint8Array): string =>
  verifierKey(name, publicKey, keyTypes.witness);

/** The key of a witness’s verifier key; null if it isn’t one. */
export const parseWitnessKey = (text: string): NamedKey | null => parseVerifierKey(text, keyTypes.witness);

const cosignedBytes = (text: string, seconds: number): Uint8Array => utf8(`cosignature/v1\ntime ${seconds}\n${text}`);

/** A witness’s line for a note with the text of a checkpoint. `seconds`: when it saw it. */
export function cosignatureLine(text: string, { name, publicKey }: NamedKey, sign: Sign, seconds: number): string {
  const time = concat(uint32(Math.floor(seconds / 2 ** 32)), uint32(seconds % 2 ** 32));
  return lineOf(name, keyIdOf(name, publicKey, keyTypes.witness), concat(time, sign(cosignedBytes(text, seconds))));
}

/** A cosignature that was verified: when the witness saw the checkpoint, and its line of the note. */
export interface Cosignature {
  readonly seconds: number;
  readonly line: string;
}

/** The newest cosignature of a note by a witness; null if there is none. */
export async function cosignatureBy(
  witness: NamedKey,
  note: string,
  verify: Verify,
): Promise<Cosignature | null | 'bad-signature'> {
  const { name, publicKey } = witness;
  let newest: Cosignature | null = null;
  for (const signature of signaturesBy(witness, note, keyTypes.witness)) {
    if (signature.length !== 72) return 'bad-signature';
    const view = new DataView(signature.buffer, signature.byteOffset);
    const seconds = view.getUint32(0) * 2 ** 32 + view.getUint32(4);
    // Without its time, it would not say what was the largest tree then.
    if (seconds === 0 || seconds > Number.MAX_SAFE_INTEGER) return 'bad-signature';
    if (!(await verify(publicKey, cosignedBytes(textOf(note), seconds), signature.subarray(8)))) return 'bad-signature';
    const line = lineOf(name, keyIdOf(name, publicKey, keyTypes.witness), signature);
    if (newest === null || seconds > newest.seconds) newest = { seconds, line };
  }
  return newest;
}

/** A request for a cosignature: the size of the log that the witness knows, the proof that it only grew, and its checkpoint. */
export interface AddCheckpoint {
  readonly oldSize: number;
  readonly proof: readonly Uint8Array[];
  /** As a signed note. */
  readonly note: string;
}

/** The body of a request for a cosignature. */
export const addCheckpointBody = ({ oldSize, proof, note }: AddCheckpoint): string =>
  `old ${oldSize}\n${proof.map((hash) => `${toBase64(hash)}\n`).join('')}\n${note}`;

/** The request of a body; null if it has another form. */
export function parseAddCheckpoint(body: string): AddCheckpoint | null {
  const end = body.indexOf('\n\n');
  const [old = '', ...lines] = body.slice(0, Math.max(end, 0)).split('\n');
  const note = body.slice(end + 2);
  const oldSize = /^old (0|[1-9]\d{0,14})$/.exec(old)?.[1];
  const proof = lines.map(fromBase64);
  const hashes = proof.filter((hash) => hash?.length === hashBytes) as Uint8Array[];
  const isNote = /^[^\p{Cc}]+\n(?:[^\p{Cc}]+\n)+\n(?:\u2014 \S+ \S+\n)+$/u.test(note);
  if (oldSize === undefined || hashes.length < proof.length || hashes.length > mostHashes || !isNote) return null;
  return { oldSize: Number(oldSize), proof: hashes, note };
}

/**
 * What a witness that knows a log up to `known` says to a signed checkpoint of it: `stale`, the log must prove its growth
 * from `known`; `bad-request`, its checkpoint is older than what it begins with; `bad-proof`, no proof that the log only grew.
 */
export function reviewGrowth(
  known: TreeHead,
  { oldSize, proof }: Pick<AddCheckpoint, 'oldSize' | 'proof'>,
  next: TreeHead,
): 'ok' | 'stale' | 'bad-request' | 'bad-proof' {
  if (oldSize > next.size) return 'bad-request';
  if (oldSize !== known.size) return 'stale';
  const isEmpty = next.size === 0;
  if (isEmpty && !equalBytes(next.root, sha256(new Uint8Array()))) return 'bad-proof';
  return verifyConsistency(known, next, proof) ? 'ok' : 'bad-proof';
}
