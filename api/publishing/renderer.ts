import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { PageAnswer, PageRequest } from '#api/publishing/page-data/page-data.contract.ts';
import type { Config } from '#platform/config.ts';
import { hasLittleMemory } from '#platform/little-memory.ts';
import { pageEnvironment } from './code-build.ts';
import type { PageDraft } from './builds.ts';
import { projectFolder } from './source-digest.ts';

/** What the process that renders a page does with it, so that contents are not copied to another process. */
export interface Storing {
  /** Folder with the stored pages, with which it compares the page. */
  readonly client: string;
  /** Whether it writes a page that differs as a draft, and waits until that would survive a power cut. */
  readonly write: 'no' | 'draft' | 'durable draft';
}

/** A rendered page. */
export interface Rendered {
  /** Whether the page is stored with the same bytes. */
  readonly isSame: boolean;
  readonly draft: PageDraft | null;
  /** If there was nothing to compare it with. */
  readonly content: Buffer | null;
}

/** Renders pages with the current data. Its processes start when needed and end when idle. */
export interface Renderer {
  /**
   * Renders one address (such as `/poll/tea`, `/historical`, `/sitemap-pages.xml`, `/blog/x.png`) as of the moment `now`; null
   * if there is no such page. Calls may be concurrent. Rejects with the page’s error.
   */
  render(address: string, now?: number, storing?: Storing | null): Promise<Rendered | null>;
  /** Answers a visitor’s request now; null if no route has its address. Rejects as above. */
  respond(request: PageRequest): Promise<PageAnswer | null>;
  /** Ends the processes; pages that are being rendered reject. */
  close(): Promise<void>;
}

interface RendererOptions {
  /** The folder of a code build. */
  readonly codeFolder: string;
  readonly config: Config;
  /** Processes; one renders some 300 reports per second. */
  readonly workers?: number;
  /** How long a process waits for the next page before it ends. */
  readonly idleMs?: number;
  /** How long it may take for an answer before it is ended: a page may never be over. */
  readonly answerMs?: number;
  /** The API that personal pages call; by default that of the settings. */
  readonly apiOrigin?: string;
}

/** The page has not failed: its process could not start, or has ended. */
export class RendererEnded extends Error {
  override readonly name = 'RendererEnded';
}

/**
 * A page’s memory is garbage once it is rendered: without limits a process grows to 370 MB. Half as much young space would
 * save 14 MB and cost a twentieth more CPU; a limit of the whole heap near what a process needs would cost a third.
 */
const nodeArgs = ['--max-old-space-size=512', `--max-semi-space-size=${hasLittleMemory() ? 8 : 16}`];

const defaultIdleMs = 5 * 60_000;
const defaultAnswerMs = 60_000;

/** The number of the answer that a process gives first: that it has loaded the code build, or why not. */
export const readyNumber = 0;

/** Pages of one message at most: they are read from the database together, and answered together. */
const pagesPerMessage = 32;

/** What a process is asked for each page of a message, and what it answers; see api/commands/render-worker.ts. */
export type RenderRequest = readonly [number: number, address: string, now: number, storing: Storing | null];
/** What it is asked for a visitor. */
export type VisitorRequest = readonly [number: number, request: PageRequest];
export type RenderAnswer = readonly [number: number, page: Rendered | PageAnswer | null, error?: string];

interface Pending {
  readonly askedAt: number;
  resolve(page: RenderAnswer[1]): void;
  reject(error: Error): void;
}

interface RenderProcess {
  readonly child: ChildProcess;
  /** By the numbers of the requests. */
  readonly pending: Map<number, Pending>;
  /** What is sent at the end of this turn of the event loop. */
  readonly unsent: (RenderRequest | VisitorRequest)[];
  readonly ended: Promise<void>;
}

/** Starts the first process of a renderer; rejects with the reason if the code build can’t be loaded. */
export async function startRenderer(options: RendererOptions): Promise<Renderer> {
  const processes = Array.from({ length: options.workers ?? 1 }, () => renderProcess(options));
  const close = async () => {
    await Promise.all(processes.map((one) => one.close()));
  };
  await processes[0]!.ready().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const leastBusy = () => processes.toSorted((a, b) => a.waiting() - b.waiting())[0]!;
  return {
    render(address, now = Date.now(), storing = null) {
      // What draws pictures takes memory, so only one process loads it.
      return (address.endsWith('.png') ? processes[0]! : leastBusy()).render(address, now, storing);
    },
    respond: (request) => leastBusy().respond(request),
    close,
  };
}

/**
 * A process that renders, started when a page is needed. It is a process and not a thread, because it opens the database,
 * and a SQLite file that is checked in the same process loses its locks (see api/platform/sqlite-file.ts).
 */
function renderProcess(options: RendererOptions) {
  const { codeFolder, config, idleMs = defaultIdleMs, answerMs = defaultAnswerMs, apiOrigin } = options;
  let running: RenderProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let count = readyNumber;

  function start(): RenderProcess {
    const child = fork(join(projectFolder, 'api/commands/render-worker.ts'), [codeFolder], {
      cwd: projectFolder,
      execArgv: nodeArgs,
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        MALLOC_ARENA_MAX: '1',
        DATA_DIR: config.dataDir,
        DATABASE_URL: config.databaseUrl,
        ...pageEnvironment(config),
        ...(apiOrigin !== undefined && { API_ORIGIN: apiOrigin }),
      },
    });
    const pending = new Map<number, Pending>();
    child.on('message', (answers: readonly RenderAnswer[]) => {
      for (const [number, page, error] of answers) {
        const one = pending.get(number);
        pending.delete(number);
        if (error === undefined) one?.resolve(page);
        else one?.reject(new Error(error));
      }
      if (pending.size === 0) idle = setTimeout(() => void stop(), idleMs).unref();
    });
    let isHung = false;
    const watch = setInterval(() => {
      const [oldest] = pending.values();
      isHung = oldest !== undefined && performance.now() - oldest.askedAt > answerMs;
      if (isHung) child.kill('SIGKILL');
    }, answerMs / 10).unref();
    const ended = new Promise<void>((resolve) => {
      const end = (why: string) => {
        clearInterval(watch);
        if (running?.child === child) running = null;
        for (const one of pending.values()) one.reject(new RendererEnded(`The renderer ended: ${why}.`));
        pending.clear();
        resolve();
      };
      child.once('error', ({ message }) => end(message));
      child.once('exit', (code, signal) =>
        end(isHung ? `no answer in ${answerMs / 1_000} s` : (signal ?? `exit code ${code}`)),
      );
    });
    return { child, pending, unsent: [], ended };
  }

  /** Waits for the answer with this number. */
  function answer(number: number): Promise<RenderAnswer[1]> {
    clearTimeout(idle);
    running ??= start();
    const { pending } = running;
    return new Promise((resolve, reject) => pending.set(number, { askedAt: performance.now(), resolve, reject }));
  }

  /** Pages that are wanted in the same turn of the event loop are one message. */
  function ask<T extends Rendered | PageAnswer>(
    request: (number: number) => RenderRequest | VisitorRequest,
  ): Promise<T | null> {
    const number = ++count;
    const answered = answer(number) as Promise<T | null>;
    const { child, unsent } = running!;
    if (unsent.push(request(number)) === 1)
      setImmediate(() => {
        // A process that can't be reached is about to end, which rejects.
        while (unsent.length > 0) child.send(unsent.splice(0, pagesPerMessage), () => undefined);
      });
    return answered;
  }

  /** The next page has another process: this one may be ending. */
  async function stop(): Promise<void> {
    const stopped = running;
    running = null;
    clearTimeout(idle);
    stopped?.child.kill();
    await stopped?.ended;
  }

  return {
    render: (address: string, now: number, storing: Storing | null) =>
      ask<Rendered>((number) => [number, address, now, storing]),
    respond: (request: PageRequest) => ask<PageAnswer>((number) => [number, request]),
    waiting: () => running?.pending.size ?? 0,
    /** Resolves when the code build is loaded; rejects if it can’t be. */
    ready: () => answer(readyNumber),
    close: stop,
  };
}
