import { isSqlite, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';

/** Bulk writes without durability or foreign keys, for generated data in a single process. */
export interface BulkLoad {
  readonly db: Database;
  /** Runs one statement in its own transaction. */
  readonly run: (sql: string) => Promise<void>;
  /** Restores normal durability. */
  end(): Promise<void>;
}

/** Starts a bulk load over its own handle. */
export async function beginBulkLoad(url: string): Promise<BulkLoad> {
  const db = openDatabase(url);
  if (isSqlite(db)) {
    // Sorting millions of index entries in memory could exceed the machine’s.
    for (const pragma of [
      'journal_mode = off',
      'synchronous = off',
      'foreign_keys = off',
      'cache_size = -400000',
      'temp_store = file',
    ])
      await db.raw(`pragma ${pragma}`);
    return {
      db,
      async run(sql) {
        await db.raw(sql);
      },
      async end() {
        await db.raw('pragma journal_mode = wal');
        await db.destroy();
      },
    };
  }
  return {
    db,
    run: (sql) =>
      db.transaction(async (trx) => {
        await trx.raw("set local session_replication_role = replica; set local maintenance_work_mem = '512MB'");
        await trx.raw(sql);
      }),
    async end() {
      // PostgreSQL’s autovacuum would do it within minutes; SQLite has no statistics.
      await db.raw('vacuum analyze');
      await db.destroy();
    },
  };
}

/**
 * Drops the secondary indexes of some tables, and the primary key of votes, and returns the statements that recreate them, which is much faster at the
 * end.
 */
export async function dropIndexes({ db, run }: BulkLoad, tables: readonly string[]): Promise<string[]> {
  const dropped = isSqlite(db) ? await sqliteIndexes(db, tables) : await postgresIndexes(db, tables);
  for (const { drop } of dropped) await run(drop);
  return dropped.map(({ make }) => make);
}

interface Dropped {
  readonly drop: string;
  readonly make: string;
}

async function sqliteIndexes(db: Database, tables: readonly string[]): Promise<Dropped[]> {
  const indexes = await db('sqlite_master')
    .where({ type: 'index' })
    .whereIn('tbl_name', [...tables])
    .whereNotNull('sql')
    .orderBy('name')
    .select<{ name: string; sql: string }[]>('name', 'sql');
  return indexes.map(({ name, sql }) => ({ drop: `drop index "${name}"`, make: sql }));
}

async function postgresIndexes(db: Database, tables: readonly string[]): Promise<Dropped[]> {
  const constraints = await db.raw<{ rows: { name: string; relation: string; definition: string }[] }>(
    `select conname as name, conrelid::regclass::text as relation, pg_get_constraintdef(oid) as definition
     from pg_constraint
     where (contype = 'u' or contype = 'p' and conrelid = 'votes'::regclass) and conrelid::regclass::text = any(?)
     order by conname`,
    [[...tables]],
  );
  const indexes = await db.raw<{ rows: { name: string; definition: string }[] }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = current_schema() and tablename = any(?)
       and not exists (select from pg_constraint where conindid = (quote_ident(indexname))::regclass)
     order by indexname`,
    [[...tables]],
  );
  return [
    ...constraints.rows.map(({ name, relation, definition }) => ({
      drop: `alter table ${relation} drop constraint "${name}"`,
      make: `alter table ${relation} add constraint "${name}" ${definition}`,
    })),
    ...indexes.rows.map(({ name, definition }) => ({ drop: `drop index "${name}"`, make: definition })),
  ];
}
