import { hash, randomBytes } from 'node:crypto';

/** Cells of each row: a power of two, so that bits of a digest are a place. Two bytes each. */
const cells = 2 ** 18;

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
    const digest = hash('sha1', this.#secret + key, 'buffer');
    const counts = this.#rows.map((row, place) => {
      const cell = digest.readUInt32LE(place * 4) % cells;
      row[cell] = Math.min(0xffff, row[cell]! + 1);
      return row[cell];
    });
    return Math.min(...counts);
  }

  /** Seconds until counting begins anew. */
  secondsLeft(now: number): number {
    return (this.#ms - (now % this.#ms)) / 1_000;
  }
}
