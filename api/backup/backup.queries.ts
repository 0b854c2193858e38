import type { Database } from '#platform/database.ts';

/** Rows per fetch: a poll with the longest texts makes a row of 200 kB. */
const fetchSize = 250;

/** Knex’s record of the migrations, which a restore runs itself. */
const migrationTables = ['knex_migrations', 'knex_migrations_lock'];

/** The tables that a backup contains. */
export async function postgresTables(db: Database): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') order by c.relname`,
  );
  return rows.map(({ name }) => name).filter((name) => !migrationTables.includes(name));
}

/** PostgreSQL’s estimate of the number of rows, for a progress bar. */
export async function estimatedRows(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { estimate: number }[] }>(
    `select coalesce(sum(greatest(reltuples, 0)), 0)::bigint as estimate from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
  );
  return Number(rows[0]?.estimate);
}

/** The number of tables and views in the schema that a restore would fill. */
export async function relationsInSchema(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*) as count from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')`,
  );
  return Number(rows[0]?.count);
}

/** The rows of a table, each as one line of JSON; needs a transaction. */
export async function* rowsAsJson(trx: Database, table: string): AsyncGenerator<string[]> {
  await trx.raw('declare backup_rows no scroll cursor for select row_to_json(t)::text as line from ?? t', [table]);
  for (;;) {
    const { rows } = await trx.raw<{ rows: { line: string }[] }>(`fetch ${fetchSize} from backup_rows`);
    if (rows.length === 0) break;
    yield rows.map(({ line }) => line);
  }
  await trx.raw('close backup_rows');
}

/** The last value of every table’s id sequence; unused sequences are omitted. */
export async function sequenceValues(db: Database): Promise<Record<string, number>> {
  const { rows } = await db.raw<{ rows: { table: string; last: number | null }[] }>(
    `select t.relname as table, pg_sequence_last_value(s.oid) as last
     from pg_class s
     join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
     join pg_class t on t.oid = d.refobjid and d.refclassid = 'pg_class'::regclass
     where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace`,
  );
  return Object.fromEntries(
    rows.flatMap(({ table, last }) => (last === null || migrationTables.includes(table) ? [] : [[table, last]])),
  );
}

/** Continues every table’s id sequence after its highest id and after `last`, the last value by table. */
export async function continueSequences(trx: Database, last: ReadonlyMap<string, number>): Promise<void> {
  const { rows } = await trx.raw<{ rows: { table: string; column: string; sequence: string }[] }>(
    `select t.relname as table, a.attname as column, s.oid::regclass::text as sequence
     from pg_class s
     join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
     join pg_class t on t.oid = d.refobjid and d.refclassid = 'pg_class'::regclass
     join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
     where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace`,
  );
  // Null, which changes nothing, where there is neither.
  for (const { table, column, sequence } of rows)
    await trx.raw('select setval(?::regclass, greatest(?::bigint, max(??))) from ??', [
      sequence,
      last.get(table) ?? null,
      column,
      table,
    ]);
}

/** The tables in an order in which each references only earlier ones. */
export async function tablesByReference(db: Database): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { child: string; parent: string }[] }>(
    `select distinct child.relname as child, parent.relname as parent from pg_constraint k
     join pg_class child on child.oid = k.conrelid join pg_class parent on parent.oid = k.confrelid
     where k.contype = 'f' and child.oid <> parent.oid and child.relnamespace = current_schema()::regnamespace`,
  );
  const left = new Set(await postgresTables(db));
  const order: string[] = [];
  while (left.size > 0) {
    const next = [...left].find((table) => !rows.some(({ child, parent }) => child === table && left.has(parent)));
    if (next === undefined) throw new Error(`The tables ${[...left].join(', ')} have circular references.`);
    left.delete(next);
    order.push(next);
  }
  return order;
}

export async function columnsOf(db: Database, table: string): Promise<string[]> {
  return Object.keys(await db(table).columnInfo());
}

/** Deletes the rows that migrations inserted; `order` is that of {@link tablesByReference}. */
export async function emptyTables(trx: Database, order: readonly string[]): Promise<void> {
  for (const table of [...order].reverse()) await trx(table).del();
}

/** Inserts rows read by {@link rowsAsJson}. */
export async function insertJson(trx: Database, table: string, lines: readonly string[]): Promise<void> {
  // Generated columns can’t be written.
  const { rows } = await trx.raw<{ rows: { name: string }[] }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = quote_ident(?)::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  const columns = rows.map(({ name }) => name).join(', ');
  await trx.raw(`insert into ?? (${columns}) select ${columns} from json_populate_recordset(null::??, ?::json)`, [
    table,
    table,
    `[${lines.join(',')}]`,
  ]);
}

/** The number of rows of a table. */
export async function countRows(db: Database, table: string): Promise<number> {
  const row = await db(table).count({ count: '*' }).first<{ count: number | string }>();
  return Number(row.count);
}

/** Writes a consistent copy of a SQLite database to a new file; with a write-ahead log, a reader blocks no writer. */
export async function copySqlite(db: Database, file: string): Promise<void> {
  await db.raw('vacuum into ?', [file]);
}

/** The largest size of that copy, in bytes. */
export async function sqliteBytes(db: Database): Promise<number> {
  const [pages] = await db.raw<{ page_count: number }[]>('pragma page_count');
  const [size] = await db.raw<{ page_size: number }[]>('pragma page_size');
  return (pages?.page_count ?? 0) * (size?.page_size ?? 0);
}

/** The number of rows of every table of a SQLite database. */
export async function sqliteCounts(db: Database): Promise<Record<string, number>> {
  const names = await db('sqlite_schema')
    .where({ type: 'table' })
    .whereRaw("name not like 'sqlite^_%' escape '^'")
    .orderBy('name')
    .pluck<string[]>('name');
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = await countRows(db, name);
  return counts;
}
