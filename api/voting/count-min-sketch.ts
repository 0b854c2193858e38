import { hash, randomBytes } from 'node:crypto';

/** Cells per row: a power of two, so that bits of a digest are an index. Two bytes each. */
const cells = 2 ** 18;
const maxCount = 0xffff;

/**
 * Counts occurrences of any number of keys in a time window with constant memory (a count-min sketch): each key has a cell
 * in each of two rows, which it shares with few others, and its count is the smaller of the two. A count is never too low,
 * and too high only by the few keys that share both cells. Cells depend on a secret, so collisions can't be searched for.
 */
export class CountMinSketch {
  readonly #secret = randomBytes(16).toString('base64url');
  readonly #rows = [new Uint16Array(cells), new Uint16Array(cells)] as const;
  readonly #ms: number;
  #window = 0;

  /** `ms`: length of a window; windows start at multiples of it. */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Counts a key once, and returns its count in this window. */
  count(key: string, now: number): number {
    const window = Math.floor(now / this.#ms);
    if (window !== this.#window) {
      this.#window = window;
      for (const row of this.#rows) row.fill(0);
    }
    const [first, second] = this.#cellsOf(key);
    const [firstRow, secondRow] = this.#rows;
    firstRow[first] = Math.min(maxCount, firstRow[first]! + 1);
    secondRow[second] = Math.min(maxCount, secondRow[second]! + 1);
    return Math.min(firstRow[first], secondRow[second]);
  }

  /** Undoes a count made at this moment, unless its window has ended. A full cell stays full. */
  undo(key: string, countedAt: number): void {
    if (Math.floor(countedAt / this.#ms) !== this.#window) return;
    for (const [row, cell] of this.#cellsOf(key).entries()) {
      const counts = this.#rows[row]!;
      if (counts[cell]! > 0 && counts[cell]! < maxCount) counts[cell]! -= 1;
    }
  }

  /** When the window of this moment ends. */
  endsAt(now: number): number {
    return (Math.floor(now / this.#ms) + 1) * this.#ms;
  }

  #cellsOf(key: string): [number, number] {
    // With a buffer as its result, a hash would cost three times as much.
    const digest = hash('sha1', this.#secret + key, 'hex');
    return [parseInt(digest.slice(0, 8), 16) % cells, parseInt(digest.slice(8, 16), 16) % cells];
  }
}
