import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathOf } from '#contract/routes.ts';
import { apiNodeArgs, serviceEnvironment, siteNodeArgs } from '#api/commands/supervisor.ts';
import { freePort } from '#api/testing/postgres.setup.ts';
import { compileCache } from '#platform/config.ts';

/** The operator’s password of the benchmark servers. */
export const benchPassword = 'the operator of the benchmark';

/** The key of voters’ digests in benchmarks. */
export const benchVoterKey = 'a key of voters in the benchmarks';

/** A benchmark server in a child process. */
export interface ServerProcess {
  readonly origin: string;
  readonly pid: number;
  /** Sends a message and returns the answer. */
  ask<T>(message?: object): Promise<T>;
  /** Stops it gracefully. */
  stop(): Promise<void>;
  /** Kills it immediately, like a power cut. */
  kill(): Promise<void>;
}

/** Starts one of this folder’s servers, which sends its port when it listens. */
export function startServer(file: string, env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  return start(file, apiNodeArgs, env);
}

/** Starts the product’s site service, with all its processes; resolves when all of them listen. */
export async function startSite(env: Readonly<Record<string, string>> & { DATA_DIR: string }): Promise<ServerProcess> {
  const port = await freePort();
  const cached = { NODE_COMPILE_CACHE: compileCache(env.DATA_DIR), ...serviceEnvironment };
  return start('../../api/commands/site.ts', siteNodeArgs, { ...cached, ...env, PORT: String(port) }, port);
}

async function start(
  file: string,
  nodeArgs: readonly string[],
  env: Readonly<Record<string, string>>,
  knownPort?: number,
): Promise<ServerProcess> {
  const child = fork(new URL(file, import.meta.url), {
    env: { ...process.env, NODE_ENV: 'production', RATE_LIMIT: 'off', ...env },
    execArgv: [...nodeArgs],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const port = await new Promise<number>((listening, failed) => {
    child.once('message', (message) => listening(knownPort ?? Number(message)));
    child.once('exit', (code) => failed(new Error(`${file} ended with code ${code} before it listened.`)));
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async ask<T>(message = {}) {
      child.send(message);
      const [answer] = (await once(child, 'message')) as [T];
      return answer;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Signs a member with {@link benchPassword} in and returns the cookies of the session; throws if that is refused. */
export async function signIn(origin: string, username: string): Promise<string> {
  const answer = await fetch(origin + pathOf('login'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: benchPassword }),
  });
  if (answer.status !== 200) throw new Error(`${username} could not sign in: ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .join('; ');
}

/** In the server: listens on a free port, reports it, and closes gracefully on SIGTERM. */
export function serve(server: Server, close: () => Promise<void>): void {
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  // A failed benchmark must not leave servers running.
  process.once('disconnect', () => process.exit(1));
  process.once('SIGTERM', () => {
    server.close(() => void close().then(() => process.exit(0)));
    server.closeAllConnections();
  });
}

/** The ids of the processes that a process has started, directly or not. Linux only. */
export async function descendants(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const pids = children.split(' ').map(Number).filter(Boolean);
  return [...pids, ...(await Promise.all(pids.map(descendants))).flat()];
}

/** Microseconds of CPU time that a process and its descendants have taken; NaN if it can’t be measured. */
export async function cpuTime(pid: number): Promise<number> {
  try {
    const threads = await Promise.all(
      [pid, ...(await descendants(pid))].map(async (one) =>
        (await readdir(`/proc/${one}/task`)).map((id) => `/proc/${one}/task/${id}`),
      ),
    );
    const times = await Promise.all(threads.flat().map((thread) => readFile(`${thread}/schedstat`, 'utf8')));
    // In nanoseconds, and more exact than the ticks of other figures.
    return times.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1_000, 0);
  } catch {
    return NaN;
  }
}
