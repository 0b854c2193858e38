import { sweepAttempts } from '#platform/attempts.ts';
import type { Database } from '#platform/database.ts';
import { removeExpiredSessions } from './sessions.queries.ts';

/** Removes sessions and counters of attempts whose time is over; none of them counts any more anyway. */
export async function sweepAccounts(db: Database, now: number): Promise<void> {
  await removeExpiredSessions(db, now);
  await sweepAttempts(db, now);
}
