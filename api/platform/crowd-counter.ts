import { hash, randomBytes } from 'node:crypto';

/** Cells of each row: a power of two, so that bits of a digest are a place. Two bytes each. */
const cells = 2 ** 18;
const mostInCell = 0xffff;

/**
 * Counts how often each of any number of keys came up in a window of time, in memory that never grows: each key has a cell
 * in two rows, which it shares with few others, and the smaller of the two is its count. Never too low; too high by the
 * handful of others that share both cells. Nobody can look for keys that share cells: places depend on a secret.
 */
export class CrowdCounter {
  readonly #secret = randomBytes(16).toString('base64url');
  readonly #rows = [new Uint16Array(cells), new Uint16Array(cells)] as const;
  readonly #ms: number;
  #window = 0;

  /** `ms`: length of a window; the first begins whenever the clock says that one begins. */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Counts a key once more, and says how often it has come up in this window. */
  count(key: string, now: number): number {
    const window = Math.floor(now / this.#ms);
    if (window !== this.#window) {
      this.#window = window;
      for (const row of this.#rows) row.fill(0);
    }
    const [first, second] = this.#cellsOf(key);
    const [firstRow, secondRow] = this.#rows;
    firstRow[first] = Math.min(mostInCell, firstRow[first]! + 1);
    secondRow[second] = Math.min(mostInCell, secondRow[second]! + 1);
    return Math.min(firstRow[first], secondRow[second]);
  }

  /** Takes back what was counted at this moment, unless that window has ended. A full cell stays full. */
  takeBack(key: string, countedAt: number): void {
    if (Math.floor(countedAt / this.#ms) !== this.#window) return;
    for (const [row, cell] of this.#cellsOf(key).entries()) {
      const counts = this.#rows[row]!;
      if (counts[cell]! > 0 && counts[cell]! < mostInCell) counts[cell]! -= 1;
    }
  }

  /** When the window of this moment ends. */
  endsAt(now: number): number {
    return (Math.floor(now / this.#ms) + 1) * this.#ms;
  }

  #cellsOf(key: string): [number, number] {
    const digest = hash('sha1', this.#secret + key, 'buffer');
    return [digest.readUInt32LE(0) % cells, digest.readUInt32LE(4) % cells];
  }
}
