import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import knexFactory from 'knex';
import type { Knex } from 'knex';
import pg from 'pg';

/** The open database: a knex handle that services and queries get passed in. */
export type Database = Knex;

// Counters and moments are 64-bit in PostgreSQL; all of them are far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const migrations = { directory: new URL('../../db/migrations', import.meta.url).pathname, loadExtensions: ['.ts'] };

// Knex would print stack traces of what it also throws; whoever catches it says what happened in one sentence.
const silent = { warn: () => undefined, error: () => undefined, deprecate: () => undefined, debug: () => undefined };

/**
 * Knex's settings for `sqlite:<file>` (or `sqlite::memory:`) and `postgres://…`. Errors name no values: they end in
 * the log, and values are email addresses and password hashes, too.
 */
export function knexConfig(databaseUrl: string): Knex.Config {
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
            'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma busy_timeout = 10000;' +
              'pragma temp_store = memory; pragma cache_size = -65536;',
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
    connection: databaseUrl,
    migrations,
    pool: { min: 0, max: 10 },
  };
}

/** Opens the database; nothing is created but the folder of a SQLite file. */
export function openDatabase(databaseUrl: string): Database {
  const file = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : ':memory:';
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  return knexFactory(knexConfig(databaseUrl));
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

/** Whether a row was refused because what it refers to is not there, such as the account of somebody who left. */
export function isMissingReference(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === '23503' || (code === 'SQLITE_CONSTRAINT' && String(message).includes('FOREIGN KEY'));
}

/** Brings the schema to the newest version; safe when several processes start at once. */
export async function migrate(db: Database): Promise<void> {
  await db.migrate.latest();
}
