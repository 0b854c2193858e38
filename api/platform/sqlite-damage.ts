import { isSqlite } from './database.ts';
import type { Database } from './database.ts';
import { firstDamage } from './sqlite-file.ts';

/** The first thing that is wrong with the inner order of a SQLite file; null when all is well, and on PostgreSQL. */
export async function sqliteDamage(db: Database, how: 'quick' | 'thorough'): Promise<string | null> {
  if (!isSqlite(db)) return null;
  const pragma = how === 'quick' ? 'quick_check' : 'integrity_check';
  return firstDamage(await db.raw<Record<string, string>[]>(`pragma ${pragma}(1)`));
}
