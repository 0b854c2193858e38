import { ConfigError } from '#platform/config.ts';
import { migrate } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { startTexts } from '#texts/start.ts';

const unreachable = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'SQLITE_CANTOPEN',
  '28P01',
  '3D000',
  '28000',
];
const damaged = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];

/** Brings the schema to the newest version and answers how many steps that took. */
export async function prepareDatabase(db: Database): Promise<number> {
  try {
    const before = await appliedSteps(db);
    await migrate(db);
    return (await appliedSteps(db)) - before;
  } catch (error) {
    throw unreachableReason(error) ?? error;
  }
}

/** The sentence for a database that does not answer or is damaged; null for any other error. */
export function unreachableReason(error: unknown): ConfigError | null {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return null;
  // A refused connection to "localhost" is several errors in one, without a message of its own.
  if (unreachable.includes(code))
    return new ConfigError(startTexts.databaseUnreachable(message === '' ? code : message));
  return damaged.includes(code) ? new ConfigError(startTexts.databaseDamaged(message)) : null;
}

async function appliedSteps(db: Database): Promise<number> {
  if (!(await db.schema.hasTable('knex_migrations'))) return 0;
  const row = await db('knex_migrations').count({ count: '*' }).first<{ count: number | string }>();
  return Number(row.count);
}
