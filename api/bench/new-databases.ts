import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openDatabase } from '#platform/database.ts';
import { startPostgres } from '#api/testing/postgres.setup.ts';

export const engines = ['SQLite', 'PostgreSQL'] as const;
export type Engine = (typeof engines)[number];

/** Makes empty databases of one engine: SQLite files in the folder, or a PostgreSQL with the durability it has by default. */
export async function newDatabases(
  engine: Engine,
  folder: string,
  later: (cleanUp: () => Promise<void>) => void,
): Promise<() => Promise<string>> {
  if (engine === 'SQLite') return () => Promise.resolve(`sqlite:${join(folder, `${randomUUID()}.sqlite`)}`);
  const postgres = await startPostgres(true);
  later(() => postgres.stop());
  return async () => {
    const name = `bench_${randomUUID().replaceAll('-', '')}`;
    const admin = openDatabase(`${postgres.url}postgres`);
    await admin.raw(`create database ${name}`);
    await admin.destroy();
    return postgres.url + name;
  };
}
