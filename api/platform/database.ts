import { closeSync, openSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import knexFactory from 'knex';
import type { Knex } from 'knex';
import { DBError, Model } from 'objection';
import pg from 'pg';
import { startTexts } from '#texts/start.ts';
import { currentNames, isBefore030 } from './baseline.ts';
import { ConfigError, sqlitePath } from './config.ts';
import { hasLittleMemory } from './little-memory.ts';
import { makeFolder } from './make-folder.ts';
import { withQueryTimeout } from './query-timeout.ts';
import { SqliteClient } from './sqlite-client.ts';
import { DamagedDatabase, firstDamage, sqliteFileProblem } from './sqlite-file.ts';
import { voterDigests } from './voter-digest.ts';

export type { Row, StoredBoolean } from '#db/tables.ts';
export type { Client as PostgresConnection } from 'pg';
export type { Database as SqliteConnection, Statement as SqliteStatement } from 'sqlite3';

/** The open database: a knex handle that services and queries get passed in. */
export type Database = Knex;

/** A query on any table. */
export type Query = Knex.QueryBuilder;

// Counters and moments are 64-bit in PostgreSQL; all of them are far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

// Relations are fetched one after the other: in a transaction they share a connection, which runs one query at a time.
Object.assign(Model, { concurrency: 1 });

const migrations = { directory: new URL('../../db/migrations', import.meta.url).pathname, loadExtensions: ['.ts'] };

/** An arbitrary number that nothing else locks in this database. */
export const migrationLock = 20_261_121;

// Knex would print stack traces of errors that it also throws; the catcher logs them in one sentence.
const silent = { warn: () => undefined, error: () => undefined, deprecate: () => undefined, debug: () => undefined };

/** Timeouts for PostgreSQL; a SQLite file always responds. */
interface ConnectionTimeouts {
  /** Milliseconds to wait for a free connection. */
  readonly acquireMs: number;
  /** Milliseconds after which a connection without a response is closed. */
  readonly queryMs: number;
}

/** How a database is opened. */
interface OpenOptions {
  /** For PostgreSQL: without them, queries wait forever. */
  readonly timeouts?: ConnectionTimeouts;
  /** For SQLite: nothing can be written, and the write-ahead log is not touched. */
  readonly readOnly?: boolean;
  /** For SQLite: another thread of this process has checked the file and has it open; checking it again would release its locks. */
  readonly isOpenInThread?: boolean;
  /** For SQLite: whether the installation has had data, so that an empty file is refused instead of filled. */
  readonly hadData?: () => Promise<boolean>;
}

/**
 * Knex's settings for `sqlite:<file>` (or `sqlite::memory:`) and `postgres://…`. Errors contain no values: they are logged,
 * and values include email addresses and password hashes. A SQLite file is checked before its first statement.
 */
export function knexConfig(
  databaseUrl: string,
  { timeouts, readOnly = false, isOpenInThread = false, hadData }: OpenOptions = {},
): Knex.Config {
  const filename = sqlitePath(databaseUrl);
  if (filename !== null) {
    return {
      client: readOnly ? 'sqlite3' : SqliteClient,
      log: silent,
      compileSqlOnError: false,
      // Knex can open a file read-only only through a file URL.
      connection: readOnly
        ? { filename: `${pathToFileURL(filename).href}?mode=ro`, flags: ['OPEN_URI'] }
        : { filename },
      useNullAsDefault: true,
      migrations,
      pool: {
        min: 1,
        max: 1,
        afterCreate(connection: RawSqlite, done: (error: Error | null) => void) {
          const cache = readOnly || hasLittleMemory() ? smallCacheKilobytes : cacheKilobytes;
          const pragmas = `${sqlitePragmas} pragma cache_size = -${cache};${readOnly ? '' : writingPragmas}`;
          const begin = () =>
            new Promise<void>((started, failed) => {
              connection.exec(pragmas, (error) => (error ? failed(error) : started()));
            });
          (isOpenInThread ? begin() : openChecked(filename, connection, begin, hadData)).then(
            () => done(null),
            // Nothing has been read yet, so closing the connection writes nothing either.
            (error: unknown) => connection.close(() => done(error as Error)),
          );
        },
      },
    };
  }
  return {
    client: 'pg',
    log: silent,
    compileSqlOnError: false,
    connection: {
      connectionString: databaseUrl,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: connectMs,
    },
    migrations,
    ...(timeouts && { acquireConnectionTimeout: timeouts.acquireMs }),
    pool: {
      min: 0,
      max: 10,
      ...(timeouts && {
        afterCreate(connection: unknown, done: (error: Error | null) => void) {
          withQueryTimeout(connection, timeouts.queryMs);
          done(null);
        },
      }),
    },
  };
}

/** Page cache of a SQLite connection: an import would fill a larger one, and the system caches the file, too. */
const cacheKilobytes = 16_384;
/** For renderers, which read other pages for each report, and with little memory. */
const smallCacheKilobytes = 4_096;
/**
 * Pages of 4 kB that the write-ahead log may grow to (128 MB). A checkpoint blocks votes for some 30 ms; with a large log
 * it runs rarely and writes each page once for many changes.
 */
const walPages = 32_000;
// The busy timeout comes first, so that a process starting beside another one waits from its first statement on.
const sqlitePragmas = `pragma busy_timeout = 10000; pragma foreign_keys = on; pragma temp_store = memory;`;
const writingPragmas = `pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = ${walPages};`;

/** Milliseconds in which a connection to PostgreSQL must be established. */
const connectMs = 5_000;

/** The part of the driver's connection that the pool needs; knex does not type it. */
interface RawSqlite {
  exec(sql: string, done: (error: Error | null) => void): void;
  close(done: () => void): void;
  once(event: 'close', listener: () => void): void;
}

/** SQLite files that this process has open: the number of connections, and the end of the latest opening. */
const openFiles = new Map<string, { connections: number; opening: Promise<unknown> }>();

/**
 * Runs the first statements of a new connection after checking the file; throws {@link DamagedDatabase}. The driver has
 * opened the file by now, but SQLite reads nothing from it or its log before the first statement.
 *
 * A file that this process already has open was checked then. Checking it again would release the locks of the open
 * connection (see {@link sqliteFileProblem}), so openings of one file wait for each other.
 */
async function openChecked(
  file: string,
  connection: RawSqlite,
  begin: () => Promise<void>,
  hadData?: () => Promise<boolean>,
): Promise<void> {
  if (file === ':memory:') return begin();
  const state = openFiles.get(file) ?? { connections: 0, opening: Promise.resolve() };
  openFiles.set(file, state);
  const opened = state.opening.then(async () => {
    const problem = state.connections > 0 ? null : await sqliteFileProblem(file, hadData);
    if (problem !== null) throw new DamagedDatabase(file, problem);
    connection.once('close', () => (state.connections -= 1));
    state.connections += 1;
    await begin();
  });
  state.opening = opened.catch(() => undefined);
  return opened;
}

/**
 * Opens the database; nothing else may (import rule `database-access`). Its first use fails with {@link DamagedDatabase}
 * when a SQLite file is damaged; the file is left unchanged. Unless `readOnly`, a missing SQLite file and its folder are
 * created.
 */
export function openDatabase(databaseUrl: string, options: OpenOptions = {}): Database {
  const file = sqlitePath(databaseUrl);
  const isNew = file !== null && file !== ':memory:' && options.readOnly !== true && createPrivately(file);
  // An empty file created just now is a first start, even if the installation had data before.
  return knexFactory(knexConfig(databaseUrl, isNew ? { ...options, hadData: () => Promise.resolve(false) } : options));
}

/**
 * Creates the file and its folder if they are missing; true when it created the file. It contains email addresses, so other
 * users of the machine must not read it; SQLite gives its logs the mode of the file.
 */
function createPrivately(file: string): boolean {
  try {
    makeFolder(dirname(file));
    closeSync(openSync(file, 'ax', 0o600));
    return true;
  } catch {
    // The file exists, or SQLite reports why it cannot be created.
    return false;
  }
}

/** Used and free connections of the pool, and callers waiting for one. */
export function poolStats(db: Database): { used: number; free: number; waiting: number } {
  const { pool } = db.client as {
    pool: Record<'numUsed' | 'numFree' | 'numPendingAcquires', () => number> | undefined;
  };
  return { used: pool?.numUsed() ?? 0, free: pool?.numFree() ?? 0, waiting: pool?.numPendingAcquires() ?? 0 };
}

/** Whether the handle is one of SQLite (otherwise of PostgreSQL or an engine that speaks its protocol). */
export function isSqlite(db: Database): boolean {
  return (db.client as Knex.Client).dialect === 'sqlite3';
}

/** The path of a SQLite database; null in memory, and for PostgreSQL. */
export function sqliteFileOf(db: Database): string | null {
  if (!isSqlite(db)) return null;
  const { filename, flags } = (db.client as { config: { connection: { filename: string; flags?: string[] } } }).config
    .connection;
  // With flags, it is a file URL: see knexConfig.
  if (flags !== undefined) return fileURLToPath(filename);
  return filename === ':memory:' ? null : filename;
}

/** Size of the database in bytes. */
export async function databaseBytes(db: Database): Promise<number> {
  if (isSqlite(db)) {
    const [size] = await db.raw<{ bytes: number }[]>(
      'select page_count * page_size as bytes from pragma_page_count, pragma_page_size',
    );
    return size?.bytes ?? 0;
  }
  const { rows } = await db.raw<{ rows: { bytes: number }[] }>('select pg_database_size(current_database()) as bytes');
  return rows[0]?.bytes ?? 0;
}

/** Reads from a consistent snapshot of the database without blocking writers. */
export async function readOneState<Result>(db: Database, read: (trx: Database) => Promise<Result>): Promise<Result> {
  // A SQLite transaction reads one snapshot anyway; PostgreSQL must be asked for it.
  return db.transaction(read, { readOnly: true, ...(!isSqlite(db) && { isolationLevel: 'repeatable read' }) });
}

/** The driver’s error, which has the database’s code: Objection wraps those of its models. */
const driverError = (error: unknown) => (error instanceof DBError ? error.nativeError : error);

/** Whether a row was refused because a row it refers to is missing, such as a deleted account. */
export function isMissingReference(error: unknown): boolean {
  const { code, message } = driverError(error) as { code?: unknown; message?: unknown };
  return code === '23503' || (code === 'SQLITE_CONSTRAINT' && String(message).includes('FOREIGN KEY'));
}

/** Whether a row was refused because its key exists; on SQLite, because of any constraint. */
export function isUniqueViolation(error: unknown): boolean {
  const { code } = driverError(error) as { code?: unknown };
  return code === '23505' || code === 'SQLITE_CONSTRAINT';
}

/**
 * Migrates the schema to the newest version; safe when several processes start at once and while others vote. Each
 * migration runs in its own transaction: together they would lock tables in an order that deadlocks with votes. Throws a
 * {@link ConfigError} for migrations as {@link assertKnown}, and for a voter key other than the one that the database was used
 * with.
 */
export async function migrate(db: Database, voterKey?: string): Promise<void> {
  assertKnown(await appliedMigrations(db));
  for (let applied = true; applied;)
    applied = await db.transaction(async (trx) => {
      // Knex creates its own lock table without a lock: of several processes on an empty database, some would fail, or each
      // would insert a row, after which no process could take that lock again. So this lock comes first.
      if (isSqlite(trx)) await trx.raw('pragma user_version = 1');
      else await trx.raw('select pg_advisory_xact_lock(?)', [migrationLock]);
      await adopt(trx);
      const [, names] = (await trx.migrate.up()) as [batch: number, applied: string[]];
      return names.length > 0;
    });
  if (voterKey !== undefined) await assertVoterKey(db, voterKey);
}

/** Throws a {@link ConfigError} if a database has migrations of a version before 0.3.0, or of a newer one. */
export function assertKnown(applied: readonly string[]): void {
  if (isBefore030(applied)) throw new ConfigError(startTexts.databaseBefore030);
  const newer = unknownMigrations(applied);
  if (newer.length > 0) throw new ConfigError(startTexts.databaseNewer(newer));
}

/** Records the baseline in a database of version 0.3.0 in place of the migrations that it replaced. */
async function adopt(trx: Database): Promise<void> {
  const recorded = await recordedMigrations(trx);
  const names = currentNames(recorded);
  if (names === recorded) return;
  await trx('knex_migrations').del();
  await trx('knex_migrations').insert(names.map((name) => ({ name, batch: 1, migration_time: new Date() })));
}

/**
 * Throws a {@link ConfigError} when the database was used with another voter key: its votes would not be recognized. Keeps a
 * digest of the first key, where the database has a table for it.
 */
export async function assertVoterKey(db: Database, voterKey: string): Promise<void> {
  if (!(await db.schema.hasTable('installation'))) return;
  const row = { name: voterKeyName, value: voterKeyMark(voterKey) };
  if (!(await hasVoterKey(db))) await db('installation').insert(row).onConflict('name').ignore();
  if (!(await hasVoterKey(db, voterKey))) throw new ConfigError(startTexts.otherVoterKey);
}

const voterKeyName = 'voter key';
const voterKeyMark = (voterKey: string) => voterDigests(voterKey).device(voterKeyName);

/** Whether the database was used with a voter key, or with this one. */
export async function hasVoterKey(db: Database, voterKey?: string): Promise<boolean> {
  if (!(await db.schema.hasTable('installation'))) return false;
  const row = { name: voterKeyName, ...(voterKey !== undefined && { value: voterKeyMark(voterKey) }) };
  return (await db('installation').where(row).first('name')) !== undefined;
}

/** The migrations of this code, oldest first, by the names that a database records. */
export function knownMigrations(): string[] {
  return readdirSync(migrations.directory)
    .filter((name) => name.endsWith('.ts'))
    .sort();
}

/** Those of these migrations that this code doesn’t have. */
export function unknownMigrations(applied: readonly string[]): string[] {
  const known = knownMigrations();
  return applied.filter((name) => !known.includes(name));
}

/** The migrations applied to a database, in that order; none when it was never migrated. */
export async function appliedMigrations(db: Database): Promise<string[]> {
  return currentNames(await recordedMigrations(db));
}

async function recordedMigrations(db: Database): Promise<string[]> {
  if (!(await db.schema.hasTable('knex_migrations'))) return [];
  return db('knex_migrations').orderBy('id').pluck<string[]>('name');
}

/** Applies these migrations in one transaction, unless they are applied: to give an empty database the schema of another one. */
export async function applyMigrations(db: Database, names: readonly string[]): Promise<void> {
  const migrationSource: Knex.MigrationSource<string> = {
    getMigrations: () => Promise.resolve([...names]),
    getMigrationName: (name) => name,
    getMigration: async (name) => (await import(join(migrations.directory, name))) as Knex.Migration,
  };
  await db.migrate.latest({ migrationSource, disableMigrationsListValidation: true });
}

/** Expired rows that one statement deletes. */
export const sweepBatch = 500;

/**
 * Deletes the rows of a table whose time in `column` has passed, in batches by `key`, so that votes never wait for long. A
 * row whose time was extended since it was read stays, and so do those that `keep` excludes.
 */
export async function removeExpired(
  db: Database,
  { table, key, column }: { readonly table: string; readonly key: string; readonly column: string },
  now: number,
  keep: (rows: Query) => void = () => undefined,
): Promise<void> {
  const expired = () => db(table).where(column, '<=', now).modify(keep);
  for (;;) {
    const some = await expired().orderBy(column).limit(sweepBatch).pluck<string[]>(key);
    if (some.length > 0) await expired().whereIn(key, some).del();
    if (some.length < sweepBatch) return;
  }
}

/** The first problem that SQLite's integrity check finds; null when there is none, and on PostgreSQL. */
export async function sqliteDamage(db: Database, how: 'quick' | 'thorough'): Promise<string | null> {
  if (!isSqlite(db)) return null;
  const pragma = how === 'quick' ? 'quick_check' : 'integrity_check';
  return firstDamage(await db.raw<Record<string, string>[]>(`pragma ${pragma}(1)`));
}

/**
 * A failure of the database rather than of a query. `unavailable`: it does not respond, or not in time. `not-writable`: its disk is
 * full, read-only or failing, or its file is damaged.
 */
export type DatabaseFailure = 'unavailable' | 'not-writable';

const unavailableCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['SQLITE_BUSY', 'SQLITE_LOCKED', '53300', '57014', '57P01', '57P02', '57P03'],
]);
const notWritableCodes = new Set([
  ...['SQLITE_FULL', 'SQLITE_READONLY', 'SQLITE_IOERR', 'SQLITE_CANTOPEN', 'SQLITE_CORRUPT', 'SQLITE_NOTADB'],
  // SQLSTATE: disk full, I/O error, read-only server, damaged data.
  ...['53100', '58030', '25006', 'XX001', 'XX002', 'ENOSPC', 'EDQUOT', 'EROFS'],
]);
/** SQLite ends a transaction itself when the disk is full or fails (lang_transaction.html); knex reports its own rollback. */
const endedBySqlite = 'cannot rollback - no transaction is active';
/** Messages of pg without a code, when a connection ends or is not established in time. */
const unavailableMessages =
  /^(Connection terminated|timeout expired|timeout exceeded|Client has encountered a connection error)/;

/** Classifies an error as a failure of the database; null for anything else. */
export function databaseFailure(thrown: unknown): DatabaseFailure | null {
  const error = driverError(thrown);
  if (!(error instanceof Error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (notWritableCodes.has(code) || error.message.includes(endedBySqlite)) return 'not-writable';
  if (unavailableCodes.has(code) || code.startsWith('08') || error.name === 'KnexTimeoutError') return 'unavailable';
  return code === '' && unavailableMessages.test(error.message) ? 'unavailable' : null;
}
