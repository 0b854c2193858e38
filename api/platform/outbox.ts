import { isSqlite } from './database.ts';
import type { Database } from './database.ts';

/*
 * Outboxes are tables of what is to be sent, written in the transaction of what it reports. Each has `id`, `due_at` in
 * milliseconds, and `attempts`.
 */

/**
 * Claims the row that has been due longest until the time `until`, and counts an attempt; of several processes, one gets it.
 * `only`: columns that the row must have. Undefined when none is due.
 */
export async function claimDue<Row>(
  db: Database,
  table: string,
  { now, until, only = {} }: { readonly now: number; readonly until: number; readonly only?: object },
): Promise<Row | undefined> {
  const next = db(table).where('due_at', '<=', now).where(only).orderBy(['due_at', 'id']).limit(1).select('id');
  if (!isSqlite(db)) void next.forUpdate().skipLocked();
  const [claimed] = (await db(table)
    .where('id', next)
    .update({ due_at: until, attempts: db.raw('attempts + 1') })
    .returning('*')) as Row[];
  return claimed;
}
