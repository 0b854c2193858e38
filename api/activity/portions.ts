/** Rows that one statement takes: SQLite counts them as parts of a compound statement, and has a limit for those. */
const rowsAtOnce = 100;

/** A list in portions that one statement can write. */
export function inPortions<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / rowsAtOnce) }, (_, n) =>
    list.slice(n * rowsAtOnce, (n + 1) * rowsAtOnce),
  );
}
