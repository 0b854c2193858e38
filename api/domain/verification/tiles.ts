import { sha256 } from '@noble/hashes/sha2.js';
import { concat } from './bytes.ts';
import type { Sha256 } from './bytes.ts';
import { hashBytes, nodeHash } from './merkle.ts';
import type { NodeReader } from './merkle.ts';

/** Tiles as in C2SP tlog-tiles: a tile has up to 256 hashes of every eighth level of a tree. */

export const tileWidth = 256;
/** Levels of a tree per level of tiles. */
const tileHeight = 8;

/** Address of a tile: its level among tiles, its number there, and how many hashes it has (256 if full). */
export interface TileAddress {
  readonly level: number;
  readonly index: number;
  readonly width: number;
}

/** The path of a number: groups of three digits, all but the last with an x. 1234067 is “x001/x234/067”. */
function numberPath(index: number): string {
  const digits = String(index);
  return digits.padStart(Math.ceil(digits.length / 3) * 3, '0').replace(/\d{3}(?=\d)/g, 'x$&/');
}

const withWidth = (path: string, width: number): string => (width === tileWidth ? path : `${path}.p/${width}`);

/** Where a tile is served, relative to its log, such as “tile/0/x001/x234/067.p/8”. */
export const tilePath = ({ level, index, width }: TileAddress): string =>
  withWidth(`tile/${level}/${numberPath(index)}`, width);

/** Where the entries of a level-0 tile are served, relative to their log, such as “tile/entries/000.p/7”. */
export const entriesPath = ({ index, width }: Omit<TileAddress, 'level'>): string =>
  withWidth(`tile/entries/${numberPath(index)}`, width);

/** Numbers and widths of the tiles of one level in a tree of this size. */
export function tilesAt(level: number, size: number): Omit<TileAddress, 'level'>[] {
  const hashes = Math.floor(size / tileWidth ** level);
  const full = Math.floor(hashes / tileWidth);
  const tiles = Array.from({ length: full }, (_, index) => ({ index, width: tileWidth }));
  return hashes % tileWidth === 0 ? tiles : [...tiles, { index: full, width: hashes % tileWidth }];
}

/** Reads the hashes of a tile: 32 bytes each, as many as it has by now. */
export type TileReader = (level: number, index: number) => Uint8Array | Promise<Uint8Array>;

/** Reads nodes from tiles, one read of a tile per node: cache the tiles if reading one is expensive. */
export const nodesFromTiles =
  (read: TileReader, hash: Sha256 = sha256): NodeReader =>
  async (level, index) => {
    const height = level % tileHeight;
    const width = 2 ** height;
    const tileLevel = (level - height) / tileHeight;
    const first = index * width;
    const tile = await read(tileLevel, Math.floor(first / tileWidth));
    const at = first % tileWidth;
    if (tile.length < (at + width) * hashBytes)
      throw new RangeError(`Tile ${tileLevel}/${Math.floor(first / tileWidth)} has too few hashes.`);
    let nodes = Array.from({ length: width }, (_, i) => tile.subarray((at + i) * hashBytes, (at + i + 1) * hashBytes));
    while (nodes.length > 1)
      nodes = Array.from({ length: nodes.length / 2 }, (_, i) => nodeHash(nodes[2 * i]!, nodes[2 * i + 1]!, hash));
    return nodes[0]!;
  };

/** A tile with its hashes. */
export interface Tile extends TileAddress {
  readonly bytes: Uint8Array;
}

/** Collects the nodes of a growing tree in tiles: pass `add` as `onNode` of an `AppendTree`. */
export class TileWriter {
  /** The last tile of each level, which may be empty or incomplete. */
  readonly #last: { index: number; hashes: Uint8Array[]; changed: boolean }[] = [];
  #full: Tile[] = [];

  /** Continues the tiles of a tree with `size` leaves; `incomplete` are its tiles with fewer than 256 hashes. */
  constructor(size = 0, incomplete: readonly Tile[] = []) {
    for (let level = 0, count = size; count > 0; level++, count = Math.floor(count / tileWidth)) {
      const width = count % tileWidth;
      const bytes = incomplete.find((tile) => tile.level === level)?.bytes ?? new Uint8Array();
      if (bytes.length !== width * hashBytes)
        throw new RangeError(`A tree of ${size} leaves has ${width} hashes in its incomplete tile of level ${level}.`);
      this.#last.push({ index: Math.floor(count / tileWidth), hashes: hashesOf(bytes), changed: false });
    }
  }

  readonly add = (nodeLevel: number, node: Uint8Array): void => {
    if (nodeLevel % tileHeight !== 0) return;
    const level = nodeLevel / tileHeight;
    const last = (this.#last[level] ??= { index: 0, hashes: [], changed: false });
    last.hashes.push(node);
    last.changed = true;
    if (last.hashes.length === tileWidth) {
      this.#full.push(tileOf(level, last));
      this.#last[level] = { index: last.index + 1, hashes: [], changed: false };
    }
  };

  /** The tiles that are new or longer since the last call. */
  changes(): Tile[] {
    const tiles = this.#full;
    this.#full = [];
    for (const [level, last] of this.#last.entries()) {
      if (last.changed) tiles.push(tileOf(level, last));
      last.changed = false;
    }
    return tiles;
  }
}

const hashesOf = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: bytes.length / hashBytes }, (_, i) => bytes.slice(i * hashBytes, (i + 1) * hashBytes));

const tileOf = (level: number, { index, hashes }: { index: number; hashes: readonly Uint8Array[] }): Tile => ({
  level,
  index,
  width: hashes.length,
  bytes: concat(...hashes),
});
