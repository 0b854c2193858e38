import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#platform/database.ts';
import { newestVoteId } from '#api/voting/voting.service.ts';

/** Lost races that are won by trying again: deadlock, serialization, another writer, the same new id. */
const raceCodes = ['40001', '40P01', '23505', 'SQLITE_BUSY'];
const attempts = 6;

/** Makes an attempt, and another one as long as it only lost a race. */
export async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let number = 1; ; number += 1) {
    try {
      return await attempt();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (number === attempts || !raceCodes.includes(code)) throw error;
      await pause(Math.random() * 50 * number);
    }
  }
}

/** Milliseconds between two transactions, in which those who wait for SQLite's one writer (votes) get their turn. */
export const courtesyMs = 10;
const longestRestMs = 250;

/**
 * Leaves processor, disk and writer to votes for as long as the last piece of work took them away. Nobody rests where
 * nobody votes: the newest vote tells, whichever process took it.
 */
export class Courtesy {
  readonly #db: Database;
  #newest: number | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** After a piece of work of so many milliseconds, outside any transaction. */
  async rest(tookMs: number, leastMs = courtesyMs): Promise<void> {
    const newest = await newestVoteId(this.#db);
    const busy = newest !== this.#newest;
    this.#newest = newest;
    await pause(busy ? Math.min(longestRestMs, Math.max(leastMs, tookMs)) : leastMs);
  }
}
