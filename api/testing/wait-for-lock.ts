import type { Database } from '#platform/database.ts';

/** Resolves when a session of this PostgreSQL database waits for a lock. */
export async function waitForLock(db: Database): Promise<void> {
  const waiting = () =>
    db('pg_stat_activity')
      .where({ wait_event_type: 'Lock', datname: db.raw('current_database()') })
      .first('pid');
  while (!(await waiting().catch(() => true)));
}
