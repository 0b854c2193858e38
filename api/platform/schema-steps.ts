import { readdirSync } from 'node:fs';
import type { Database } from './database.ts';

const folder = new URL('../../db/migrations/', import.meta.url);

/** The migrations that this code has, oldest first, by the names under which a database remembers them. */
export function knownMigrations(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .sort();
}

/** The migrations that a database has been through, in that order; none when it was never migrated. Changes nothing. */
export async function appliedMigrations(db: Database): Promise<string[]> {
  if (!(await db.schema.hasTable('knex_migrations'))) return [];
  return db('knex_migrations').orderBy('id').pluck<string[]>('name');
}

/** Brings an empty database to where another one is that has been through these migrations. */
export async function applyMigrations(db: Database, names: readonly string[]): Promise<void> {
  for (const name of names) await (db.migrate.up as (config: { name: string }) => Promise<unknown>)({ name });
}
