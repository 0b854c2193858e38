import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#platform/clock.ts';
import { ConfigError, sqlitePath } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import { backupTexts as texts } from '#texts/backup.ts';
import { partNames, unpackBackup } from './backup-file.ts';
import type { Manifest, OnProgress } from './backup-file.ts';
import { takeBackup } from './backup.service.ts';
import { restoreBackup } from './restore.service.ts';

/** The start of the names of folders in the data folder that tests use: what a killed one left is deleted by the next. */
export const testFolderPrefix = 'backup-test-';

/**
 * Takes a backup into an empty folder and checks it: one of SQLite is restored there, of PostgreSQL every file is unpacked
 * and its rows are counted, because a restore would need a second database. Returns the backup’s size in bytes; throws what
 * is wrong. The caller deletes the folder.
 */
export async function testBackup(options: {
  readonly config: Pick<Config, 'databaseUrl' | 'dataDir'>;
  readonly clock: Clock;
  readonly folder: string;
  readonly onProgress: OnProgress;
}): Promise<number> {
  const { config, folder, onProgress } = options;
  const { path, bytes, manifest } = await takeBackup(options);
  const place = join(folder, 'restored');
  if (sqlitePath(config.databaseUrl) !== null) {
    const databaseUrl = `sqlite:${join(place, partNames.database)}`;
    await restoreBackup({ config: { databaseUrl, dataDir: place, voterKey: null }, file: path, onProgress });
  } else {
    await mkdir(place);
    await unpackBackup(path, { folder: place, onProgress });
    await compareLines(manifest, place);
  }
  return bytes;
}

/** Throws if a table’s file has other than the counted rows, of which each is one line. */
async function compareLines({ counts }: Manifest, folder: string): Promise<void> {
  for (const [table, expected] of Object.entries(counts)) {
    let lines = 0;
    for await (const chunk of createReadStream(join(folder, partNames.table(table))) as AsyncIterable<Buffer>)
      for (const byte of chunk) if (byte === 10) lines += 1;
    if (lines !== expected) throw new ConfigError(texts.differs(table, lines, expected));
  }
}
