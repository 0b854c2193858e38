import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';

/** What the two databases say differently, in statements that make rows out of numbers. */
export interface SqlWords {
  /** Before a `select`: the table `n` with the column `i`, from `from` up to and without `to`. */
  numbers(from: number, to: number): string;
  /** A whole number with zeros in front. */
  padded(number: string, width: number): string;
  /** A number below 2^32 as eight hexadecimal digits. */
  hex(number: string): string;
}

const sqlite: SqlWords = {
  numbers: (from, to) =>
    `with recursive n (i) as (select ${from} where ${from} < ${to} union all select i + 1 from n where i + 1 < ${to})`,
  padded: (number, width) => `printf('%0${width}d', ${number})`,
  hex: (number) => `printf('%08x', ${number})`,
};

const postgres: SqlWords = {
  numbers: (from, to) => `with n (i) as (select * from generate_series(${from}::bigint, ${to - 1}))`,
  padded: (number, width) => `lpad((${number})::text, ${width}, '0')`,
  hex: (number) => `lpad(to_hex(${number}), 8, '0')`,
};

/** The words of the database that a handle speaks to. */
export function sqlWords(db: Database): SqlWords {
  return isSqlite(db) ? sqlite : postgres;
}
