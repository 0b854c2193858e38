import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Config } from '#platform/config.ts';
import { hasLittleMemory } from '#platform/little-memory.ts';
import { projectFolder } from '#api/publishing/source-digest.ts';
import { ServiceEnded } from './command-line.ts';

export interface Supervised {
  /** Resolves when the service first listens; rejects with its exit code if it ends before that. */
  readonly ready: Promise<unknown>;
  /** Asks the service to drain and exit. */
  stop(): Promise<void>;
}

/**
 * The Node flags of the services (handbook decision 050). The young generation takes up to three times its semi-space, and
 * never gives it back: with little memory it is smaller.
 */
export const apiNodeArgs: readonly string[] = [
  `--max-semi-space-size=${hasLittleMemory() ? 8 : 32}`,
  '--no-allocation-site-pretenuring',
];
export const siteNodeArgs: readonly string[] = hasLittleMemory() ? ['--max-semi-space-size=8'] : [];

/** Cores from which the site service has two processes: of fewer, a second one takes time from votes. */
const coresForTwo = 4;

/** How many processes serve the site on one port, which only Linux divides among them. */
export function siteProcesses(config: Pick<Config, 'siteProcesses'>): number {
  if (process.platform !== 'linux') return 1;
  return config.siteProcesses ?? (availableParallelism() >= coresForTwo && !hasLittleMemory() ? 2 : 1);
}

/**
 * Otherwise the memory that each of some fifteen threads (of SQLite, of pictures, of V8) has freed stays with that thread.
 * The units and the image have it, too.
 */
export const serviceEnvironment = { MALLOC_ARENA_MAX: '2' };

const longestPauseSeconds = 30;
/** The uptime after which a service no longer counts as failed at its start, in milliseconds. */
const healthyMs = 60_000;

/** Starts a command as a child process and restarts it, after growing pauses, whenever it ends. */
export function supervise(
  command: string,
  options: { args?: readonly string[]; nodeArgs?: readonly string[]; onEnded: (pauseSeconds: number) => void },
): Supervised {
  let stopped = false;
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let wasReady = false;
  const ready = Promise.withResolvers<undefined>();

  const run = () => {
    const started = performance.now();
    const script = join(projectFolder, 'api/commands', command);
    child = spawn(process.execPath, [...(options.nodeArgs ?? []), script, ...(options.args ?? [])], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, ...serviceEnvironment },
    });
    child.once('message', () => {
      wasReady = true;
      ready.resolve(undefined);
    });
    child.once('close', (code) => {
      child = null;
      if (stopped) return;
      if (!wasReady) {
        stopped = true;
        ready.reject(new ServiceEnded(code ?? 1));
        return;
      }
      failures = performance.now() - started > healthyMs ? 0 : failures + 1;
      const pause = Math.min(longestPauseSeconds, 2 ** Math.min(failures, 6) / 2);
      options.onEnded(pause);
      timer = setTimeout(run, pause * 1000);
    });
  };
  run();
  // A parent that exits immediately also ends its services.
  process.once('exit', () => child?.kill('SIGKILL'));
  // Handled by callers that await it; others may ignore it.
  ready.promise.catch(() => undefined);

  return {
    ready: ready.promise,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      if (!child) return;
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}
