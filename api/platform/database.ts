import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import knexFactory from 'knex';
import type { Knex } from 'knex';
import pg from 'pg';
import { cutWhenSilent } from './silent-connections.ts';

/** The open database: a knex handle that services and queries get passed in. */
export type Database = Knex;

// Counters and moments are 64-bit in PostgreSQL; all of them are far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const migrations = { directory: new URL('../../db/migrations', import.meta.url).pathname, loadExtensions: ['.ts'] };

/** Any number that nobody else locks in this database. */
const migrationLock = 20_261_121;

// Knex would print stack traces of what it also throws; whoever catches it says what happened in one sentence.
const silent = { warn: () => undefined, error: () => undefined, deprecate: () => undefined, debug: () => undefined };

/** How long whoever uses a handle waits for PostgreSQL; a SQLite file is never silent. */
export interface Patience {
  /** Milliseconds that may pass until a connection is free. */
  readonly acquireMs: number;
  /** Milliseconds after which a connection without an answer is cut. */
  readonly silenceMs: number;
}

/**
 * Knex's settings for `sqlite:<file>` (or `sqlite::memory:`) and `postgres://…`. Errors name no values: they end in
 * the log, and values are email addresses and password hashes, too.
 */
export function knexConfig(databaseUrl: string, patience?: Patience): Knex.Config {
  if (databaseUrl.startsWith('sqlite:')) {
    const filename = databaseUrl.slice('sqlite:'.length);
    return {
      client: 'sqlite3',
      log: silent,
      compileSqlOnError: false,
      connection: { filename },
      useNullAsDefault: true,
      migrations,
      pool: {
        min: 1,
        max: 1,
        afterCreate(
          connection: { exec(sql: string, done: (error: Error | null) => void): void },
          done: (error: Error | null) => void,
        ) {
          connection.exec(
            // Whoever starts beside another process waits from the first word on.
            'pragma busy_timeout = 10000; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;' +
              `pragma temp_store = memory; pragma cache_size = -${cacheKilobytes}; pragma wal_autocheckpoint = ${walPages};`,
            done,
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

/** Milliseconds that a connection to PostgreSQL may take to come about. */
const connectMs = 5_000;

/** Opens the database; nothing is created but a SQLite file and its folder. Without `patience` nothing is ever cut off. */
export function openDatabase(databaseUrl: string, patience?: Patience): Database {
  const file = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : ':memory:';
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true });
    keepPrivate(file);
  }
  return knexFactory(knexConfig(databaseUrl, patience));
}

/** Email addresses are nobody else's on this machine. The file's own mode is also that of the logs beside it. */
function keepPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600));
  } catch {
    // It was there, or SQLite says why it cannot be.
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

/** Brings the schema to the newest version; safe when several processes start at once. */
export async function migrate(db: Database): Promise<void> {
  // Knex makes the table of its own lock without one: two processes on an empty database would fail, or each put a row
  // into it, after which nobody gets the lock ever again. So the first word of the transaction takes one of the database.
  await db.transaction(async (trx) => {
    if (isSqlite(db)) await trx.raw('pragma user_version = 1');
    else await trx.raw('select pg_advisory_xact_lock(?)', [migrationLock]);
    await trx.migrate.latest();
  });
}
