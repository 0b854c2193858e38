import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Config } from '#platform/config.ts';
import { pageEnvironment } from './astro.ts';
import { projectFolder } from './source-digest.ts';

/** A rendered page, feed, or picture. */
export interface RenderedPage {
  readonly body: Buffer;
  readonly contentType: string;
}

/** Renders pages with the current data. Its processes start when needed and end when idle. */
export interface Renderer {
  /**
   * Renders one address (such as `/poll/tea`, `/historical`, `/sitemap-pages.xml`, `/blog/x.png`) as of the moment `now`;
   * null: there is no such page. Any number may be rendered at the same time. Rejects with the page’s error.
   */
  render(address: string, now?: number): Promise<RenderedPage | null>;
  /** Ends the processes; pages that are being rendered reject. */
  close(): Promise<void>;
}

interface RendererOptions {
  /** The folder of a code build. */
  readonly codeFolder: string;
  readonly config: Config;
  /** Processes; one renders some 300 reports per second. */
  readonly workers?: number;
}

/** How long a process waits for the next page before it ends, in milliseconds. */
const idleMs = 5 * 60_000;

/** The number of the answer that a process gives first: that it has loaded the code build, or why not. */
export const readyNumber = 0;

/** What a process is asked, and what it answers; see api/commands/render-worker.ts. */
export type RenderRequest = readonly [number: number, address: string, now: number];
export type RenderAnswer = readonly [number: number, page: RenderedPage | null, error?: string];

interface Pending {
  resolve(page: RenderedPage | null): void;
  reject(error: Error): void;
}

/** Starts the first process of a renderer; rejects if the code build can’t be loaded. */
export async function startRenderer({ codeFolder, config, workers = 1 }: RendererOptions): Promise<Renderer> {
  const processes = Array.from({ length: workers }, () => renderProcess(codeFolder, config));
  await processes[0]!.ready();
  return {
    render(address, now = Date.now()) {
      const [first] = processes.toSorted((a, b) => a.waiting() - b.waiting());
      return first!.render(address, now);
    },
    async close() {
      await Promise.all(processes.map((one) => one.close()));
    },
  };
}

/**
 * A process that renders, started when a page is needed. It is a process and not a thread, because it opens the database,
 * and a SQLite file that is checked in the same process loses its locks (see api/platform/sqlite-file.ts).
 */
function renderProcess(codeFolder: string, config: Config) {
  const pending = new Map<number, Pending>();
  let running: { readonly child: ChildProcess; readonly ended: Promise<void> } | null = null;
  let idle: NodeJS.Timeout | undefined;
  let count = 0;

  function start(): ChildProcess {
    if (running) return running.child;
    const child = fork(join(projectFolder, 'api/commands/render-worker.ts'), [codeFolder], {
      cwd: projectFolder,
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        DATA_DIR: config.dataDir,
        DATABASE_URL: config.databaseUrl,
        ...pageEnvironment(config),
      },
    });
    child.on('message', ([number, page, error]: RenderAnswer) => {
      const one = pending.get(number);
      pending.delete(number);
      if (pending.size === 0) idle = setTimeout(stop, idleMs).unref();
      if (error === undefined) one?.resolve(page);
      else one?.reject(new Error(error));
    });
    const ended = new Promise<void>((resolve) => {
      const end = (why: string) => {
        if (running?.child === child) running = null;
        for (const one of pending.values()) one.reject(new Error(`The renderer ended: ${why}.`));
        pending.clear();
        resolve();
      };
      child.once('error', ({ message }) => end(message));
      child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
    });
    running = { child, ended };
    return child;
  }

  function ask(address: string, now: number): Promise<RenderedPage | null> {
    clearTimeout(idle);
    const number = ++count;
    return new Promise((resolve, reject) => {
      pending.set(number, { resolve, reject });
      start().send([number, address, now] satisfies RenderRequest, (error) => {
        if (error && pending.delete(number)) reject(error);
      });
    });
  }

  function stop(): void {
    running?.child.kill();
  }

  return {
    render: ask,
    waiting: () => pending.size,
    /** Resolves when the code build is loaded; rejects if it can’t be. */
    ready: () =>
      new Promise((resolve, reject) => {
        pending.set(readyNumber, { resolve, reject });
        start();
      }),
    async close(): Promise<void> {
      clearTimeout(idle);
      const ended = running?.ended;
      stop();
      await ended;
    },
  };
}
