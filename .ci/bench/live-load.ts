import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { pathOf } from '#contract/routes.ts';
import { deviceIdHeader } from '#contract/vocabulary.ts';
import { newDeviceId, openConnection } from './connection.ts';
import type { Connection } from './connection.ts';
import { summary } from './load.ts';
import { dueAt } from './mix.ts';

/** Pages of open polls that ask for news on a connection each. */
export interface LiveLoad {
  readonly origin: string;
  readonly polls: readonly string[];
  readonly pages: number;
  /** Milliseconds between two looks of a page, and for how long all of them look. */
  readonly cycleMs: number;
  readonly forMs: number;
}

/** What came of it. Latencies in milliseconds, from the moment at which a read was due. */
export interface LiveResult {
  readonly due: number;
  readonly answered: number;
  readonly p50: number;
  readonly p99: number;
  readonly latest: number;
}

/** Connections that are opened at once. */
const atOnce = 100;
/** Milliseconds after which a page gives a read up. */
const patience = 15_000;

/** Opens all pages in a process of its own; `begin` lets them ask and resolves when the last answer has come. */
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

/** An open page: its connection, and what it asks. */
interface Page {
  readonly connection: Connection;
  readonly request: Buffer;
}

/** Opens the pages; each asks at once, as a page does that was just loaded. */
async function openAll(load: LiveLoad): Promise<Page[]> {
  const { origin, polls } = load;
  const open = async (page: number) => {
    // Past every cache, so that each answer is a whole one, and in the voter's name.
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

/** Asks once; false when no good answer comes in time. */
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

async function look(load: LiveLoad, pages: readonly Page[]): Promise<LiveResult> {
  const latencies: number[] = [];
  let due = 0;
  const began = performance.now();
  await Promise.all(
    pages.map(async (page, place) => {
      for (let nth = 0; dueAt(place, nth, load) < load.forMs; nth++) {
        const moment = began + dueAt(place, nth, load);
        await pause(Math.max(0, moment - performance.now()));
        due++;
        // A connection with half an answer on it is of no more use.
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
  process.send(await look(load, pages));
}
