import type { Database } from '#platform/database.ts';

/**
 * Writes a copy of the database as it is at one moment into a new file. Votes go on meanwhile: in a write-ahead log a
 * reader stops no writer.
 */
export async function copySqlite(db: Database, file: string): Promise<void> {
  await db.raw('vacuum into ?', [file]);
}

/** Bytes that a copy takes at most. */
export async function sqliteBytes(db: Database): Promise<number> {
  const [pages] = await db.raw<{ page_count: number }[]>('pragma page_count');
  const [size] = await db.raw<{ page_size: number }[]>('pragma page_size');
  return (pages?.page_count ?? 0) * (size?.page_size ?? 0);
}

/** Rows of every table of a SQLite database. */
export async function sqliteCounts(db: Database): Promise<Record<string, number>> {
  const names = await db('sqlite_schema')
    .where({ type: 'table' })
    .whereRaw("name not like 'sqlite^_%' escape '^'")
    .orderBy('name')
    .pluck<string[]>('name');
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = await rowsIn(db, name);
  return counts;
}

async function rowsIn(db: Database, table: string): Promise<number> {
  const row = await db(table).count({ count: '*' }).first<{ count: number | string }>();
  return Number(row.count);
}
