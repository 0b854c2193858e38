import { AppendTree, hashBytes, subtreesOf } from '#domain/verification/merkle.ts';
import type { TreeHead } from '#domain/verification/merkle.ts';
import { TileWriter, nodesFromTiles, tileWidth } from '#domain/verification/tiles.ts';
import type { Tile, TileReader } from '#domain/verification/tiles.ts';
import { sha256 } from './signing.ts';
import { incompleteTiles } from './tiles.queries.ts';

/** Tiles that are written at once before the checkpoint that counts them: votes wait for each of these transactions. */
const tilesAtOnce = 64;

/** A tree after leaves were appended, and those of its new tiles that are not written yet. */
export interface Growth {
  readonly head: TreeHead;
  readonly tiles: readonly Tile[];
}

/**
 * Appends leaves, 32 bytes each, to the tree of `size` leaves in these tiles. With many leaves, `stage` gets most of the new
 * tiles early: they count only once a checkpoint has a size that includes them.
 */
export async function growTree(
  read: TileReader,
  size: number,
  leaves: Buffer,
  stage?: (tiles: readonly Tile[]) => Promise<void>,
): Promise<Growth> {
  const tiles = new TileWriter(size, await incompleteTiles(read, size));
  const subtrees = await subtreesOf(nodesFromTiles(read, sha256), size);
  const tree = new AppendTree({ hash: sha256, size, subtrees, onNode: tiles.add });
  for (let at = 0; at < leaves.length; at += hashBytes) {
    tree.append(leaves.subarray(at, at + hashBytes));
    if (stage && (at / hashBytes + 1) % (tilesAtOnce * tileWidth) === 0) await stage(tiles.changes());
  }
  return { head: { size: tree.size, root: tree.root() }, tiles: tiles.changes() };
}

/** Items from which on they are distributed by their first two bytes before they are sorted. */
const manyItems = 10_000;

/** The order of leaves or receipts of `width` bytes each, ascending: their places. They are evenly spread. */
export function sortedOrder(items: Buffer, width: number): Uint32Array {
  const count = items.length / width;
  // Comparing 48 bits as numbers is much faster than comparing bytes, and nearly always enough.
  const prefixes = new Float64Array(count);
  for (let item = 0; item < count; item++) prefixes[item] = items.readUIntBE(item * width, 6);
  const bytes = (item: number) => items.subarray(item * width, (item + 1) * width);
  const compare = (a: number, b: number) => prefixes[a]! - prefixes[b]! || bytes(a).compare(bytes(b));
  if (count < manyItems) return Uint32Array.from(prefixes.keys()).sort(compare);

  const starts = new Uint32Array(2 ** 16 + 1);
  for (let item = 0; item < count; item++) starts[items.readUInt16BE(item * width) + 1]! += 1;
  for (let bucket = 0; bucket < 2 ** 16; bucket++) starts[bucket + 1]! += starts[bucket]!;
  const ends = starts.slice();
  const order = new Uint32Array(count);
  for (let item = 0; item < count; item++) {
    // Each bucket has a few items, which stay sorted.
    const bucket = items.readUInt16BE(item * width);
    let at = ends[bucket]!++;
    for (; at > starts[bucket]! && compare(order[at - 1]!, item) > 0; at--) order[at] = order[at - 1]!;
    order[at] = item;
  }
  return order;
}

/** The leaves of a batch in the order of the tree. */
export function sortedLeaves(leaves: Buffer): Buffer {
  const sorted = Buffer.allocUnsafe(leaves.length);
  let at = 0;
  for (const leaf of sortedOrder(leaves, hashBytes))
    at += leaves.copy(sorted, at, leaf * hashBytes, (leaf + 1) * hashBytes);
  return sorted;
}
