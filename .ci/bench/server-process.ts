import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathOf } from '#domain/path-of.ts';
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

/**
 * Samples the memory of the processes that a process has started. `stop` returns the peak in bytes; memory that they share
 * counts once. NaN if it can’t be measured.
 */
export function watchMemory(pid: number): { stop(): number } {
  let most = NaN;
  let isSampling = false;
  const sample = async () => {
    if (isSampling) return;
    isSampling = true;
    const each = await Promise.all((await descendants(pid)).map(ownMemory));
    const all = each.reduce((sum, one) => sum + one, 0);
    if (all > 0 && !(all <= most)) most = all;
    isSampling = false;
  };
  // Each sample walks the page tables of all processes.
  const timer = setInterval(() => void sample(), 500);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}

/** The proportional set size of a process in bytes; 0 if it has exited. */
async function ownMemory(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1_024;
}

/** Microseconds of CPU time of some processes and their descendants, by process. Linux only. */
export async function cpuTimes(pids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const all = [...pids, ...(await Promise.all(pids.map(descendants))).flat()];
  const times = all.map(async (pid): Promise<[number, number]> => {
    const threads = await readdir(`/proc/${pid}/task`);
    const texts = await Promise.all(threads.map((id) => readFile(`/proc/${pid}/task/${id}/schedstat`, 'utf8')));
    // In nanoseconds, and more exact than the ticks of other figures.
    return [pid, texts.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1_000, 0)];
  });
  // A process may have ended since it was listed, or can’t be measured here.
  const settled = await Promise.allSettled(times);
  return new Map(settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
}

/** Microseconds between two readings; NaN if nothing could be measured. What ended in between does not count. */
export function cpuBetween(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  if (after.size === 0) return NaN;
  return [...after].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0);
}
