import { chmod, link, mkdtemp, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError, sqlitePath } from '#platform/config.ts';
import {
  appliedMigrations,
  assertKnown,
  knownMigrations,
  migrate,
  openDatabase,
  sqliteDamage,
} from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { messageOf } from '#platform/errors.ts';
import { makeFolder } from '#platform/make-folder.ts';
import { moveTexts as texts } from '#texts/move.ts';
import { RowChecksum } from './copy-lines.ts';
import type { TableLayout } from './copy-lines.ts';
import { exists, syncToDisk } from './backup-file.ts';
import {
  analyze,
  copyLines,
  createPostgresIndexes,
  dropPostgresIndexes,
  lockMigrations,
  lockNotAvailable,
  otherSessions,
  postgresLayout,
  postgresLines,
  truncate,
  withSharedPostgres,
} from './move-postgres.queries.ts';
import {
  dropSqliteIndexes,
  hasBrokenReferences,
  insertLines,
  setSqliteGivenId,
  sqliteColumns,
  sqliteGivenIds,
  sqliteLines,
  withExclusiveSqlite,
} from './move-sqlite.queries.ts';
import { continueSequences, estimatedRows, relationsInSchema, sequenceValues, sqliteCounts } from './backup.queries.ts';

type OnProgress = (phase: keyof typeof texts.phases, done: number, of: number) => void;

export interface MoveOptions {
  /** The database to move. */
  readonly databaseUrl: string;
  /** An empty PostgreSQL database, or a SQLite file that does not exist yet. */
  readonly target: string;
  readonly onProgress: OnProgress;
}

/** Rows by table. */
export type Moved = ReadonlyMap<string, number>;

/** A table as it was copied. */
interface Copied {
  readonly table: TableLayout;
  readonly checksum: RowChecksum;
}

type Lines = (db: Database, table: TableLayout) => AsyncIterable<Buffer>;

/** Folders in which a SQLite file is prepared; one that an interrupted move left behind is removed by the next. */
const draftPrefix = '.weathervane-moving-';
/** Drafts alone: the folder may hold other people’s files. */
const draftName = /^\.weathervane-moving-\w{6}$/;
/** How long sessions may take to end whose process has ended: attempts, and milliseconds between them. */
const sessionChecks = 10;
const betweenSessionChecksMs = 200;

/**
 * Copies the whole database to one of the other engine, which appears only when every table was compared: at the end of a
 * transaction on PostgreSQL, under its name on SQLite. The source is locked against writes meanwhile and never changed.
 * Throws a sentence when it refuses.
 */
export async function moveDatabase({ databaseUrl, target, onProgress }: MoveOptions): Promise<Moved> {
  const [sourceFile, targetFile] = [sqlitePath(databaseUrl), sqlitePath(target)];
  if (sourceFile === ':memory:' || targetFile === ':memory:') throw new ConfigError(texts.inMemory);
  if (sourceFile !== null && targetFile !== null) throw new ConfigError(texts.sameEngine('sqlite'));
  if (sourceFile === null && targetFile === null) throw new ConfigError(texts.sameEngine('postgres'));
  // Opening a SQLite file that is not there would make one.
  if (sourceFile !== null && !(await exists(sourceFile))) throw new ConfigError(texts.noDatabase(sourceFile));
  const source = openDatabase(databaseUrl);
  // Where the rollback fails too, the first failure is the one to report.
  let failure: unknown;
  const keepFailure = (copy: Promise<Moved>) =>
    copy.catch((error: unknown) => {
      failure = error;
      throw error;
    });
  try {
    if (targetFile === null)
      return await withExclusiveSqlite(source, (trx) => keepFailure(moveToPostgres(trx, target, onProgress)));
    await assertNoOtherSessions(source);
    const layout = await postgresLayout(source);
    if (layout.length === 0) throw new ConfigError(texts.neverMigrated);
    return await withSharedPostgres(
      source,
      layout.map(({ name }) => name),
      (trx) => keepFailure(moveToSqlite(trx, layout, targetFile, onProgress)),
    );
  } catch (error) {
    const { code } = error as { code?: string };
    if (failure === undefined && (code === 'SQLITE_BUSY' || code === lockNotAvailable))
      throw new ConfigError(texts.inUse);
    throw failure ?? error;
  } finally {
    await source.destroy();
  }
}

/** Sessions of a process that was killed end a moment later. */
async function assertNoOtherSessions(db: Database): Promise<void> {
  for (let check = 1; (await otherSessions(db)) > 0; check++) {
    if (check === sessionChecks) throw new ConfigError(texts.inUse);
    await pause(betweenSessionChecksMs);
  }
}

/** A table that only one version knows would be lost. */
async function assertCurrentSchema(db: Database): Promise<void> {
  const applied = await appliedMigrations(db);
  if (applied.length === 0) throw new ConfigError(texts.neverMigrated);
  assertKnown(applied);
  if (applied.length < knownMigrations().length) throw new ConfigError(texts.older);
}

async function moveToPostgres(source: Database, target: string, onProgress: OnProgress): Promise<Moved> {
  await assertCurrentSchema(source);
  const db = openDatabase(target);
  try {
    // Sentences about a database that doesn't answer name DATABASE_URL, which is the other one.
    await db.raw('select 1').catch((error: unknown) => {
      const { code = '', message } = error as NodeJS.ErrnoException;
      throw new ConfigError(texts.targetUnreachable(message === '' ? code : message));
    });
    return await db.transaction(async (trx) => {
      await lockMigrations(trx).catch((error: unknown) => {
        throw (error as { code?: string }).code === lockNotAvailable ? new ConfigError(texts.targetInUse) : error;
      });
      const relations = await relationsInSchema(trx);
      if (relations > 0) throw new ConfigError(texts.databaseNotEmpty(relations));
      await migrate(trx);
      const layout = await postgresLayout(trx);
      const tables = layout.map(({ name }) => name);
      assertSameColumns(layout, await sqliteColumns(source));
      const counts = await sqliteCounts(source);
      const rows = tables.reduce((sum, table) => sum + (counts[table] ?? 0), 0);
      await truncate(trx, tables);
      const indexes = await dropPostgresIndexes(trx);
      const copied = await copyTables(
        layout,
        (table) => sqliteLines(source, table),
        (table, lines) => copyLines(trx, table, lines),
        (done) => onProgress('copying', done, rows),
      );
      await createPostgresIndexes(trx, indexes, (done) => onProgress('indexing', done, indexes.length));
      await analyze(trx, tables);
      const ids = idsOf(layout, await sqliteGivenIds(source));
      await continueSequences(trx, ids);
      await compare(trx, { copied, lines: postgresLines, ids, given: await sequenceValues(trx), onProgress });
      return rowsOf(copied);
    });
  } finally {
    await db.destroy();
  }
}

async function moveToSqlite(
  source: Database,
  layout: readonly TableLayout[],
  target: string,
  onProgress: OnProgress,
): Promise<Moved> {
  await assertCurrentSchema(source);
  for (const end of ['', '-wal', '-shm', '-journal'])
    if (await exists(`${target}${end}`)) throw new ConfigError(texts.fileExists(`${target}${end}`));
  const folder = dirname(target);
  makeFolder(folder);
  for (const name of await readdir(folder))
    if (draftName.test(name)) await rm(join(folder, name), { recursive: true, force: true });
  const draft = await mkdtemp(join(folder, draftPrefix));
  try {
    const file = join(draft, 'database.sqlite');
    const ids = idsOf(layout, await sequenceValues(source));
    const copied = await fillSqlite(file, { source, layout, ids, onProgress });
    const db = openDatabase(`sqlite:${file}`, { readOnly: true });
    try {
      const damage = await sqliteDamage(db, 'quick');
      if (damage !== null) throw new ConfigError(texts.failed(damage));
      const given = await sqliteGivenIds(db);
      await db.transaction((trx) => compare(trx, { copied, lines: sqliteLines, ids, given, onProgress }));
    } finally {
      await db.destroy();
    }
    await chmod(file, 0o600);
    await syncToDisk(file);
    await link(file, target).catch((error: unknown) => {
      throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? new ConfigError(texts.fileExists(target)) : error;
    });
    await syncToDisk(folder);
    return rowsOf(copied);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Makes a SQLite file with all rows. It needs no journal: if this fails, the file is deleted. */
async function fillSqlite(
  file: string,
  options: { source: Database; layout: readonly TableLayout[]; ids: Ids; onProgress: OnProgress },
): Promise<Copied[]> {
  const { source, layout, ids, onProgress } = options;
  const db = openDatabase(`sqlite:${file}`);
  try {
    await migrate(db);
    assertSameColumns(layout, await sqliteColumns(db));
    for (const pragma of ['journal_mode = off', 'synchronous = off', 'foreign_keys = off', 'temp_store = file'])
      await db.raw(`pragma ${pragma}`);
    const indexes = await dropSqliteIndexes(db);
    const estimate = await estimatedRows(source);
    const copied = await db.transaction(async (trx) => {
      for (const { name } of layout) await trx(name).del();
      return copyTables(
        layout,
        (table) => postgresLines(source, table),
        (table, lines) => insertLines(trx, table, lines),
        (done) => onProgress('copying', done, Math.max(estimate, done)),
      );
    });
    for (const [done, statement] of indexes.entries()) {
      await db.raw(statement);
      onProgress('indexing', done + 1, indexes.length);
    }
    for (const [table, last] of ids) await setSqliteGivenId(db, table, last);
    if (await hasBrokenReferences(db)) throw new ConfigError(texts.failed(texts.brokenReferences));
    return copied;
  } finally {
    await db.destroy();
  }
}

/** Copies the tables one after the other; `onRows` hears how many rows of all were. */
async function copyTables(
  layout: readonly TableLayout[],
  read: (table: TableLayout) => AsyncIterable<Buffer>,
  write: (table: TableLayout, lines: AsyncIterable<Buffer>) => Promise<void>,
  onRows: (done: number) => void,
): Promise<Copied[]> {
  const copied: Copied[] = [];
  let done = 0;
  for (const table of layout) {
    const checksum = new RowChecksum();
    await write(
      table,
      counted(read(table), checksum, (rows) => onRows(done + rows)),
    ).catch((error: unknown) => {
      throw isRefusal(error) ? new ConfigError(texts.failed(texts.tableFailed(table.name, messageOf(error)))) : error;
    });
    copied.push({ table, checksum });
    done += checksum.rows;
  }
  return copied;
}

/** Passes lines on after adding them to a checksum. */
async function* counted(
  lines: AsyncIterable<Buffer>,
  checksum: RowChecksum,
  onRows: (rows: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of lines) {
    checksum.add(chunk);
    onRows(checksum.rows);
    yield chunk;
  }
}

/** Whether a database refused a value: SQLSTATE classes 22 and 23. */
function isRefusal(error: unknown): boolean {
  return /^2[23]...$|^SQLITE_CONSTRAINT|^SQLITE_MISMATCH/.test((error as { code?: string }).code ?? '');
}

/** Reads all rows back and throws a line for each table that differs from what was copied. */
async function compare(
  db: Database,
  options: {
    copied: readonly Copied[];
    lines: Lines;
    ids: Ids;
    given: Readonly<Record<string, number>>;
    onProgress: OnProgress;
  },
): Promise<void> {
  const { copied, lines, ids, given, onProgress } = options;
  const all = copied.reduce((sum, { checksum }) => sum + checksum.rows, 0);
  const differences: string[] = [];
  let done = 0;
  onProgress('comparing', done, all);
  for (const { table, checksum } of copied) {
    const there = new RowChecksum();
    for await (const chunk of lines(db, table)) {
      there.add(chunk);
      onProgress('comparing', done + there.rows, all);
    }
    done += checksum.rows;
    if (there.rows !== checksum.rows) differences.push(texts.otherCount(table.name, there.rows, checksum.rows));
    else if (!there.equals(checksum)) differences.push(texts.otherContent(table.name, there.rows));
  }
  for (const [table, last] of ids)
    if ((given[table] ?? 0) < last) differences.push(texts.otherIds(table, given[table] ?? 0, last));
  if (differences.length > 0) throw new ConfigError(texts.differs(differences));
}

type Ids = ReadonlyMap<string, number>;

/** The last ids given out, of the tables that are copied. */
function idsOf(layout: readonly TableLayout[], given: Readonly<Record<string, number>>): Ids {
  return new Map(Object.entries(given).filter(([table]) => layout.some(({ name }) => name === table)));
}

/** Throws a sentence where a table or a column is only in one of the databases. */
function assertSameColumns(layout: readonly TableLayout[], sqlite: ReadonlyMap<string, readonly string[]>): void {
  const theirs = layout.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`));
  const ours = [...sqlite]
    .filter(([table]) => !table.startsWith('knex_'))
    .flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`));
  const different = [
    ...theirs.filter((name) => !ours.includes(name)),
    ...ours.filter((name) => !theirs.includes(name)),
  ];
  if (different.length > 0) throw new ConfigError(texts.failed(texts.otherTables(different)));
}

function rowsOf(copied: readonly Copied[]): Moved {
  return new Map(copied.map(({ table, checksum }) => [table.name, checksum.rows]));
}
