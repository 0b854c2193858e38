import { sha256 } from '@noble/hashes/sha2.js';
import { compareBytes, concat, equalBytes } from './bytes.ts';
import type { Sha256 } from './bytes.ts';

/** Merkle trees as in RFC 9162, section 2.1. A hash is 32 bytes; sizes may exceed 2^32, so no bit operations on them. */

export const hashBytes = 32;

/** The hash of a leaf: SHA-256 of 00 and its entry. */
export const leafHash = (entry: Uint8Array, hash: Sha256 = sha256): Uint8Array => hash(concat(Uint8Array.of(0), entry));

const nodeInput = new Uint8Array(1 + 2 * hashBytes);

/** The hash of an inner node: SHA-256 of 01 and its children’s hashes. */
export function nodeHash(left: Uint8Array, right: Uint8Array, hash: Sha256 = sha256): Uint8Array {
  nodeInput[0] = 1;
  nodeInput.set(left, 1);
  nodeInput.set(right, 1 + hashBytes);
  return hash(nodeInput);
}

/** Sorts the leaves of one batch: ascending, so that their order says nothing about when votes arrived. */
export const sortLeaves = (leaves: Uint8Array[]): Uint8Array[] => leaves.sort(compareBytes);

/** A tree that leaves are appended to: it keeps the roots of its complete subtrees only, at most one per level. */
export class AppendTree {
  #size: number;
  readonly #subtrees: Uint8Array[];
  readonly #hash: Sha256;
  readonly #onNode: ((level: number, node: Uint8Array) => void) | undefined;

  /**
   * `subtrees` are those of a tree with `size` leaves, largest first (`subtreesOf`). `onNode` gets every complete node
   * that is appended, leaves (level 0) included, in the order of the nodes of a level.
   */
  constructor({
    hash = sha256,
    size = 0,
    subtrees = [],
    onNode,
  }: {
    hash?: Sha256;
    size?: number;
    subtrees?: readonly Uint8Array[];
    onNode?: (level: number, node: Uint8Array) => void;
  } = {}) {
    this.#hash = hash;
    this.#size = size;
    this.#subtrees = [...subtrees];
    this.#onNode = onNode;
  }

  get size(): number {
    return this.#size;
  }

  append(leaf: Uint8Array): void {
    let node = leaf;
    this.#onNode?.(0, node);
    let level = 0;
    for (let rest = this.#size; rest % 2 === 1; rest = (rest - 1) / 2) {
      node = nodeHash(this.#subtrees.pop()!, node, this.#hash);
      this.#onNode?.(++level, node);
    }
    this.#subtrees.push(node);
    this.#size++;
  }

  root(): Uint8Array {
    return foldSubtrees(this.#subtrees, this.#hash);
  }
}

/** The root over subtrees, largest first; of nothing for none. */
const foldSubtrees = (subtrees: readonly Uint8Array[], hash: Sha256): Uint8Array =>
  subtrees.length === 0 ? hash(new Uint8Array()) : subtrees.reduceRight((right, left) => nodeHash(left, right, hash));

/** The root of a tree with these leaf hashes. */
export function rootOfLeaves(leaves: readonly Uint8Array[], hash: Sha256 = sha256): Uint8Array {
  const tree = new AppendTree({ hash });
  for (const leaf of leaves) tree.append(leaf);
  return tree.root();
}

/** Reads the complete node that is number `index` of its level (leaves are level 0). */
export type NodeReader = (level: number, index: number) => Uint8Array | Promise<Uint8Array>;

/** The largest power of two below a size, and its exponent. */
function split(size: number): { half: number; level: number } {
  let half = 1;
  let level = 0;
  for (; half * 2 < size; level++) half *= 2;
  return { half, level };
}

/** Roots of the complete subtrees over the leaves `from` to `to`, largest first; `from` is where such a range can begin. */
async function subtreesIn(read: NodeReader, from: number, to: number): Promise<Uint8Array[]> {
  const subtrees: Uint8Array[] = [];
  for (let at = from; at < to;) {
    let { half: width, level } = split(to - at + 1);
    for (; at % width !== 0; level--) width /= 2;
    subtrees.push(await read(level, at / width));
    at += width;
  }
  return subtrees;
}

/** What `AppendTree` needs to continue a tree of this size. */
export const subtreesOf = (read: NodeReader, size: number): Promise<Uint8Array[]> => subtreesIn(read, 0, size);

const rangeRoot = async (read: NodeReader, from: number, to: number, hash: Sha256): Promise<Uint8Array> =>
  foldSubtrees(await subtreesIn(read, from, to), hash);

/** The root of the first `size` leaves of a tree. */
export const rootAt = (read: NodeReader, size: number, hash: Sha256 = sha256): Promise<Uint8Array> =>
  rangeRoot(read, 0, size, hash);

/** Proof that leaf `index` is in the tree of `size` leaves; `RangeError` if it can’t be. */
export async function inclusionProof(
  read: NodeReader,
  index: number,
  size: number,
  hash: Sha256 = sha256,
): Promise<Uint8Array[]> {
  if (!(index >= 0 && index < size)) throw new RangeError(`No leaf ${index} in a tree of ${size}.`);
  const proof: Uint8Array[] = [];
  for (let from = 0, to = size; to - from > 1;) {
    const middle = from + split(to - from).half;
    if (index < middle) {
      proof.unshift(await rangeRoot(read, middle, to, hash));
      to = middle;
    } else {
      proof.unshift(await rangeRoot(read, from, middle, hash));
      from = middle;
    }
  }
  return proof;
}

/** Proof that the tree of `second` leaves begins with that of `first` leaves; `RangeError` if there is none. */
export async function consistencyProof(
  read: NodeReader,
  first: number,
  second: number,
  hash: Sha256 = sha256,
): Promise<Uint8Array[]> {
  if (!(first >= 1 && first <= second)) throw new RangeError(`No proof from size ${first} to size ${second}.`);
  const proof: Uint8Array[] = [];
  let from = 0;
  let to = second;
  while (to !== first) {
    const middle = from + split(to - from).half;
    if (first <= middle) {
      proof.unshift(await rangeRoot(read, middle, to, hash));
      to = middle;
    } else {
      proof.unshift(await rangeRoot(read, from, middle, hash));
      from = middle;
    }
  }
  // The verifier has the first root already if the first tree is a complete subtree of the second.
  if (from > 0) proof.unshift(await rangeRoot(read, from, to, hash));
  return proof;
}

/** Whether a proof shows that a leaf is number `index` of the tree with this size and root. */
export function verifyInclusion(
  { leaf, index, size, root }: { leaf: Uint8Array; index: number; size: number; root: Uint8Array },
  proof: readonly Uint8Array[],
  hash: Sha256 = sha256,
): boolean {
  if (!(index >= 0 && index < size)) return false;
  let position = index;
  let last = size - 1;
  let node = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      node = nodeHash(sibling, node, hash);
      for (; position % 2 === 0 && position > 0; last = Math.floor(last / 2)) position /= 2;
    } else node = nodeHash(node, sibling, hash);
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && equalBytes(node, root);
}

/** A size and the root of the tree with this many leaves. */
export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Whether a proof shows that the second tree begins with the first one. Every tree begins with the empty one. */
export function verifyConsistency(
  first: TreeHead,
  second: TreeHead,
  proof: readonly Uint8Array[],
  hash: Sha256 = sha256,
): boolean {
  if (first.size === 0) return proof.length === 0 && equalBytes(first.root, hash(new Uint8Array()));
  if (first.size === second.size) return proof.length === 0 && equalBytes(first.root, second.root);
  if (first.size > second.size || proof.length === 0) return false;
  let position = first.size - 1;
  let last = second.size - 1;
  for (; position % 2 === 1; position = (position - 1) / 2) last = Math.floor(last / 2);
  // At position 0 the size is a power of two, and the proof leaves the first root out.
  const [start, ...rest] = position === 0 ? [first.root, ...proof] : proof;
  let node1 = start!;
  let node2 = start!;
  for (const sibling of rest) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      node1 = nodeHash(sibling, node1, hash);
      node2 = nodeHash(sibling, node2, hash);
      for (; position % 2 === 0 && position > 0; last = Math.floor(last / 2)) position /= 2;
    } else node2 = nodeHash(node2, sibling, hash);
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && equalBytes(node1, first.root) && equalBytes(node2, second.root);
}
