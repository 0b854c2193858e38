import { randomBytes } from 'node:crypto';
import { applyMigrations, isSqlite, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { describeSchema, references } from './schema.queries.ts';
import type { Reference, Schema } from './schema.queries.ts';

/** The schema that migrations make. */
export interface ExpectedSchema {
  readonly schema: Schema;
  readonly references: readonly Reference[];
}

/**
 * What these migrations make, on the same engine and from nothing: for SQLite in memory, for PostgreSQL in a schema of its
 * own inside a transaction that is taken back.
 */
export async function expectedSchema(db: Database, migrations: readonly string[]): Promise<ExpectedSchema> {
  if (isSqlite(db)) {
    const scratch = openDatabase('sqlite::memory:');
    return made(scratch, migrations).finally(() => scratch.destroy());
  }
  const trx = await db.transaction();
  try {
    const name = `doctor_${randomBytes(6).toString('hex')}`;
    await trx.raw('create schema ??', [name]);
    await trx.raw('set local search_path to ??', [name]);
    return await made(trx, migrations);
  } finally {
    await trx.rollback();
  }
}

async function made(db: Database, migrations: readonly string[]): Promise<ExpectedSchema> {
  await applyMigrations(db, migrations);
  return { schema: await describeSchema(db), references: await references(db) };
}

/** How a schema differs from what it should be. */
export interface Drift {
  readonly missing: readonly string[];
  readonly changed: readonly { readonly what: string; readonly there: string; readonly expected: string }[];
  readonly extra: readonly string[];
}

/** Compares two schemas. What belongs to a missing or an unknown table is not named again. */
export function driftBetween(there: Schema, expected: Schema): Drift {
  const tableOf = (name: string) =>
    /^column ([^.]+)\./.exec(name)?.[1] ?? /^(?:constraint|trigger)(?: \S+)? of ([^:\s]+)/.exec(name)?.[1];
  const told = (name: string, where: Schema) => {
    const table = tableOf(name);
    return table === undefined || where.has(`table ${table}`);
  };
  return {
    missing: [...expected.keys()].filter((name) => !there.has(name) && told(name, there)),
    changed: [...expected].flatMap(([what, definition]) => {
      const is = there.get(what);
      return is === undefined || is === definition ? [] : [{ what, there: is, expected: definition }];
    }),
    extra: [...there.keys()].filter((name) => !expected.has(name) && told(name, expected)),
  };
}
