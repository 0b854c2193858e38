import { expect } from 'vitest';
import type { Database } from '#platform/database.ts';
import { reconcile } from '#api/voting/reconcile.service.ts';

/** Expects every counter to equal its rows: options, ballots, headline figures, archive, comments. */
export async function expectExactCounters(db: Database): Promise<void> {
  const { wrongCounters } = await reconcile(db);
  expect(wrongCounters).toEqual([]);
}
