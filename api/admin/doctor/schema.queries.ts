import { randomBytes } from 'node:crypto';
import { applyMigrations, isSqlite, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';

/** The schema that migrations produce. */
export interface ExpectedSchema {
  readonly schema: Schema;
  readonly references: readonly Reference[];
}

/** By engine and migrations: applying them takes longer than all other checks of a small site. */
const known = new Map<string, ExpectedSchema>();

/** The schema that these migrations produce on the same engine. */
export async function expectedSchema(db: Database, migrations: readonly string[]): Promise<ExpectedSchema> {
  const key = [isSqlite(db), ...migrations].join();
  const schema = known.get(key) ?? (await producedSchema(db, migrations));
  known.set(key, schema);
  return schema;
}

/** Applies migrations in memory for SQLite, for PostgreSQL in a temporary schema inside a transaction that is rolled back. */
export async function producedSchema(db: Database, migrations: readonly string[]): Promise<ExpectedSchema> {
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

/** The differences between a schema and the expected one. */
export interface Drift {
  readonly missing: readonly string[];
  readonly changed: readonly { readonly what: string; readonly actual: string; readonly expected: string }[];
  readonly extra: readonly string[];
}

/** Compares two schemas. Parts of a missing or unknown table are not listed separately. */
export function driftBetween(actual: Schema, expected: Schema): Drift {
  const tableOf = (name: string) =>
    /^column ([^.]+)\./.exec(name)?.[1] ?? /^(?:constraint|trigger)(?: \S+)? of ([^:\s]+)/.exec(name)?.[1];
  const isListed = (name: string, where: Schema) => {
    const table = tableOf(name);
    return table === undefined || where.has(`table ${table}`);
  };
  return {
    missing: [...expected.keys()].filter((name) => !actual.has(name) && isListed(name, actual)),
    changed: [...expected].flatMap(([what, definition]) => {
      const is = actual.get(what);
      return is === undefined || is === definition ? [] : [{ what, actual: is, expected: definition }];
    }),
    extra: [...actual.keys()].filter((name) => !expected.has(name) && isListed(name, expected)),
  };
}

/** Every table, column, constraint, index, and trigger by name, with its definition. */
export type Schema = ReadonlyMap<string, string>;

/** A foreign key. */
export interface Reference {
  readonly child: string;
  readonly columns: readonly string[];
  readonly parent: string;
  readonly parentColumns: readonly string[];
}

/** Reads the current schema. */
export function describeSchema(db: Database): Promise<Schema> {
  return isSqlite(db) ? describeSqlite(db) : describePostgres(db);
}

async function describeSqlite(db: Database): Promise<Schema> {
  const schema = new Map<string, string>();
  const things = await db('sqlite_schema')
    .whereRaw("name not like 'sqlite^_%' escape '^'")
    .orderBy('name')
    .select<{ type: string; name: string; tbl_name: string; sql: string }[]>('type', 'name', 'tbl_name', 'sql');
  for (const { type, name, sql } of things) {
    if (type !== 'table') {
      schema.set(`${type} ${name}`, plain(sql));
      continue;
    }
    schema.set(`table ${name}`, '');
    // The parts between the outer parentheses, compared separately, because columns may be in another order.
    for (const piece of pieces(sql.slice(sql.indexOf('(') + 1, sql.lastIndexOf(')')))) {
      const text = plain(piece);
      if (/^(primary|foreign|unique|check|constraint)\b/.test(text)) schema.set(`constraint of ${name}: ${text}`, text);
      else schema.set(`column ${name}.${text.split(' ', 1)[0] ?? ''}`, text);
    }
  }
  return schema;
}

/** Removes quotes around names and collapses whitespace. */
function plain(sql: string): string {
  return sql.replace(/[`"]/g, '').replace(/\s+/g, ' ').trim().toLowerCase();
}

/** Splits at commas outside parentheses and strings. */
function pieces(list: string): string[] {
  const found: string[] = [];
  let [depth, quoted, start] = [0, false, 0];
  for (let place = 0; place < list.length; place++) {
    const letter = list[place];
    if (letter === "'") quoted = !quoted;
    if (quoted) continue;
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter !== ',' || depth > 0) continue;
    found.push(list.slice(start, place));
    start = place + 1;
  }
  return [...found, list.slice(start)];
}

async function describePostgres(db: Database): Promise<Schema> {
  const { rows } = await db.raw<{ rows: { name: string; definition: string }[] }>(
    `with tables as (
       select oid, relname from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm')
     )
     select 'table ' || relname as name, '' as definition from tables
     union all
     select 'column ' || t.relname || '.' || a.attname,
       format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end
         || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
     from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
     left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
     union all
     select 'constraint ' || k.conname || ' of ' || t.relname,
       pg_get_constraintdef(k.oid) || case when k.convalidated then '' else ' not valid' end
     from tables t join pg_constraint k on k.conrelid = t.oid where k.contype in ('p', 'u', 'f', 'c', 'x')
     union all
     select 'index ' || i.relname,
       replace(pg_get_indexdef(i.oid), ' ON ' || quote_ident(current_schema()) || '.', ' ON ')
         || case when x.indisvalid then '' else ' (invalid)' end
     from tables t join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = x.indexrelid
     where not exists (select 1 from pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u', 'x'))
     union all
     select 'trigger ' || g.tgname || ' of ' || t.relname, case when g.tgenabled = 'D' then 'disabled' else 'enabled' end
     from tables t join pg_trigger g on g.tgrelid = t.oid where not g.tgisinternal
     order by name`,
  );
  return new Map(rows.map(({ name, definition }) => [name, definition]));
}

/** The foreign keys of all tables. */
export async function references(db: Database): Promise<Reference[]> {
  const sql = isSqlite(db)
    ? `select m.name as child, k."table" as parent, json_group_array(k."from" order by k.seq) as columns,
         json_group_array(coalesce(k."to", 'id') order by k.seq) as parent_columns
       from sqlite_schema m join pragma_foreign_key_list(m.name) k
       where m.type = 'table' group by m.name, k.id, k."table" order by m.name, k.id`
    : `select c.relname as child, p.relname as parent,
         (select json_agg(a.attname order by o.place) from unnest(k.conkey) with ordinality o (number, place)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = o.number)::text as columns,
         (select json_agg(a.attname order by o.place) from unnest(k.confkey) with ordinality o (number, place)
          join pg_attribute a on a.attrelid = p.oid and a.attnum = o.number)::text as parent_columns
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
       where k.contype = 'f' and c.relnamespace = current_schema()::regnamespace order by c.relname, k.conname`;
  const answer: unknown = await db.raw(sql);
  const rows = (Array.isArray(answer) ? answer : (answer as { rows: unknown }).rows) as {
    child: string;
    parent: string;
    columns: string;
    parent_columns: string;
  }[];
  return rows.map(({ child, parent, columns, parent_columns }) => ({
    child,
    parent,
    columns: JSON.parse(columns) as string[],
    parentColumns: JSON.parse(parent_columns) as string[],
  }));
}
