import { sha256 } from '@noble/hashes/sha2.js';
import { equalBytes, fromBase64, fromHex, toBase64 } from './bytes.ts';
import type { Sha256 } from './bytes.ts';
import { hashBytes, leafHash, verifyInclusion } from './merkle.ts';
import { checkSignatures, textOf } from './note.ts';
import type { Verify } from './note.ts';
import { formatOf, numbersOf, tagOf, voteEntry } from './paper.ts';
import type { Paper } from './paper.ts';
import { receiptBytes, receiptOfParts } from './receipt.ts';

/**
 * What the site promises to the voters of one committed batch, with one signature: the leaf of each vote is in the tree of a
 * result an hour after the poll has closed. Each voter gets the way from an own leaf to the root that is signed.
 */

/** Seconds after the closing of a poll within which its votes are in a result. */
export const promisedSeconds = 3_600;

/** What a voter gets and keeps beside the receipt. */
export interface VotePromise {
  /** What the browser contributed to the receipt, and the server’s part: 32 hexadecimal digits each. */
  readonly nonce: string;
  readonly part: string;
  /** The first version of the result that must have the vote. */
  readonly result: number;
  /** Place of the leaf among those that are signed, and the hashes from there to their root in base64. */
  readonly index: number;
  readonly proof: readonly string[];
  /** The signed note. */
  readonly note: string;
}

/** Who signs the promises of an installation, by the origin of one of its polls’ logs. */
export const promiseOrigin = (origin: string): string => `${origin.replace(/\/poll\/.*$/, '')}/promises`;

const first = 'weathervane/promise/v1';
const deadline = `within ${promisedSeconds} seconds after the closing`;

/** The text that is signed. */
export const promiseText = (origin: string, size: number, root: Uint8Array): string =>
  [first, origin, size, toBase64(root), deadline, ''].join('\n');

/** 00, 03, nonce, leaf, and result; the same array for every vote, because each one’s time counts. */
const input = new Uint8Array(2 + receiptBytes + hashBytes + 4);
input[1] = 3;

/** The leaf that is signed: the nonce hides the vote’s own from the other voters of the batch. One block of SHA-256. */
export function promisedLeaf(leaf: Uint8Array, nonce: Uint8Array, result: number, hash: Sha256 = sha256): Uint8Array {
  input.set(nonce, 2);
  input.set(leaf, 2 + receiptBytes);
  for (let at = input.length - 1, rest = result; at >= input.length - 4; at--, rest = Math.floor(rest / 256))
    input[at] = rest % 256;
  return hash(input);
}

/** The tree of a batch: all nodes by level, leaves first; the last node of an odd level is one of the next, too. */
export function promiseTree(leaves: readonly Uint8Array[], hash: (left: Uint8Array, right: Uint8Array) => Uint8Array) {
  const levels: (readonly Uint8Array[])[] = [leaves];
  for (let level = leaves; level.length > 1; levels.push(level)) {
    const next: Uint8Array[] = [];
    for (let at = 0; at + 1 < level.length; at += 2) next.push(hash(level[at]!, level[at + 1]!));
    if (level.length % 2 === 1) next.push(level.at(-1)!);
    level = next;
  }
  return levels;
}

/** A vote that was promised to be in a result. */
export interface PromisedVote {
  readonly receipt: Uint8Array;
  readonly optionId: string;
  /** The other options of a vote for several ones. */
  readonly further?: readonly string[] | undefined;
  readonly promise: VotePromise;
}

/** `other-receipt`: the receipt isn’t made of the nonce and the server’s part. */
export type PromiseVerdict = 'ok' | 'bad-format' | 'other-receipt' | 'unknown-key' | 'bad-signature';

/** The leaf of a vote in the log of its poll; null if an option isn’t on the paper. */
export function leafOfVote(
  paper: Paper,
  vote: Pick<PromisedVote, 'receipt' | 'optionId' | 'further'>,
): Uint8Array | null {
  const options = numbersOf(paper, vote);
  if (options === null) return null;
  return leafHash(voteEntry(formatOf(paper), { receipt: vote.receipt, tag: tagOf(paper), options }));
}

/** Whether a promise is about this vote on the poll of this paper, and signed by one of the keys. */
export async function checkPromise(
  paper: Paper,
  vote: PromisedVote,
  keys: readonly Uint8Array[],
  verify: Verify,
): Promise<PromiseVerdict> {
  const { nonce: nonceText, part: partText, result, index, proof: hashes, note } = vote.promise;
  const [nonce, part, leaf] = [fromHex(nonceText), fromHex(partText), leafOfVote(paper, vote)];
  const proof = hashes.flatMap((hash) => fromBase64(hash) ?? []);
  const [, , sizeText = '', rootText = ''] = textOf(note).split('\n');
  const [size, root] = [Number(sizeText), fromBase64(rootText)];
  const origin = promiseOrigin(paper.origin);
  if (nonce?.length !== receiptBytes || part?.length !== receiptBytes || leaf === null) return 'bad-format';
  if (!Number.isSafeInteger(size) || !Number.isInteger(result) || result < 1 || result > 0xffff_ffff)
    return 'bad-format';
  if (root?.length !== hashBytes || promiseText(origin, size, root) !== textOf(note)) return 'bad-format';
  const isEvery = proof.length === hashes.length && proof.every((hash) => hash.length === hashBytes);
  const promised = promisedLeaf(leaf, nonce, result);
  if (!isEvery || !verifyInclusion({ leaf: promised, index, size, root }, proof)) return 'bad-format';
  if (!equalBytes(receiptOfParts(part, nonce), vote.receipt)) return 'other-receipt';
  const named = keys.map((publicKey) => ({ name: origin, publicKey }));
  return checkSignatures(note, named, verify);
}

/** Whether a stored value is a promise. */
export function isVotePromise(value: unknown): value is VotePromise {
  const promise = value as Partial<VotePromise> | null;
  return (
    typeof promise === 'object' &&
    promise !== null &&
    [promise.nonce, promise.part, promise.note].every((text) => typeof text === 'string') &&
    [promise.result, promise.index].every(Number.isInteger) &&
    Array.isArray(promise.proof) &&
    promise.proof.every((hash) => typeof hash === 'string')
  );
}
