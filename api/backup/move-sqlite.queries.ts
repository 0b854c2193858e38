import type { Database, SqliteConnection, SqliteStatement } from '#platform/database.ts';
import { appendValues, linesIn } from './copy-lines.ts';
import type { BoundValue, ColumnKind, TableLayout } from './copy-lines.ts';

/** Rows that are read, or written, by one statement: the longest texts of a poll make a row of 200 kB. */
const rowsAtOnce = 250;
/** Values that one statement may bind (SQLITE_MAX_VARIABLE_NUMBER). */
const mostValues = 32_766;
/** Milliseconds to wait for another process that has the file open. */
const lockWaitMs = 2_000;

/**
 * Runs `read` in a transaction that locks the file for this connection alone: fails with SQLITE_BUSY while any other
 * process has it open, and none can open it meanwhile. Writes nothing.
 */
export async function withExclusiveSqlite<Result>(
  db: Database,
  read: (trx: Database) => Promise<Result>,
): Promise<Result> {
  await db.raw('pragma locking_mode = exclusive');
  await db.raw(`pragma busy_timeout = ${lockWaitMs}`);
  return db.transaction(read);
}

/** The tables and the columns that can be written. */
export async function sqliteColumns(db: Database): Promise<Map<string, string[]>> {
  const rows = await db.raw<{ table: string; column: string }[]>(
    `select t.name as "table", c.name as "column" from pragma_table_list t, pragma_table_xinfo(t.name) c
     where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite^_%' escape '^' and c.hidden = 0`,
  );
  const columns = new Map<string, string[]>();
  for (const { table, column } of rows) columns.set(table, [...(columns.get(table) ?? []), column]);
  return columns;
}

/** All rows of a table in COPY’s text format, in chunks that end where a line ends. To be read in a transaction. */
export async function* sqliteLines(trx: Database, { name, columns }: TableLayout): AsyncGenerator<Buffer> {
  const line = columns.map((column) => copyText(quoted(column.name), column.kind)).join(` || char(9) || `);
  const key = await keyOf(trx, name, columns);
  const names = key.map((_, n) => `k${n}`);
  // Texts, because 64 bits don’t fit into a JavaScript number.
  const asText = names.map((k, n) => (key[n]!.isInteger ? `cast(${k} as text) as ${k}` : k));
  const bound = key.map(({ isInteger }) => (isInteger ? 'cast(? as integer)' : '?'));
  const keyColumns = key.map((part) => part.column).join(', ');
  const page = (where: string) =>
    `with page as materialized (
       select ${key.map(({ column }, n) => `${column} as ${names[n]}`).join(', ')}, ${line} || char(10) as line
       from ${quoted(name)} ${where} order by ${keyColumns} limit ${rowsAtOnce}
     )
     select (select cast(group_concat(line, '') as blob) from page) as lines, ${asText.join(', ')}
     from page order by ${names.map((k) => `page.${k} desc`).join(', ')} limit 1`;
  const [first, further] = [page(''), page(`where (${keyColumns}) > (${bound.join(', ')})`)];
  for (let last: BoundValue[] | null = null; ;) {
    const [found]: ({ lines: Buffer } & Record<string, BoundValue>)[] = await trx.raw(
      last === null ? first : further,
      last ?? [],
    );
    if (found === undefined) return;
    yield found.lines;
    last = names.map((k) => found[k] ?? null);
  }
}

/** The columns by which a table is read in batches: its rowid, or its primary key where it has none. */
async function keyOf(
  trx: Database,
  table: string,
  columns: TableLayout['columns'],
): Promise<{ column: string; isInteger: boolean }[]> {
  const [kind] = await trx.raw<{ wr: number }[]>(
    "select wr from pragma_table_list where schema = 'main' and name = ?",
    [table],
  );
  if (kind?.wr !== 1) return [{ column: 'rowid', isInteger: true }];
  const rows = await trx.raw<{ name: string }[]>('select name from pragma_table_info(?) where pk > 0 order by pk', [
    table,
  ]);
  const isInteger = (name: string) => columns.find((column) => column.name === name)?.kind === 'integer';
  return rows.map(({ name }) => ({ column: quoted(name), isInteger: isInteger(name) }));
}

/** An expression for a value in COPY’s text format, the same as PostgreSQL writes it. */
function copyText(column: string, kind: ColumnKind): string {
  if (kind === 'integer') return `coalesce(cast(${column} as text), '\\N')`;
  if (kind === 'boolean') return `case when ${column} is null then '\\N' when ${column} then 't' else 'f' end`;
  // The hexadecimal digits of null are an empty text.
  if (kind === 'binary') return `iif(${column} is null, '\\N', '\\\\x' || lower(hex(${column})))`;
  if (kind === 'uuid') {
    const groups = [1, 9, 13, 17, 21].map(
      (from, n) => `substr(lower(hex(${column})), ${from}, ${[8, 4, 4, 4, 12][n]})`,
    );
    return `iif(${column} is null, '\\N', ${groups.join(" || '-' || ")})`;
  }
  // The backslash comes first: the others put new ones in.
  const escaped = [
    ['char(92)', '\\\\'],
    ['char(8)', '\\b'],
    ['char(9)', '\\t'],
    ['char(10)', '\\n'],
    ['char(11)', '\\v'],
    ['char(12)', '\\f'],
    ['char(13)', '\\r'],
  ].reduce((text, [character, escape]) => `replace(${text}, ${character}, '${escape}')`, `cast(${column} as text)`);
  return `case when ${column} is null then '\\N'
    when ${column} glob '*[' || char(8, 45, 13) || char(92) || ']*' then ${escaped} else ${column} end`;
}

/** Drops all indexes but those of primary keys and unique constraints; answers the statements that create them again. */
export async function dropSqliteIndexes(db: Database): Promise<string[]> {
  const indexes = await db('sqlite_schema')
    .where({ type: 'index' })
    .whereNotNull('sql')
    .orderBy('name')
    .select<{ name: string; sql: string }[]>('name', 'sql');
  for (const { name } of indexes) await db.raw('drop index ??', [name]);
  return indexes.map(({ sql }) => sql);
}

/** Inserts lines in COPY’s text format into a table. */
export async function insertLines(
  trx: Database,
  { name, columns }: TableLayout,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  const connection = await (trx.client as { acquireConnection(): Promise<SqliteConnection> }).acquireConnection();
  const rows = Math.min(rowsAtOnce, Math.floor(mostValues / columns.length));
  const row = `(${columns.map(() => '?').join(', ')})`;
  const insert = (count: number) =>
    `insert into ${quoted(name)} (${columns.map((column) => quoted(column.name)).join(', ')})
     values ${Array.from({ length: count }, () => row).join(', ')}`;
  const settled = (start: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((done, failed) => {
      start((error) => (error ? failed(error) : done()));
    });
  let statement!: SqliteStatement;
  await settled((done) => (statement = connection.prepare(insert(rows), done)));
  try {
    let values: BoundValue[] = [];
    for await (const chunk of chunks)
      for (const line of linesIn(chunk)) {
        appendValues(values, line, columns);
        if (values.length < rows * columns.length) continue;
        await settled((done) => statement.run(values, done));
        values = [];
      }
    if (values.length > 0)
      await settled((done) => connection.run(insert(values.length / columns.length), values, done));
  } finally {
    await settled((done) => statement.finalize(done));
  }
}

/**
 * The highest id that every table with ids of its own has given out; tables that gave out none are left out. A ballot must
 * not get the key of a deleted one whose votes are still there.
 */
export async function sqliteGivenIds(db: Database): Promise<Record<string, number>> {
  const rows = await db.raw<{ name: string; seq: number }[]>(
    `select name, seq from sqlite_sequence where seq > 0
     union all select 'ballots', max(ballot_key) from ballot_deletions having count(*) > 0`,
  );
  return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]));
}

/** Lets a table give out ids above this one, and above those that it has. */
export async function setSqliteGivenId(db: Database, table: string, last: number): Promise<void> {
  const changed = await db('sqlite_sequence')
    .where({ name: table })
    .update({ seq: db.raw('max(seq, ?)', [last]) });
  if (changed === 0) await db('sqlite_sequence').insert({ name: table, seq: last });
}

/** Whether some row refers to one that is not there. */
export async function hasBrokenReferences(db: Database): Promise<boolean> {
  return (await db.raw<unknown[]>('select 1 from pragma_foreign_key_check limit 1')).length > 0;
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
