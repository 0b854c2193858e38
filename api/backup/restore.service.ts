import { createReadStream } from 'node:fs';
import { chmod, copyFile, link, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { buildFiles } from '#domain/build-files.ts';
import { currentNames, isBefore030 } from '#platform/baseline.ts';
import { ConfigError, sqlitePath } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import {
  appliedMigrations,
  applyMigrations,
  knownMigrations,
  migrate,
  openDatabase,
  unknownMigrations,
  sqliteDamage,
} from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { makeFolder } from '#platform/make-folder.ts';
import { restoredMark } from '#platform/restored-mark.ts';
import { ensureVoterKey } from '#platform/secrets.ts';
import { DamagedDatabase } from '#platform/sqlite-file.ts';
import { backupTexts as texts } from '#texts/backup.ts';
import { exists, partNames, syncToDisk, unpackBackup } from './backup-file.ts';
import type { Manifest, OnProgress } from './backup-file.ts';
import {
  columnsOf,
  continueSequences,
  countRows,
  emptyTables,
  insertJson,
  relationsInSchema,
  sqliteCounts,
  tablesByReference,
} from './backup.queries.ts';

interface RestoreOptions {
  readonly config: Pick<Config, 'databaseUrl' | 'dataDir' | 'voterKey'>;
  /** The path of the backup. */
  readonly file: string;
  readonly onProgress: OnProgress;
}

export interface Restored {
  readonly manifest: Manifest;
  /** The number of migrations that were run because the backup is older. */
  readonly steps: number;
}

/** The start of the names of folders in which a restore is prepared; the next restore deletes abandoned ones. */
const draftPrefix = 'restoring-';
/** Characters of JSON per insert statement. */
const insertCharacters = 1_000_000;

/**
 * Restores a backup into an empty data folder and an empty database. The last step, a link to the prepared file or a
 * commit, makes the whole database appear at once (handbook decision 106). Throws a {@link ConfigError} if it refuses.
 */
export async function restoreBackup({ config, file, onProgress }: RestoreOptions): Promise<Restored> {
  const { databaseUrl, dataDir } = config;
  const target = sqlitePath(databaseUrl);
  if (target === ':memory:') throw new ConfigError(texts.inMemory);
  await assertEmpty(dataDir, target);
  const place = target === null ? dataDir : dirname(target);
  makeFolder(dataDir);
  makeFolder(place);
  for (const name of await readdir(place))
    if (name.startsWith(draftPrefix)) await rm(join(place, name), { recursive: true, force: true });
  const draft = await mkdtemp(join(place, draftPrefix));
  try {
    const unpacked = await unpackBackup(file, { folder: draft, onProgress });
    const manifest = { ...unpacked, migrations: currentNames(unpacked.migrations) };
    if (isBefore030(manifest.migrations)) throw new ConfigError(texts.before030(file));
    if (unknownMigrations(manifest.migrations).length > 0) throw new ConfigError(texts.newer(file, manifest.version));
    if ((target === null ? 'postgres' : 'sqlite') !== manifest.engine)
      throw new ConfigError(texts.otherEngine(manifest.engine));
    // Completes the secrets of an earlier release, each time in the same way.
    const voterKey = await ensureVoterKey({ dataDir: draft, voterKey: config.voterKey });
    await assertSecretsFit(dataDir, draft);
    const options = { dataDir, draft, manifest, voterKey, onProgress };
    if (target === null) await restorePostgres({ ...options, databaseUrl });
    else await restoreSqlite({ ...options, target, file });
    return { manifest, steps: knownMigrations().length - manifest.migrations.length };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Refuses if there is anything that a restore would overwrite or mix with. */
async function assertEmpty(dataDir: string, target: string | null): Promise<void> {
  const taken = target === null ? [] : ['', '-wal', '-shm', '-journal'].map((end) => `${target}${end}`);
  for (const path of [...taken, join(dataDir, buildFiles.folder)])
    if (await exists(path)) throw new ConfigError(texts.notEmpty(path));
}

/** Refuses secrets other than the backup’s; an interrupted restore may have left the same ones. */
async function assertSecretsFit(dataDir: string, draft: string): Promise<void> {
  const [existing, restored] = await Promise.all(
    [dataDir, draft].map((folder) => readFile(join(folder, partNames.secrets)).catch(() => null)),
  );
  if (existing && !(restored && existing.equals(restored)))
    throw new ConfigError(texts.notEmpty(join(dataDir, partNames.secrets)));
}

async function restoreSecrets(dataDir: string, draft: string): Promise<void> {
  const [from, to] = [join(draft, partNames.secrets), join(dataDir, partNames.secrets)];
  if (!(await exists(from)) || (await exists(to))) return;
  // The draft may be on another disk than the data folder, so a copy beside the target is linked.
  const beside = `${to}.${basename(draft)}`;
  try {
    await copyFile(from, beside);
    await chmod(beside, 0o600);
    await syncToDisk(beside);
    await link(beside, to);
  } finally {
    await rm(beside, { force: true });
  }
  await syncToDisk(dataDir);
}

/** What both engines need. */
interface Unpacked {
  readonly dataDir: string;
  readonly draft: string;
  readonly manifest: Manifest;
  readonly voterKey: string;
  readonly onProgress: OnProgress;
}

async function restoreSqlite(options: Unpacked & { target: string; file: string }): Promise<void> {
  const { target, dataDir, draft, manifest, voterKey, file } = options;
  const prepared = join(draft, partNames.database);
  if (!(await exists(prepared))) throw new ConfigError(texts.damaged(file, texts.partMissing(partNames.database)));
  const db = openDatabase(`sqlite:${prepared}`);
  try {
    const damage = await sqliteDamage(db, 'thorough');
    if (damage !== null) throw new ConfigError(texts.damaged(file, damage));
    compareCounts(await sqliteCounts(db), manifest.counts);
    if ((await appliedMigrations(db)).join() !== manifest.migrations.join())
      throw new ConfigError(texts.damaged(file, texts.partDiffers(partNames.database)));
    await migrate(db, voterKey);
    await restoredMark.set(db);
  } catch (error) {
    // The damaged database is the one in the backup.
    throw error instanceof DamagedDatabase ? new ConfigError(texts.damaged(file, error.why)) : error;
  } finally {
    // Closing checkpoints the write-ahead log into the file.
    await db.destroy();
  }
  if (await exists(`${prepared}-wal`)) throw new Error('The restored database was not closed cleanly.');
  await chmod(prepared, 0o600);
  await syncToDisk(prepared);
  await restoreSecrets(dataDir, draft);
  await link(prepared, target).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? new ConfigError(texts.notEmpty(target)) : error;
  });
  await syncToDisk(dirname(target));
}

async function restorePostgres(options: Unpacked & { databaseUrl: string }): Promise<void> {
  const { databaseUrl, dataDir, draft, manifest, voterKey, onProgress } = options;
  const db = openDatabase(databaseUrl);
  try {
    await db.transaction(async (trx) => {
      const relations = await relationsInSchema(trx);
      if (relations > 0) throw new ConfigError(texts.databaseNotEmpty(relations));
      await applyMigrations(trx, manifest.migrations);
      const order = await tablesByReference(trx);
      const unknown = Object.keys(manifest.counts).find((table) => !order.includes(table));
      if (unknown !== undefined) throw new ConfigError(texts.restoreFailed(texts.unknownTable(unknown)));
      await emptyTables(trx, order);
      const total = manifest.parts.reduce((sum, { bytes }) => sum + bytes, 0);
      let done = 0;
      for (const table of order.filter((name) => name in manifest.counts))
        await loadTable(trx, table, join(draft, partNames.table(table)), (bytes) =>
          onProgress('loading', (done += bytes), total),
        );
      await continueSequences(trx, new Map(Object.entries(manifest.sequences)));
      const counts: Record<string, number> = {};
      for (const table of order) counts[table] = await countRows(trx, table);
      compareCounts(counts, manifest.counts);
      await migrate(trx, voterKey);
      await restoredMark.set(trx);
      await restoreSecrets(dataDir, draft);
    });
  } finally {
    await db.destroy();
  }
}

/** Inserts the rows of a file into a table; `onBytes` receives the number of characters read. */
async function loadTable(trx: Database, table: string, path: string, onBytes: (bytes: number) => void): Promise<void> {
  let [lines, length, first]: [string[], number, boolean] = [[], 0, true];
  const flush = async () => {
    if (lines.length > 0) await insertJson(trx, table, lines);
    onBytes(length);
    [lines, length] = [[], 0];
  };
  for await (const line of linesOf(path)) {
    if (first) {
      const columns = await columnsOf(trx, table);
      const unknown = Object.keys(JSON.parse(line) as object).find((name) => !columns.includes(name));
      if (unknown !== undefined) throw new ConfigError(texts.restoreFailed(texts.unknownColumn(table, unknown)));
      first = false;
    }
    lines.push(line);
    length += line.length + 1;
    if (length >= insertCharacters) await flush();
  }
  await flush();
}

/** The lines of a file; Node’s readline would also split at U+2028, which may occur in a text. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

function compareCounts(actual: Readonly<Record<string, number>>, expected: Readonly<Record<string, number>>): void {
  for (const [table, count] of Object.entries(expected))
    if (actual[table] !== count)
      throw new ConfigError(texts.restoreFailed(texts.differs(table, actual[table] ?? 0, count)));
}
