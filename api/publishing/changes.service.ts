import type { Change } from '#domain/pages-of.ts';
import type { Database } from '#platform/database.ts';

/** What is published first: single events, then imports of many polls, then lists of related polls. */
export const priorities = { now: 0, many: 1, background: 2 } as const;
export type Priority = (typeof priorities)[keyof typeof priorities];

/** A row of `publish_changes`. */
export interface ChangeRow extends Change {
  readonly id: number;
  readonly priority: Priority;
  readonly due_at: number;
  readonly attempts: number;
  /** The last of many pages that is done. */
  readonly cursor: string | null;
}

/** Rows per statement. */
const atOnce = 200;

/**
 * Records what pages show differently from now on. Call it in the transaction that changes it; the publisher does the
 * rest.
 */
export async function recordChanges(
  trx: Database,
  now: number,
  changes: readonly Change[],
  priority: Priority = priorities.now,
): Promise<void> {
  for (let from = 0; from < changes.length; from += atOnce)
    await trx('publish_changes').insert(
      changes.slice(from, from + atOnce).map(({ kind, key }) => ({ kind, key, priority, due_at: now })),
    );
}

/** The changes that are due, most urgent first; a change of many pages alone. */
export async function dueChanges(db: Database, now: number, limit: number): Promise<ChangeRow[]> {
  const rows = await db('publish_changes')
    .where('due_at', '<=', now)
    .orderBy(['priority', 'id'])
    .limit(limit)
    .select<ChangeRow[]>('*');
  const first = rows[0]?.priority;
  if (first === priorities.background) return rows.slice(0, 1);
  // Single events must not wait for the pages of an import.
  return rows.filter(({ priority }) => priority === first);
}

/** Whether a change is due. */
export async function hasDueChanges(db: Database, now: number): Promise<boolean> {
  return (await db('publish_changes').where('due_at', '<=', now).first('id')) !== undefined;
}

/** How many changes wait. */
export async function countChanges(db: Database): Promise<number> {
  const row = await db('publish_changes').count('* as count').first<{ count: number | string }>();
  return Number(row.count);
}

/** Deletes published changes. */
export async function deleteChanges(trx: Database, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += atOnce)
    await trx('publish_changes')
      .whereIn('id', ids.slice(from, from + atOnce))
      .del();
}

/** Records how far the change of many pages is. */
export async function moveCursor(trx: Database, id: number, cursor: string): Promise<void> {
  await trx('publish_changes').where({ id }).update({ cursor });
}

/** Publishes changes that failed again later, and later each time. */
export async function postponeChanges(db: Database, rows: readonly ChangeRow[], now: number): Promise<void> {
  for (const { id, attempts } of rows)
    await db('publish_changes')
      .where({ id })
      .update({ attempts: attempts + 1, due_at: now + Math.min(60 * 60_000, 10_000 * 2 ** attempts) });
}
