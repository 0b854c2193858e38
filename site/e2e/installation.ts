import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '#platform/database.ts';

const execute = promisify(execFile);

/** An installation of the whole product, started by tests and the gallery. */
export interface Installation {
  readonly port: number;
  readonly apiPort: number;
  readonly dataDir: string;
}

/** The variable with the URL of the test run’s PostgreSQL, ending in a slash; unset: installations use SQLite. */
export const postgresSetting = 'TEST_POSTGRES_URL';

/** The admin password of the installation. */
export const operatorPassword = 'a password for the tests';

/** The origin of the installation. */
export const originOf = (installation: Installation) => `http://127.0.0.1:${installation.port}`;

/** The URL of a new PostgreSQL database for an installation; empty on SQLite, whose file is in the data folder. */
async function newDatabase(dataDir: string): Promise<string> {
  const server = process.env[postgresSetting];
  if (server === undefined) return '';
  const name = basename(dataDir).replaceAll('-', '_');
  const admin = openDatabase(`${server}postgres`);
  await admin.raw('drop database if exists ?? with (force)', [name]);
  await admin.raw('create database ??', [name]);
  await admin.destroy();
  return `${server}${name}`;
}

/** The settings of an installation: its own, and those that `settings` changes. */
const environmentOf = (
  installation: Installation,
  settings: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv => ({
  ...process.env,
  ASTRO_TELEMETRY_DISABLED: '1',
  NODE_ENV: '',
  PORT: String(installation.port),
  API_PORT: String(installation.apiPort),
  API_ORIGIN: '',
  HOST: '',
  PUBLIC_URL: originOf(installation),
  DATA_DIR: installation.dataDir,
  DATABASE_URL: '',
  ...settings,
});

/**
 * Starts the site like a user (`npm start` on an empty data folder, with demonstration data) and waits until pages and
 * API respond.
 */
export async function startInstallation(
  installation: Installation,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningSite> {
  const { dataDir } = installation;
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  return runInstallation(installation, {
    DATABASE_URL: await newDatabase(dataDir),
    RATE_LIMIT: 'off',
    DEMO_DATA: 'on',
    ADMIN_PASSWORD: operatorPassword,
    ...settings,
  });
}

/** A site that is running. */
export interface RunningSite {
  /** What it has printed so far. */
  readonly output: () => string;
  /** Ends it like a user, unless it has ended; returns its exit code. */
  readonly stop: (signal?: 'SIGTERM' | 'SIGINT') => Promise<number | null>;
}

/** Runs `npm start` on the data folder as it is and waits until pages and API respond. */
export async function runInstallation(
  installation: Installation,
  settings: Readonly<Record<string, string>>,
): Promise<RunningSite> {
  const child = spawn(process.execPath, ['api/commands/start.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentOf(installation, settings),
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));

  // The site service and the API start independently.
  const responds = (path: string) =>
    fetch(originOf(installation) + path).then(
      (response) => response.ok,
      () => false,
    );
  const deadline = Date.now() + 240_000;
  for (;;) {
    if ((await responds('/')) && (await responds('/api/health'))) break;
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`The site did not start:\n${output}`);
    }
    await new Promise((later) => setTimeout(later, 250));
  }

  return {
    output: () => output,
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null) return child.exitCode;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
}

/** Runs another command of the project on an installation that uses SQLite; returns what it prints. Throws if it fails. */
export async function runCommand(installation: Installation, name: string, ...words: string[]): Promise<string> {
  const script = `api/commands/${name}.ts`;
  const { stdout } = await execute(process.execPath, [script, ...words], { env: environmentOf(installation) });
  return stdout;
}

/** A port on which nothing listens. */
const unusedOrigin = 'http://127.0.0.1:9';

/** Serves the pages of an installation on another port, with another API or none. Returns a function that stops it. */
export async function startSiteService(
  { dataDir }: Installation,
  port: number,
  apiOrigin = unusedOrigin,
): Promise<() => Promise<void>> {
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['api/commands/site.ts'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      PORT: String(port),
      API_ORIGIN: apiOrigin,
      HOST: '',
      PUBLIC_URL: origin,
      DATA_DIR: dataDir,
      DATABASE_URL: '',
    },
  });
  const deadline = Date.now() + 30_000;
  while (!(await fetch(origin).catch(() => null))?.ok) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('The site service did not start.');
    await new Promise((later) => setTimeout(later, 250));
  }
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
}
