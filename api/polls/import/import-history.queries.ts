import { insertRows } from '#platform/bulk-rows.ts';
import type { Columns } from '#platform/bulk-rows.ts';
import type { Database, Row } from '#platform/database.ts';

/** A row of `poll_imports`; times in milliseconds. */
export type ImportRow = Row<'poll_imports'>;

type NewRow = Pick<ImportRow, 'started_at' | 'heartbeat_at' | 'origin' | 'file_name' | 'mode'> & Partial<ImportRow>;

/** Records the start of an import; undefined if another one is being written or undone. */
export async function insertRunning(db: Database, row: NewRow): Promise<number | undefined> {
  const [made] = await db('poll_imports')
    .insert({ ...row, state: 'running', busy: true })
    .onConflict()
    .ignore()
    .returning('id');
  return made?.id;
}

/** Records a finished import. */
export async function insertEnded(db: Database, row: NewRow): Promise<void> {
  await db('poll_imports').insert(row);
}

/**
 * Ends imports without a heartbeat for `deadAfterMs`. A heartbeat from the future was written before the clock was set
 * back.
 */
export async function endStaleImports(
  db: Database,
  { now, deadAfterMs }: { readonly now: number; readonly deadAfterMs: number },
  message: string,
): Promise<void> {
  await db('poll_imports')
    .where({ busy: true, state: 'running' })
    .where(
      (dead) => void dead.where('heartbeat_at', '<', now - deadAfterMs).orWhere('heartbeat_at', '>', now + deadAfterMs),
    )
    .update({ state: 'stopped', busy: false, finished_at: db.ref('heartbeat_at'), message });
}

/** The import that is being written or undone. */
export async function busyImport(db: Database): Promise<ImportRow | undefined> {
  return db('poll_imports').where({ busy: true }).first();
}

/** Records a heartbeat; false if the import is no longer in this state. */
export async function recordHeartbeat(
  trx: Database,
  { id, state }: Pick<ImportRow, 'id' | 'state'>,
  now: number,
): Promise<boolean> {
  return (await trx('poll_imports').where({ id, state }).update({ heartbeat_at: now })) > 0;
}

type Counter =
  | ('inserted' | 'updated' | 'unchanged' | 'rejected')
  | ('removed' | 'restored' | 'kept_voted' | 'kept_changed' | 'kept_later');

/** Adds to an import's counts. */
export async function count(trx: Database, id: number, by: Partial<Record<Counter, number>>): Promise<void> {
  await trx('poll_imports').where({ id }).increment(by);
}

/** Ends an import. */
export async function endImport(
  db: Database,
  id: number,
  end: Partial<ImportRow> & Pick<ImportRow, 'state'>,
): Promise<void> {
  await db('poll_imports')
    .where({ id, state: 'running' })
    .update({ ...end, busy: false });
}

/** One import. */
export async function findImport(db: Database, id: number): Promise<ImportRow | undefined> {
  return db('poll_imports').where({ id }).first();
}

/** One page of imports, newest first, and how many there are. */
export async function importsPage(
  db: Database,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ImportRow[]; total: number }> {
  const rows = await db('poll_imports').orderBy('id', 'desc').limit(limit).offset(offset).select();
  const { count: total } = await db('poll_imports').count({ count: '*' }).first<{ count: number | string }>();
  return { rows, total: Number(total) };
}

/** The previous state of a poll that an import changed. */
export interface Image {
  readonly poll_id: string;
  /** JSON of a {@link PreviousPoll}; null if the poll is new. */
  readonly before: string | null;
  /** The poll's `updated_at` after the import. */
  readonly updated_at: number;
}

const imageColumns = {
  import_id: 'bigint',
  poll_id: 'text',
  before: 'text',
  size: 'bigint',
  updated_at: 'bigint',
} as const satisfies Columns;

/** Deletes the previous states of polls that imports before a moment changed. */
export async function dropOldImages(trx: Database, before: number): Promise<void> {
  await trx('poll_import_images')
    .whereIn('import_id', trx('poll_imports').where('started_at', '<', before).select('id'))
    .del();
}

/** Stores the previous states of polls that this import changes. */
export async function keepImages(
  trx: Database,
  importId: number,
  images: readonly (Image & { readonly size: number })[],
): Promise<void> {
  if (images.length === 0) return;
  await insertRows(
    trx,
    'poll_import_images',
    imageColumns,
    images.map((image) => ({ import_id: importId, ...image })),
  );
}
