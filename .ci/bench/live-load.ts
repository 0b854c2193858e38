import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { pathOf } from '#contract/routes.ts';
import { deviceIdHeader } from '#contract/vocabulary.ts';
import { dueAt, newDeviceId, openConnection, summary } from './load.ts';
import type { Connection } from './load.ts';

/** Open poll pages that poll for updates, each on its own connection. */
export interface LiveLoad {
  readonly origin: string;
  readonly polls: readonly string[];
  readonly pages: number;
  /** The polling interval of a page and the duration of the run, in milliseconds. */
  readonly cycleMs: number;
  readonly forMs: number;
}

/** The result; latencies in milliseconds from the time when a read was due. */
export interface LiveResult {
  readonly due: number;
  readonly answered: number;
  readonly p50: number;
  readonly p99: number;
  readonly latest: number;
}

/** Connections opened concurrently. */
const atOnce = 100;
/** The timeout of a read in milliseconds. */
const patience = 15_000;

/** Opens all pages in a child process; `begin` starts the polling and resolves with the last response. */
export async function openPages(load: LiveLoad): Promise<{ begin(): Promise<LiveResult>; close(): void }> {
  const child = fork(new URL(import.meta.url), { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The open pages ended without a result.')));
  ended.catch(() => undefined);
  child.send(load);
  await Promise.race([once(child, 'message'), ended]);
  return {
    async begin() {
      child.send('begin');
      const [answer] = await Promise.race([once(child, 'message'), ended]);
      return answer as LiveResult;
    },
    close: () => void child.kill('SIGTERM'),
  };
}

/** An open page with its connection and request. */
interface Page {
  readonly connection: Connection;
  readonly request: Buffer;
}

/** Opens the pages; each sends a request immediately, like a page that was just loaded. */
async function openAll(load: LiveLoad): Promise<Page[]> {
  const { origin, polls } = load;
  const open = async (page: number) => {
    // Bypasses caches, so that each response is complete, and authenticates the voter.
    const path = pathOf('poll', { id: polls[page % polls.length] ?? '' });
    const request = Buffer.from(
      `GET ${path} HTTP/1.1\r\nhost: ${new URL(origin).host}\r\naccept: application/json\r\n` +
        `accept-encoding: gzip\r\n${deviceIdHeader}: ${newDeviceId()}\r\n\r\n`,
    );
    const opened = { connection: await openConnection(origin), request };
    await ask(opened);
    return opened;
  };
  const pages: Page[] = [];
  while (pages.length < load.pages) {
    const some = Math.min(atOnce, load.pages - pages.length);
    pages.push(...(await Promise.all(Array.from({ length: some }, (_, n) => open(pages.length + n)))));
  }
  return pages;
}

/** Sends one request; false without a good response in time. */
function ask({ connection, request }: Page): Promise<boolean> {
  return new Promise((done) => {
    const late = setTimeout(() => done(false), patience);
    const end = (answered: boolean) => {
      clearTimeout(late);
      done(answered);
    };
    connection.onFailed(() => end(false));
    connection.send(request, (status) => end(status === 200));
  });
}

async function runPages(load: LiveLoad, pages: readonly Page[]): Promise<LiveResult> {
  const latencies: number[] = [];
  let due = 0;
  const began = performance.now();
  await Promise.all(
    pages.map(async (page, place) => {
      for (let nth = 0; dueAt(place, nth, load) < load.forMs; nth++) {
        const moment = began + dueAt(place, nth, load);
        await pause(Math.max(0, moment - performance.now()));
        due++;
        // A connection with a partial response can’t be reused.
        if (!(await ask(page))) return;
        latencies.push(performance.now() - moment);
      }
    }),
  );
  const { p50, p99 } = summary(latencies, 0, load.forMs);
  return { due, answered: latencies.length, p50, p99, latest: Math.max(...latencies) };
}

if (process.argv[1] === new URL(import.meta.url).pathname && process.send) {
  const [load] = (await once(process, 'message')) as [LiveLoad];
  const pages = await openAll(load);
  process.send('open');
  await once(process, 'message');
  process.send(await runPages(load, pages));
}
