import type { Database } from '#platform/database.ts';
import { isSqlite } from '#platform/database.ts';

// Whole portions travel as one JSON parameter: no limit of parameters, one statement for hundreds of rows, and
// the same text for both engines.
type ColumnType = 'text' | 'bigint' | 'boolean';
/** Names and types of what rows have. */
export type Columns = Readonly<Record<string, ColumnType>>;
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** Rows that are given as one JSON parameter, as a table `v`. */
export function table(db: Database, columns: Columns): string {
  const names = Object.entries(columns);
  return isSqlite(db)
    ? `(select ${names.map(([name]) => `value->>'${name}' as ${name}`).join(', ')} from json_each(?)) as v`
    : `json_to_recordset(?::json) as v(${names.map(([name, type]) => `${name} ${type}`).join(', ')})`;
}

/** Inserts rows, as many as there are, in one statement. */
export async function insertRows(db: Database, target: string, columns: Columns, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(columns).join(', ');
  await db.raw(`insert into ${target} (${names}) select ${names} from ${table(db, columns)}`, [JSON.stringify(rows)]);
}

/** Updates what `where` finds for each of the rows `v`. */
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

/** Selects with a list of ids, for {@link idList}, as the one parameter. */
export async function selectRows<T>(db: Database, sql: string, ids: readonly string[]): Promise<T[]> {
  const result: unknown = await db.raw(sql, [JSON.stringify(ids)]);
  return (isSqlite(db) ? result : (result as { rows: unknown }).rows) as T[];
}

/** The ids of a JSON list, to be looked for with `in`. */
export function idList(db: Database): string {
  return isSqlite(db)
    ? '(select value from json_each(?))'
    : '(select value from json_array_elements_text(?::json) as list(value))';
}
