import { serverLimits } from '#contract/server-limits.ts';
import type { Database } from './database.ts';

/**
 * Removes the rows of a table whose moment in `column` has come, in portions by `key`: whoever votes meanwhile waits for
 * none of them for long. A row whose moment was moved since it was looked at stays.
 */
export async function removeExpired(
  db: Database,
  { table, key, column }: { readonly table: string; readonly key: string; readonly column: string },
  now: number,
): Promise<void> {
  const expired = () => db(table).where(column, '<=', now);
  for (;;) {
    const some = await expired().orderBy(column).limit(serverLimits.sweptAtOnce).pluck<string[]>(key);
    if (some.length > 0) await expired().whereIn(key, some).del();
    if (some.length < serverLimits.sweptAtOnce) return;
  }
}
