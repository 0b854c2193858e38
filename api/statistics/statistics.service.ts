import type { Statistics } from '#contract/statistics.ts';
import type { Database } from '#platform/database.ts';
import { headlineFigures } from './statistics.queries.ts';

/** The headline figures, for other rooms. */
export function statisticsNow(db: Database, now: number): Promise<Statistics> {
  return headlineFigures(db, now);
}
