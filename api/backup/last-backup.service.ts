import type { Database } from '#platform/database.ts';

const name = 'backup.last';

/** When `npm run backup` wrote the last complete backup, in milliseconds; null if it never did. */
export async function lastBackupAt(db: Database): Promise<number | null> {
  const row = await db('installation').where({ name }).first<{ value: string } | undefined>('value');
  return row === undefined ? null : Number(row.value);
}

/** Records when a complete backup was made. */
export async function recordBackup(db: Database, at: number): Promise<void> {
  await db('installation')
    .insert({ name, value: String(at) })
    .onConflict('name')
    .merge();
}
