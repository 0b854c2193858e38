import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startPostgres } from '#api/testing/postgres.setup.ts';
import { openDatabase } from '#platform/database.ts';

export const engines = ['SQLite', 'PostgreSQL'] as const;
export type Engine = (typeof engines)[number];

/**
 * Returns a function that creates empty databases: SQLite files in the folder, or databases of a PostgreSQL with
 * default durability.
 */
export async function newDatabases(
  engine: Engine,
  folder: string,
  later: (cleanUp: () => Promise<void>) => void,
): Promise<() => Promise<string>> {
  if (engine === 'SQLite') return () => Promise.resolve(`sqlite:${join(folder, `${randomUUID()}.sqlite`)}`);
  const postgres = await startPostgres(true);
  later(() => postgres.stop());
  return () => newPostgresDatabase(postgres.url);
}

/** Creates an empty database on a PostgreSQL server and returns its URL. */
export async function newPostgresDatabase(serverUrl: string): Promise<string> {
  const name = `bench_${randomUUID().replaceAll('-', '')}`;
  const admin = openDatabase(`${serverUrl}postgres`);
  await admin.raw(`create database ${name}`);
  await admin.destroy();
  return serverUrl + name;
}

/** A new folder on a real disk: the system’s temporary folder may be in memory, where durability costs nothing. */
export async function workFolder(prefix = 'bench-'): Promise<string> {
  await mkdir('var', { recursive: true });
  return resolve(await mkdtemp(join('var', prefix)));
}
