import { execFile } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, inject } from 'vitest';
import { openDatabase } from '#platform/database.ts';
import { quickFolder } from './quick-folder.ts';

/** A data folder and the URL of a database that doesn’t exist or is empty. */
export interface Place {
  readonly dataDir: string;
  readonly url: string;
}

/** The result of a command. */
export interface CommandAnswer {
  readonly code: number;
  readonly output: string;
  readonly complaint: string;
}

/** Creates empty places and folders, which are removed after each test. Call it once per test file. */
export function emptyPlaces() {
  const cleanUps: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });
  const folder = async () => {
    const path = await mkdtemp(join(quickFolder(), 'weathervane-place-'));
    cleanUps.push(() => rm(path, { recursive: true, force: true }));
    return path;
  };
  return {
    folder,
    /** A place as on a new machine. */
    async place(engine: 'SQLite' | 'PostgreSQL'): Promise<Place> {
      const dataDir = await folder();
      if (engine === 'SQLite') return { dataDir, url: `sqlite:${join(dataDir, 'weathervane.sqlite')}` };
      const server = inject('postgresUrl');
      const name = `place_${randomUUID().replaceAll('-', '')}`;
      const admin = openDatabase(`${server}postgres`);
      await admin.raw(`create database ${name}`);
      cleanUps.push(async () => {
        await admin.raw(`drop database ${name} with (force)`);
        await admin.destroy();
      });
      return { dataDir, url: `${server}${name}` };
    },
  };
}

export const commandScript = (name: string) => new URL(`../commands/${name}.ts`, import.meta.url).pathname;

/** The environment of a command; without a data folder for commands that need none. */
export const commandEnvironment = ({ url, dataDir }: Partial<Place>): Record<string, string> => ({
  ...(url !== undefined && { DATABASE_URL: url }),
  ...(dataDir !== undefined && { DATA_DIR: dataDir }),
  NODE_ENV: 'test',
});

/** Starts a command on a place. */
export function startCommand(
  name: string,
  place: Partial<Place>,
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
) {
  let child!: ChildProcess;
  const answer = new Promise<CommandAnswer>((done) => {
    child = execFile(
      process.execPath,
      [commandScript(name), ...words],
      { env: { ...process.env, ...commandEnvironment(place), ...env } },
      (error, output, complaint) => done({ code: error === null ? 0 : Number(error.code ?? -1), output, complaint }),
    );
  });
  return { answer, output: child.stdout!, kill: () => void child.kill('SIGKILL') };
}

/** Runs a command to its end. */
export function runCommandOn(name: string, place: Partial<Place>, ...words: string[]): Promise<CommandAnswer> {
  return startCommand(name, place, words).answer;
}
