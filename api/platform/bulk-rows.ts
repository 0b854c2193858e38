import { isSqlite } from './database.ts';
import type { Database } from './database.ts';

/*
 * Whole batches are passed as one JSON parameter: no limit on the number of parameters, one statement for hundreds of
 * rows, and the same SQL for both engines.
 */

type ColumnType = 'text' | 'bigint' | 'boolean';
/** Names and types of columns. */
export type Columns = Readonly<Record<string, ColumnType>>;
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** SQL for a table `v` of the rows in one JSON parameter. */
export function table(db: Database, columns: Columns): string {
  const names = Object.entries(columns);
  return isSqlite(db)
    ? `(select ${names.map(([name]) => `value->>'${name}' as ${name}`).join(', ')} from json_each(?)) as v`
    : `json_to_recordset(?::json) as v(${names.map(([name, type]) => `${name} ${type}`).join(', ')})`;
}

/** Inserts any number of rows `v` in one statement; `rest` is SQL, such as conditions and what is done about conflicts. */
export async function insertRows(
  db: Database,
  target: string,
  columns: Columns,
  rows: readonly Row[],
  rest = '',
): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(columns).join(', ');
  // Without "where", SQLite would parse "on conflict" as a join condition.
  await db.raw(`insert into ${target} (${names}) select ${names} from ${table(db, columns)} where true ${rest}`, [
    JSON.stringify(rows),
  ]);
}

/** Updates what `where` matches for each row of `v`. */
export async function updateRows(
  db: Database,
  target: string,
  columns: Columns,
  rows: readonly Row[],
  set: string,
  where: string,
): Promise<void> {
  if (rows.length === 0) return;
  await db.raw(`update ${target} set ${set} from ${table(db, columns)} where ${where}`, [JSON.stringify(rows)]);
}

/** Runs a select whose one parameter is a list of ids, see {@link idList}. */
export async function selectRows<T>(db: Database, sql: string, ids: readonly string[]): Promise<T[]> {
  const result: unknown = await db.raw(sql, [JSON.stringify(ids)]);
  return (isSqlite(db) ? result : (result as { rows: unknown }).rows) as T[];
}

/** SQL for the ids of a JSON list, for use with `in`. */
export function idList(db: Database): string {
  return isSqlite(db)
    ? '(select value from json_each(?))'
    : '(select value from json_array_elements_text(?::json) as list(value))';
}
