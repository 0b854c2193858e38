import { setTimeout as pause } from 'node:timers/promises';

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

/** Leaves processor, disk and writer to votes for as long as the last piece of work took them away. */
export async function rest(tookMs: number, leastMs = courtesyMs): Promise<void> {
  await pause(Math.min(longestRestMs, Math.max(leastMs, tookMs)));
}
