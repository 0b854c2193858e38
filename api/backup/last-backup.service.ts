import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

// In the data folder, because a backup writes nothing to the database.
const fileOf = (dataDir: string) => join(dataDir, 'last-backup');

/** When `npm run backup` wrote the last complete backup of this data folder, in milliseconds; null if it never did. */
export async function lastBackupAt(dataDir: string): Promise<number | null> {
  const at = Date.parse((await readFile(fileOf(dataDir), 'utf8').catch(() => '')).trim());
  return Number.isNaN(at) ? null : at;
}

/** Records when a complete backup was made; an ISO text. */
export async function recordBackup(dataDir: string, at: string): Promise<void> {
  await writeFile(fileOf(dataDir), `${at}\n`);
}
