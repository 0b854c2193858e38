import { onTestFinished } from 'vitest';

/** Whether passwords cost as much as in production. */
export const realPasswords = { used: false };

/**
 * Uses production cost for passwords until the test ends: for tests about that cost, or that share hashes with a
 * process they start. Call it before the first hash.
 */
export function useRealPasswords(): void {
  realPasswords.used = true;
  onTestFinished(() => {
    realPasswords.used = false;
  });
}
