import type { Database } from '#platform/database.ts';

/** Rows that are fetched at once: the longest texts of a poll make a row of 200 kB. */
const fetched = 250;

/** Remembers the steps of the schema: a restore takes them itself. */
const ownTables = ['knex_migrations', 'knex_migrations_lock'];

/** The tables that hold what a backup is about. */
export async function postgresTables(db: Database): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') order by c.relname`,
  );
  return rows.map(({ name }) => name).filter((name) => !ownTables.includes(name));
}

/** How many rows the tables have, as PostgreSQL estimates it: for a bar. */
export async function estimatedRows(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { estimate: number }[] }>(
    `select coalesce(sum(greatest(reltuples, 0)), 0)::bigint as estimate from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
  );
  return Number(rows[0]?.estimate);
}

/** How many tables and views are where a restore would put its own. */
export async function relationsInSchema(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*) as count from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')`,
  );
  return Number(rows[0]?.count);
}

/** The rows of a table, each a JSON text without a line break. To be read in a transaction. */
export async function* rowsAsJson(trx: Database, table: string): AsyncGenerator<string[]> {
  await trx.raw('declare backup_rows no scroll cursor for select row_to_json(t)::text as line from ?? t', [table]);
  for (;;) {
    const { rows } = await trx.raw<{ rows: { line: string }[] }>(`fetch ${fetched} from backup_rows`);
    if (rows.length === 0) break;
    yield rows.map(({ line }) => line);
  }
  await trx.raw('close backup_rows');
}

/** The highest id that every table with ids of its own has given out; tables that gave out none are left out. */
export async function givenIds(db: Database): Promise<Record<string, number>> {
  const { rows } = await db.raw<{ rows: { table: string; last: number | null }[] }>(
    `select t.relname as table, pg_sequence_last_value(s.oid) as last
     from pg_class s
     join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
     join pg_class t on t.oid = d.refobjid and d.refclassid = 'pg_class'::regclass
     where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace`,
  );
  return Object.fromEntries(
    rows.flatMap(({ table, last }) => (last === null || ownTables.includes(table) ? [] : [[table, last]])),
  );
}

/** Lets a table give out ids above this one. */
export async function setGivenId(trx: Database, table: string, last: number): Promise<void> {
  await trx.raw(`select setval(pg_get_serial_sequence(quote_ident(?), 'id'), ?)`, [table, last]);
}

/** The tables in an order in which none refers to one that comes later. */
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

/** The columns of a table. */
export async function columnsOf(db: Database, table: string): Promise<string[]> {
  return Object.keys(await db(table).columnInfo());
}

/** Takes away what the steps of the schema have put into the tables; `order` is that of {@link tablesByReference}. */
export async function emptyTables(trx: Database, order: readonly string[]): Promise<void> {
  for (const table of [...order].reverse()) await trx(table).del();
}

/** Writes rows that {@link rowsAsJson} has read. */
export async function insertJson(trx: Database, table: string, lines: readonly string[]): Promise<void> {
  // What the database computes itself cannot be written.
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

/** Rows of a table. */
export async function rowsIn(db: Database, table: string): Promise<number> {
  const row = await db(table).count({ count: '*' }).first<{ count: number | string }>();
  return Number(row.count);
}
