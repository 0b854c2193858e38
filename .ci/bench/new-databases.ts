import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startPostgres } from '#api/testing/postgres.setup.ts';
import { openDatabase } from '#platform/database.ts';

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

/** A folder on a real disk: the system's temporary one may be in memory, where durability costs nothing. */
export async function workFolder(): Promise<string> {
  await mkdir('var', { recursive: true });
  return resolve(await mkdtemp(join('var', 'bench-')));
}
