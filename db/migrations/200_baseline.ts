import { readFile } from 'node:fs/promises';
import type { Knex } from 'knex';

/** The schema of version 0.3.0, in one file for each database. Later migrations start from it. */
export async function up(knex: Knex): Promise<void> {
  const { client } = (knex.client as { config: Knex.Config }).config;
  const file = new URL(`../schema/${client === 'pg' ? 'postgres' : 'sqlite'}.sql`, import.meta.url);
  // SQLite stores the text of statements, comments included, and runs one at a time. Each begins a line.
  const sql = (await readFile(file, 'utf8')).replaceAll(/ *-- .*$/gm, '');
  for (const statement of client === 'pg' ? [sql] : sql.split(/;\n+(?=create |insert )/)) await knex.raw(statement);
}

export function down(): never {
  throw new Error('There is no schema before the baseline. Restore a backup that the version before it made.');
}
