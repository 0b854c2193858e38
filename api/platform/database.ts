import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import knexFactory from 'knex';
import type { Knex } from 'knex';
import pg from 'pg';
import { cutWhenSilent } from './silent-connections.ts';
import { DamagedDatabase, sqliteFileProblem } from './sqlite-file.ts';

export type { Client as PostgresConnection } from 'pg';
export type { Database as SqliteConnection, Statement as SqliteStatement } from 'sqlite3';

/** The open database: a knex handle that services and queries get passed in. */
export type Database = Knex;

// Counters and moments are 64-bit in PostgreSQL; all of them are far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const migrations = { directory: new URL('../../db/migrations', import.meta.url).pathname, loadExtensions: ['.ts'] };

/** Any number that nobody else locks in this database. */
export const migrationLock = 20_261_121;

// Knex would print stack traces of what it also throws; whoever catches it says what happened in one sentence.
const silent = { warn: () => undefined, error: () => undefined, deprecate: () => undefined, debug: () => undefined };

/** How long whoever uses a handle waits for PostgreSQL; a SQLite file is never silent. */
export interface Patience {
  /** Milliseconds that may pass until a connection is free. */
  readonly acquireMs: number;
  /** Milliseconds after which a connection without an answer is cut. */
  readonly silenceMs: number;
}

/** The file (or `:memory:`) of a database address; null for PostgreSQL. */
export function sqlitePath(databaseUrl: string): string | null {
  return databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : null;
}

/** How a database is opened. */
export interface Opening {
  /** For PostgreSQL: without it nothing is ever cut off. */
  readonly patience?: Patience;
  /** For SQLite: nothing can be written, and the write-ahead log is left as it is. */
  readonly readOnly?: boolean;
  /** For SQLite: whether the installation has had data, so that an empty file is refused instead of filled. */
  readonly hadData?: () => Promise<boolean>;
}

/**
 * Knex's settings for `sqlite:<file>` (or `sqlite::memory:`) and `postgres://…`. Errors name no values: they end in
 * the log, and values are email addresses and password hashes, too. A SQLite file is checked before its first statement.
 */
export function knexConfig(databaseUrl: string, { patience, readOnly = false, hadData }: Opening = {}): Knex.Config {
  const filename = sqlitePath(databaseUrl);
  if (filename !== null) {
    return {
      client: 'sqlite3',
      log: silent,
      compileSqlOnError: false,
      // Knex cannot open a file for reading alone unless its address says so.
      connection: readOnly
        ? { filename: `${pathToFileURL(filename).href}?mode=ro`, flags: ['OPEN_URI'] }
        : { filename },
      useNullAsDefault: true,
      migrations,
      pool: {
        min: 1,
        max: 1,
        afterCreate(connection: RawSqlite, done: (error: Error | null) => void) {
          const pragmas = `${sqlitePragmas}${readOnly ? '' : writingPragmas}`;
          const begin = () =>
            new Promise<void>((begun, failed) => {
              connection.exec(pragmas, (error) => (error ? failed(error) : begun()));
            });
          openChecked(filename, connection, begin, hadData).then(
            () => done(null),
            // Nothing has been read yet: closing the connection changes nothing either.
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
    ...(patience && { acquireConnectionTimeout: patience.acquireMs }),
    pool: {
      min: 0,
      max: 10,
      ...(patience && {
        afterCreate(connection: unknown, done: (error: Error | null) => void) {
          cutWhenSilent(connection, patience.silenceMs);
          done(null);
        },
      }),
    },
  };
}

/** What a connection to SQLite keeps in memory: an import would fill it, and the system keeps the file in memory, too. */
const cacheKilobytes = 16_384;
/**
 * Pages of 4 kB that the write-ahead log may grow to (128 MB). Moving them into the file keeps votes waiting for some 30 ms:
 * seldom, and each page once for many changes.
 */
const walPages = 32_000;
// Whoever starts beside another process waits from the first statement on.
const sqlitePragmas = `pragma busy_timeout = 10000; pragma foreign_keys = on; pragma temp_store = memory; pragma cache_size = -${cacheKilobytes};`;
const writingPragmas = `pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = ${walPages};`;

/** Milliseconds that a connection to PostgreSQL may take to come about. */
const connectMs = 5_000;

/** What the pool needs of a connection of the driver, which knex does not type. */
interface RawSqlite {
  exec(sql: string, done: (error: Error | null) => void): void;
  close(done: () => void): void;
  once(event: 'close', listener: () => void): void;
}

/** SQLite files that this process has open, by how many connections, and the end of the opening that is under way. */
const openFiles = new Map<string, { connections: number; opening: Promise<unknown> }>();

/**
 * Runs the first statements of a new connection, after the file was found sound; throws {@link DamagedDatabase}. The driver
 * has opened the file by now, but SQLite reads nothing of it, nor of its log, before the first statement.
 *
 * A file that this process has open already was checked then, and its log is in use: SQLite does not look for its end
 * again. Checking it once more would give up the locks of the open connection (see {@link sqliteFileProblem}), so
 * openings of one file wait for each other.
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
 * Opens the database: the only way to one (lint wall `one-way-to-a-database`). Its first use fails with
 * {@link DamagedDatabase} when a SQLite file is damaged, which is then left as it is. Nothing is created but a SQLite file
 * and its folder, and not that for reading.
 */
export function openDatabase(databaseUrl: string, opening: Opening = {}): Database {
  const file = sqlitePath(databaseUrl);
  const isNew = file !== null && file !== ':memory:' && opening.readOnly !== true && createPrivately(file);
  // An empty file that was made just now is a first start, whatever there was.
  return knexFactory(knexConfig(databaseUrl, isNew ? { ...opening, hadData: () => Promise.resolve(false) } : opening));
}

/**
 * Makes the file and its folder if need be, and answers whether it did. Email addresses are nobody else's on this machine;
 * the file's own mode is also that of the logs beside it.
 */
function createPrivately(file: string): boolean {
  mkdirSync(dirname(file), { recursive: true });
  try {
    closeSync(openSync(file, 'ax', 0o600));
    return true;
  } catch {
    // It was there, or SQLite says why it cannot be.
    return false;
  }
}

/** How many connections of the pool are used and free, and how many calls wait for one. */
export function poolFigures(db: Database): { used: number; free: number; waiting: number } {
  const { pool } = db.client as {
    pool: Record<'numUsed' | 'numFree' | 'numPendingAcquires', () => number> | undefined;
  };
  return { used: pool?.numUsed() ?? 0, free: pool?.numFree() ?? 0, waiting: pool?.numPendingAcquires() ?? 0 };
}

/** Whether the handle speaks to SQLite (else to PostgreSQL or an engine that speaks its protocol). */
export function isSqlite(db: Database): boolean {
  return (db.client as { config: Knex.Config }).config.client === 'sqlite3';
}

/** The file of a SQLite database; null in memory, and for PostgreSQL. */
export function sqliteFileOf(db: Database): string | null {
  if (!isSqlite(db)) return null;
  const { filename, flags } = (db.client as { config: { connection: { filename: string; flags?: string[] } } }).config
    .connection;
  // With flags, it is a file address: see knexConfig.
  if (flags !== undefined) return fileURLToPath(filename);
  return filename === ':memory:' ? null : filename;
}

/** Bytes that the database takes. */
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

/**
 * Makes this transaction the one that writes. SQLite has one writer: asking at once means that it waits here
 * instead of failing in the middle, where it could not wait. PostgreSQL needs nothing; rows are locked as read.
 */
export async function beginWriting(trx: Database): Promise<void> {
  if (isSqlite(trx)) await trx.raw('update statistics set shard = shard where shard < 0');
}

/** Reads from the database in one state of it, whatever is written meanwhile; nobody who writes waits for that. */
export async function readOneState<Result>(db: Database, read: (trx: Database) => Promise<Result>): Promise<Result> {
  // A SQLite transaction sees one state anyway; PostgreSQL must be asked for it.
  const consistent = isSqlite(db) ? {} : ({ isolationLevel: 'repeatable read', readOnly: true } as const);
  return db.transaction(read, consistent);
}

/** Whether a row was refused because what it refers to is not there, such as the account of somebody who left. */
export function isMissingReference(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === '23503' || (code === 'SQLITE_CONSTRAINT' && String(message).includes('FOREIGN KEY'));
}

/** Whether a row was refused because another one has its key; on SQLite, because of any constraint. */
export function isUniqueViolation(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === '23505' || code === 'SQLITE_CONSTRAINT';
}

/**
 * Brings the schema to the newest version; safe when several processes start at once and while others vote. Each migration
 * is a transaction of its own: together they would lock tables in an order that deadlocks with votes.
 */
export async function migrate(db: Database): Promise<void> {
  while (await db.transaction(migrateOnce));
}

/** Runs the oldest pending migration; false when there is none. */
async function migrateOnce(trx: Database): Promise<boolean> {
  // Knex creates its own lock table without a lock: of several processes on an empty database, some would fail, or each
  // would insert a row, after which no process gets that lock again. So this lock comes first.
  if (isSqlite(trx)) await trx.raw('pragma user_version = 1');
  else await trx.raw('select pg_advisory_xact_lock(?)', [migrationLock]);
  const [, applied] = (await trx.migrate.up()) as [batch: number, applied: string[]];
  return applied.length > 0;
}
