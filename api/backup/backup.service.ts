import { createWriteStream, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { ConfigError, sqlitePath } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import { appliedMigrations, openDatabase, readOneState, sqliteDamage } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { diskSpace } from '#platform/disk-space.ts';
import { makeFolder } from '#platform/make-folder.ts';
import { DamagedDatabase } from '#platform/sqlite-file.ts';
import { backupTexts as texts } from '#texts/backup.ts';
import { backupFormat, exists, partNames, partOf, syncToDisk, writeBackupFile } from './backup-file.ts';
import type { Manifest, OnProgress } from './backup-file.ts';
import {
  copySqlite,
  estimatedRows,
  postgresTables,
  rowsAsJson,
  sequenceValues,
  sqliteBytes,
  sqliteCounts,
} from './backup.queries.ts';

interface BackupOptions {
  readonly config: Pick<Config, 'databaseUrl' | 'dataDir'>;
  readonly clock: Clock;
  /** The folder for the backup; created if missing. */
  readonly folder: string;
  /** The number of backups to keep in the folder; undefined keeps all. */
  readonly keep?: number | undefined;
  readonly onProgress: OnProgress;
}

/** A complete backup, flushed to disk. */
export interface Backup {
  readonly path: string;
  readonly bytes: number;
  readonly manifest: Manifest;
  /** The names of the older backups that were deleted. */
  readonly removed: readonly string[];
}

/** The part of the manifest that describes the database. */
type DatabaseCopy = Pick<Manifest, 'engine' | 'migrations' | 'counts' | 'sequences'> & {
  readonly files: readonly string[];
};

/** The interval for measuring a growing copy, in milliseconds. */
const progressMs = 200;
/** The age in milliseconds at which an untouched draft counts as abandoned by a dead process. */
const abandonedMs = 60 * 60_000;
/** The start of the names of folders in which a backup is prepared. */
const draftPrefix = '.weathervane-draft-';
const backupName = /^weathervane-\d{8}T\d{6}Z(-\d+)?\.tar\.gz$/;

/**
 * Writes a backup with a consistent copy of the database, taken while the site runs, and the secrets in the data folder
 * (handbook decision 106). It appears in the folder when it is complete; only then are older ones deleted.
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
      source === null ? copyPostgres(db, draft, onProgress) : copySqliteFile(db, source, draft, onProgress)
    ).finally(() => db.destroy());
    const { files, ...facts } = copied;
    const secrets = await copyIfExists(join(config.dataDir, 'secrets.json'), join(draft, partNames.secrets));
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
    const path = await unusedPath(folder, createdAt);
    await rename(packed, path);
    await syncToDisk(folder);
    const { size } = await stat(path);
    return { path, bytes: size, manifest, removed: keep === undefined ? [] : await removeOlderBackups(folder, keep) };
  } catch (error) {
    throw (await isFull(folder, error)) ? new ConfigError(texts.folderFull(folder)) : error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function makeDraft(folder: string, now: number): Promise<string> {
  try {
    makeFolder(folder);
    await removeAbandonedDrafts(folder, now);
    return await mkdtemp(join(folder, draftPrefix));
  } catch (error) {
    throw new ConfigError(texts.folderRefused(folder, (error as NodeJS.ErrnoException).code ?? String(error)));
  }
}

/** Whether a copy failed because its disk is full: the database itself is opened for reading only. */
async function isFull(folder: string, error: unknown): Promise<boolean> {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(code)) return true;
  return code === 'SQLITE_IOERR' && (await diskSpace(folder, 0))?.level === 'full';
}

/** Opening a SQLite file that doesn’t exist would create it. */
async function assertDatabaseFile(databaseUrl: string): Promise<void> {
  const file = sqlitePath(databaseUrl);
  if (file === null) return;
  if (file === ':memory:') throw new ConfigError(texts.inMemory);
  if (!(await exists(file))) throw new ConfigError(texts.noDatabase(file));
}

async function copySqliteFile(
  db: Database,
  source: string,
  draft: string,
  onProgress: OnProgress,
): Promise<DatabaseCopy> {
  const file = join(draft, partNames.database);
  try {
    if ((await appliedMigrations(db)).length === 0) throw new ConfigError(texts.neverMigrated);
    const all = await sqliteBytes(db);
    const timer = setInterval(() => {
      void stat(file).then(
        ({ size }) => onProgress('copying', Math.min(size, all), all),
        () => undefined,
      );
    }, progressMs);
    await copySqlite(db, file).finally(() => clearInterval(timer));
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
    // The damage may have been found in the copy, but the message names the source: the draft is about to be deleted.
    const why = error instanceof DamagedDatabase ? error.why : message;
    throw new ConfigError(texts.damagedDatabase(new DamagedDatabase(source, why).message));
  }
}

/** Copies all tables in one snapshot, one line of JSON per row. */
async function copyPostgres(db: Database, draft: string, onProgress: OnProgress): Promise<DatabaseCopy> {
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
      let count = 0;
      await pipeline(
        async function* () {
          for await (const lines of rowsAsJson(trx, table)) {
            count += lines.length;
            done += lines.length;
            onProgress('copying', done, Math.max(all, done));
            yield `${lines.join('\n')}\n`;
          }
        },
        createWriteStream(join(draft, name), { flags: 'wx', mode: 0o600 }),
      );
      counts[table] = count;
      files.push(name);
    }
    // Sequences ignore transactions: what is read now is at least as high as any id in the snapshot.
    return { engine: 'postgres', migrations, counts, sequences: await sequenceValues(trx), files };
  });
}

async function copyIfExists(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function unusedPath(folder: string, now: number): Promise<string> {
  for (let nth = 1; ; nth++) {
    const path = join(folder, backupFileName(now, nth));
    if (!(await exists(path))) return path;
  }
}

/** The name of a backup, which starts with its time in UTC; `nth` distinguishes those of one second. */
function backupFileName(now: number, nth = 1): string {
  const moment = new Date(now)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '');
  return `weathervane-${moment}${nth > 1 ? `-${nth}` : ''}.tar.gz`;
}

/** Deletes all but the newest `keep` backups of a folder and returns the deleted names. */
async function removeOlderBackups(folder: string, keep: number): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => backupName.test(name)).sort(byAge);
  const old = names.slice(0, Math.max(names.length - keep, 0));
  for (const name of old) await rm(join(folder, name));
  return old;
}

/** Orders names by time, then by number within the second. */
function byAge(a: string, b: string): number {
  const key = (name: string) =>
    name.replace(/Z(?:-(\d+))?\.tar\.gz$/, (_, nth?: string) => `Z${(nth ?? '1').padStart(4, '0')}`);
  return key(a) < key(b) ? -1 : 1;
}

/** Deletes drafts of interrupted backups, but not those that another process is still writing. */
async function removeAbandonedDrafts(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(draftPrefix)) continue;
    const draft = join(folder, name);
    const inside = (await readdir(draft, { recursive: true }).catch(() => [])).map((file) => join(draft, file));
    const times = await Promise.all(
      [draft, ...inside].map(async (path) => (await stat(path).catch(() => null))?.mtimeMs),
    );
    if (Math.max(...times.map((time) => time ?? 0)) < now - abandonedMs)
      await rm(draft, { recursive: true, force: true });
  }
}

/** The version in package.json. */
function productVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
