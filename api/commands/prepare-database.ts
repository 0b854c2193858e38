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

/** Brings the schema to the newest version and answers how many steps that took. */
export async function prepareDatabase(db: Database): Promise<number> {
  try {
    const before = await appliedSteps(db);
    await migrate(db);
    return (await appliedSteps(db)) - before;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A refused connection to "localhost" is several errors in one, without a message of its own.
    if (code !== undefined && unreachable.includes(code))
      throw new ConfigError(startTexts.databaseUnreachable(message === '' ? code : message));
    throw error;
  }
}

async function appliedSteps(db: Database): Promise<number> {
  if (!(await db.schema.hasTable('knex_migrations'))) return 0;
  const row = await db('knex_migrations').count({ count: '*' }).first<{ count: number | string }>();
  return Number(row.count);
}
