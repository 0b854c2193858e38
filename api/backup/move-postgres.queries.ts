import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { migrationLock } from '#platform/database.ts';
import type { Database, PostgresConnection } from '#platform/database.ts';
import { wholeLines } from './copy-lines.ts';
import type { ColumnKind, TableLayout } from './copy-lines.ts';
import { tablesByReference } from './backup.queries.ts';

/** Seconds to wait for a lock that another connection holds: one whose process was killed ends within a moment. */
const lockWaitSeconds = 5;
/** PostgreSQL's code for a lock that was not given in time. */
export const lockNotAvailable = '55P03';

const kinds: Readonly<Record<string, ColumnKind>> = {
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  bool: 'boolean',
  text: 'text',
  varchar: 'text',
  bytea: 'binary',
  uuid: 'uuid',
};

/** The tables with the columns that can be written, none before one that it refers to. */
export async function postgresLayout(db: Database): Promise<TableLayout[]> {
  const { rows } = await db.raw<{ rows: { table: string; column: string; type: string }[] }>(
    `select c.relname as table, a.attname as column, t.typname as type
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
     where c.relnamespace = current_schema()::regnamespace and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     order by a.attnum`,
  );
  const kindOf = ({ table, column, type }: (typeof rows)[number]) => {
    const kind = kinds[type];
    if (kind === undefined) throw new Error(`${table}.${column} has the unknown type ${type}`);
    return kind;
  };
  return (await tablesByReference(db)).map((name) => ({
    name,
    columns: rows.filter(({ table }) => table === name).map((row) => ({ name: row.column, kind: kindOf(row) })),
  }));
}

/** How many other sessions of this role are connected to the database. */
export async function otherSessions(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*) as count from pg_stat_activity
     where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
       and backend_type = 'client backend'`,
  );
  return Number(rows[0]?.count);
}

/** Runs `read` in one state of the database, in which nobody can write to these tables until it ends. */
export async function withSharedPostgres<Result>(
  db: Database,
  tables: readonly string[],
  read: (trx: Database) => Promise<Result>,
): Promise<Result> {
  return db.transaction(
    async (trx) => {
      await trx.raw(`set local lock_timeout = '${lockWaitSeconds}s'`);
      await trx.raw("set local bytea_output = 'hex'");
      // Before the first query, which is what decides on the state that is read.
      await trx.raw(`lock table ${tables.map(() => '??').join(', ')} in share mode`, [...tables]);
      return read(trx);
    },
    { isolationLevel: 'repeatable read' },
  );
}

/**
 * Keeps migrations and other moves away from this database until the transaction ends; fails with
 * {@link lockNotAvailable} where one is under way.
 */
export async function lockMigrations(trx: Database): Promise<void> {
  await trx.raw(`set local lock_timeout = '${lockWaitSeconds}s'`);
  await trx.raw('select pg_advisory_xact_lock(?)', [migrationLock]);
  await trx.raw('set local lock_timeout = default');
}

/** All rows of a table in COPY’s text format, in chunks that end where a line ends. */
export async function* postgresLines(trx: Database, { name, columns }: TableLayout): AsyncGenerator<Buffer> {
  const connection = await connectionOf(trx);
  const sql = trx.raw('copy ?? (??) to stdout', [name, columns.map((column) => column.name)]).toQuery();
  const stream = connection.query(copyTo(sql));
  let ended = false;
  try {
    yield* wholeLines(stream as AsyncIterable<Buffer>);
    ended = true;
  } finally {
    // The server would go on sending rows, in front of its answer to the next statement.
    if (!ended) (connection as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}

/**
 * Replaces all rows of a table by lines in COPY’s text format. Rows that are frozen in a table truncated by the same
 * transaction need no vacuum afterwards.
 */
export async function copyLines(
  trx: Database,
  { name, columns }: TableLayout,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  const connection = await connectionOf(trx);
  const sql = trx.raw('copy ?? (??) from stdin with (freeze)', [name, columns.map((column) => column.name)]).toQuery();
  await pipeline(chunks, connection.query(copyFrom(sql)));
}

/** Removes all rows of these tables and lets their ids start over. */
export async function truncate(trx: Database, tables: readonly string[]): Promise<void> {
  await trx.raw(`truncate ${tables.map(() => '??').join(', ')} restart identity`, [...tables]);
}

/**
 * Drops foreign keys, primary keys, unique constraints, and indexes; answers the statements that create
 * them again, in an order that works.
 */
export async function dropPostgresIndexes(trx: Database): Promise<string[]> {
  const constraints = await trx.raw<{ rows: { name: string; table: string; definition: string; kind: string }[] }>(
    `select quote_ident(conname) as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition,
       contype as kind
     from pg_constraint where contype in ('f', 'p', 'u') and connamespace = current_schema()::regnamespace
     order by contype, conname`,
  );
  for (const { name, table } of constraints.rows) await trx.raw(`alter table ${table} drop constraint ${name}`);
  const indexes = await trx.raw<{ rows: { name: string; definition: string }[] }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = current_schema()::regnamespace
       and not exists (select from pg_constraint where conindid = i.indexrelid)
       and i.indrelid::regclass::text not like 'knex^_%' escape '^'
     order by c.relname`,
  );
  for (const { name } of indexes.rows) await trx.raw(`drop index ${name}`);
  const added = (wanted: string) =>
    constraints.rows
      .filter(({ kind }) => kind === wanted)
      .map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`);
  return [...added('p'), ...added('u'), ...indexes.rows.map(({ definition }) => definition), ...added('f')];
}

/** Creates indexes and constraints again, with more memory than usual. */
export async function createPostgresIndexes(
  trx: Database,
  statements: readonly string[],
  onProgress: (done: number) => void,
): Promise<void> {
  await trx.raw("set local maintenance_work_mem = '256MB'");
  for (const [done, statement] of statements.entries()) {
    await trx.raw(statement);
    onProgress(done + 1);
  }
}

/** Lets the planner know these tables before the first query. */
export async function analyze(trx: Database, tables: readonly string[]): Promise<void> {
  await trx.raw(`analyze ${tables.map(() => '??').join(', ')}`, [...tables]);
}

async function connectionOf(trx: Database): Promise<PostgresConnection> {
  return (trx.client as { acquireConnection(): Promise<PostgresConnection> }).acquireConnection();
}
