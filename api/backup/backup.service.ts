import { createWriteStream, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { ConfigError } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import { appliedMigrations, openDatabase, readOneState, sqliteDamage, sqlitePath } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { DamagedDatabase } from '#platform/sqlite-file.ts';
import { backupTexts as texts } from '#texts/backup.ts';
import { partOf, writeBackupFile } from './backup-file.ts';
import type { OnProgress } from './backup-file.ts';
import { backupFileName, draftPrefix, exists, removeAbandonedDrafts, removeOlderBackups, syncToDisk } from './files.ts';
import { backupFormat, partNames } from './manifest.ts';
import type { Manifest } from './manifest.ts';
import { estimatedRows, givenIds, postgresTables, rowsAsJson } from './postgres.queries.ts';
import { copySqlite, sqliteBytes, sqliteCounts } from './sqlite.queries.ts';

export interface BackupOptions {
  readonly config: Pick<Config, 'databaseUrl' | 'dataDir'>;
  readonly clock: Clock;
  /** Where the backup shall lie; made when it is not there. */
  readonly folder: string;
  /** How many backups are left in the folder; undefined: all. */
  readonly keep?: number | undefined;
  readonly onProgress: OnProgress;
}

/** A backup that is complete and on the disk. */
export interface Backup {
  readonly path: string;
  readonly bytes: number;
  readonly manifest: Manifest;
  /** Names of older ones that were removed for it. */
  readonly removed: readonly string[];
}

/** The database's share of a manifest. */
type Copied = Pick<Manifest, 'engine' | 'migrations' | 'counts' | 'sequences'> & { readonly files: readonly string[] };

/** How often the size of a growing copy is looked at, in milliseconds. */
const lookMs = 200;

/**
 * Writes a backup of the database, as it is at one moment while the site runs, and of the secrets in the data folder
 * (handbook decision 106). Until it is whole the folder shows nothing of it; older ones go only after that.
 */
export async function takeBackup(options: BackupOptions): Promise<Backup> {
  const { config, clock, folder, keep, onProgress } = options;
  await assertDatabaseFile(config.databaseUrl);
  const draft = await makeDraft(folder, clock.now());
  try {
    const db = openDatabase(config.databaseUrl, { readOnly: true });
    const createdAt = clock.now();
    const source = sqlitePath(config.databaseUrl);
    const copied = await (
      source === null ? copyOfPostgres(db, draft, onProgress) : copyOfSqlite(db, source, draft, onProgress)
    ).finally(() => db.destroy());
    const { files, ...facts } = copied;
    const secrets = await copyIfThere(join(config.dataDir, 'secrets.json'), join(draft, partNames.secrets));
    const names = [...files, ...(secrets ? [partNames.secrets] : [])];
    const parts: Manifest['parts'] = [];
    for (const name of names) parts.push(await partOf(draft, name));
    const manifest: Manifest = {
      product: 'weathervane',
      format: backupFormat,
      version: productVersion(),
      createdAt: iso(createdAt),
      ...facts,
      parts,
    };
    const packed = join(draft, 'packed');
    await writeBackupFile(packed, { manifest, folder: draft, onProgress });
    const path = await freeName(folder, createdAt);
    await rename(packed, path);
    await syncToDisk(folder);
    const { size } = await stat(path);
    return { path, bytes: size, manifest, removed: keep === undefined ? [] : await removeOlderBackups(folder, keep) };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function makeDraft(folder: string, now: number): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    await removeAbandonedDrafts(folder, now);
    return await mkdtemp(join(folder, draftPrefix));
  } catch (error) {
    throw new ConfigError(texts.folderRefused(folder, (error as NodeJS.ErrnoException).code ?? String(error)));
  }
}

/** Opening a SQLite file that is not there would make one. */
async function assertDatabaseFile(databaseUrl: string): Promise<void> {
  const file = sqlitePath(databaseUrl);
  if (file === null) return;
  if (file === ':memory:') throw new ConfigError(texts.inMemory);
  if (!(await exists(file))) throw new ConfigError(texts.noDatabase(file));
}

async function copyOfSqlite(db: Database, source: string, draft: string, onProgress: OnProgress): Promise<Copied> {
  const file = join(draft, partNames.database);
  try {
    if ((await appliedMigrations(db)).length === 0) throw new ConfigError(texts.neverMigrated);
    const all = await sqliteBytes(db);
    const look = setInterval(() => {
      void stat(file).then(
        ({ size }) => onProgress('copying', Math.min(size, all), all),
        () => undefined,
      );
    }, lookMs);
    await copySqlite(db, file).finally(() => clearInterval(look));
    const copy = openDatabase(`sqlite:${file}`, { readOnly: true });
    try {
      const damage = await sqliteDamage(copy, 'quick');
      if (damage !== null) throw new DamagedDatabase(source, damage);
      const [migrations, counts] = [await appliedMigrations(copy), await sqliteCounts(copy)];
      return { engine: 'sqlite', migrations, counts, sequences: {}, files: [partNames.database] };
    } finally {
      await copy.destroy();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'SQLITE_CORRUPT' && code !== 'SQLITE_NOTADB') throw error;
    // The copy may be what was found damaged, but its draft is about to go.
    const why = error instanceof DamagedDatabase ? error.why : message;
    throw new ConfigError(texts.damagedDatabase(new DamagedDatabase(source, why).message));
  }
}

/** All tables in one state of the database, one JSON text a row. */
async function copyOfPostgres(db: Database, draft: string, onProgress: OnProgress): Promise<Copied> {
  await mkdir(join(draft, 'tables'));
  return readOneState(db, async (trx) => {
    const migrations = await appliedMigrations(trx);
    if (migrations.length === 0) throw new ConfigError(texts.neverMigrated);
    const all = await estimatedRows(trx);
    const counts: Record<string, number> = {};
    const files: string[] = [];
    let done = 0;
    for (const table of await postgresTables(trx)) {
      const name = partNames.table(table);
      const file = createWriteStream(join(draft, name), { flags: 'wx', mode: 0o600 });
      counts[table] = 0;
      for await (const lines of rowsAsJson(trx, table)) {
        counts[table] += lines.length;
        done += lines.length;
        onProgress('copying', done, Math.max(all, done));
        if (!file.write(`${lines.join('\n')}\n`)) await once(file, 'drain');
      }
      file.end();
      await finished(file);
      files.push(name);
    }
    // Ids are given out beyond transactions: what is read now is no lower than what the rows have.
    return { engine: 'postgres', migrations, counts, sequences: await givenIds(trx), files };
  });
}

async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function freeName(folder: string, now: number): Promise<string> {
  for (let nth = 1; ; nth++) {
    const path = join(folder, backupFileName(now, nth));
    if (!(await exists(path))) return path;
  }
}

/** The version in package.json. */
function productVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
