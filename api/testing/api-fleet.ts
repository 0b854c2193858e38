import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './postgres.setup.ts';

/** API services as separate processes on one database. */
export interface ApiFleet {
  /** The origin of each, running or not. */
  readonly origins: readonly string[];
  /** The process id of each. */
  readonly pids: () => readonly number[];
  /** Kills one with its child processes, like a power cut; resolves when it is gone. */
  kill(place: number): Promise<void>;
  /** Restarts a killed one; resolves when it listens. */
  start(place: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts `count` API services, which log warnings to one file each in `folder`. */
export async function startFleet(
  size: number,
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Promise<ApiFleet> {
  const ports = await Promise.all(Array.from({ length: size }, () => freePort()));
  const children: (ChildProcess | null)[] = ports.map(() => null);
  const start = async (place: number) => {
    const errors = openSync(join(folder, `api-${place}.log`), 'a');
    const child = spawn(process.execPath, [fileURLToPath(new URL('scaled-api.ts', import.meta.url))], {
      stdio: ['ignore', 'ignore', errors, 'ipc'],
      // A separate process group, so that its builder dies with it.
      detached: true,
      env: { ...process.env, NODE_ENV: 'test', DATA_DIR: folder, API_PORT: String(ports[place]), ...env },
    });
    closeSync(errors);
    children[place] = child;
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`API service ${place} ended with ${code} before it listened; see ${folder}.`);
    });
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
  };
  const kill = async (place: number) => {
    const child = children[place];
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    process.kill(-child.pid, 'SIGKILL');
    await gone;
  };
  const stop = async () => {
    await Promise.all(children.map((_, place) => kill(place)));
  };
  try {
    await Promise.all(ports.map((_, place) => start(place)));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    origins: ports.map((port) => `http://127.0.0.1:${port}`),
    pids: () => children.map((child) => child?.pid ?? 0),
    kill,
    start,
    stop,
  };
}
