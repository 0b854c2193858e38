import { fork } from 'node:child_process';
import { once } from 'node:events';
import { deviceIdHeader } from '#contract/vocabulary.ts';
import { newDeviceId, openConnection } from './connection.ts';
import { countBefore, sentAt } from './mix.ts';
import type { Sent } from './mix.ts';

/** What the load generator is told. */
export interface Load {
  /** Where it goes; of several, the connections take turns. */
  readonly origin: string | readonly string[];
  readonly connections: number;
  /** Requests to send; every answer is waited for. */
  readonly amount: number;
  readonly what: Votes | Pages | Mixed;
}

/** Votes, each with a device id of its own. */
export interface Votes {
  readonly kind: 'votes';
  /** Which kind of poll, in the words of the addresses. */
  readonly on: 'polls' | 'community-polls';
  readonly polls: readonly string[];
  readonly options: readonly string[];
}

/** Pages, one after the other, in one encoding. */
export interface Pages {
  readonly kind: 'pages';
  readonly paths: readonly string[];
  readonly encoding: string;
  /** Goes with each of them. */
  readonly cookie?: string;
}

/** 90% pages, 8% reads of the API and 2% votes, always in the same order. */
export interface Mixed {
  readonly kind: 'mixed';
  readonly page: Pages;
  readonly read: Pages;
  readonly vote: Votes;
}

/** What came of some requests. Only answers with status 200 are accepted; latencies in milliseconds. */
export interface Answers {
  readonly accepted: number;
  readonly refused: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** What came of a load: of all requests, and of each kind of a mix. */
export interface LoadResult extends Answers {
  readonly of: Readonly<Record<Sent, Answers>>;
}

/** A load that is under way. */
export interface RunningLoad {
  /** What came of it, once every answer has been waited for. */
  readonly result: Promise<LoadResult>;
  /** Sends nothing more; the result is that of what was sent. */
  stop(): void;
}

/** Runs a load in a process of its own and answers what came of it. */
export async function runLoad(load: Load): Promise<LoadResult> {
  return (await startLoad(load)).result;
}

/** Starts a load in a process of its own; resolves when it begins to send. */
export async function startLoad(load: Load): Promise<RunningLoad> {
  const child = fork(new URL(import.meta.url), { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The load generator ended without a result.')));
  ended.catch(() => undefined);
  child.send(load);
  await Promise.race([once(child, 'message'), ended]);
  const result = Promise.race([once(child, 'message'), ended]).then(([answer]) => {
    child.kill('SIGTERM');
    return answer as LoadResult;
  });
  // Whoever waits hears of a failure; until then it must not end the benchmark.
  result.catch(() => undefined);
  return {
    result,
    stop() {
      if (child.connected) child.send('stop');
    },
  };
}

/** A request as the bytes that go out, and of which kind it is. */
interface Request {
  readonly bytes: Buffer;
  readonly sent: Sent;
}

/** One connection's requests, written beforehand so that the generator only sends. */
function prepare({ what, connections, amount }: Load, origin: string, connection: number): Request[] {
  const count = Math.floor(amount / connections) + (connection < amount % connections ? 1 : 0);
  return Array.from({ length: count }, (_, n) => {
    const place = n * connections + connection;
    const sent = what.kind === 'mixed' ? sentAt(place) : what.kind === 'pages' ? 'page' : 'vote';
    const [one, nth] = what.kind === 'mixed' ? [what[sent], countBefore(place, sent)] : [what, place];
    return { bytes: Buffer.from(one.kind === 'pages' ? getPage(one, origin, nth) : postVote(one, origin, nth)), sent };
  });
}

function getPage({ paths, encoding, cookie }: Pages, origin: string, place: number): string {
  const path = paths[place % paths.length] ?? '/';
  const cookies = cookie === undefined ? '' : `cookie: ${cookie}\r\n`;
  return `GET ${path} HTTP/1.1\r\nhost: ${new URL(origin).host}\r\naccept-encoding: ${encoding}\r\n${cookies}\r\n`;
}

function postVote({ on, polls, options }: Votes, origin: string, place: number): string {
  const deviceId = newDeviceId();
  const optionId = options[place % options.length];
  const body = JSON.stringify(on === 'polls' ? { optionId } : { optionId, voterFingerprint: deviceId });
  return (
    `POST /api/${on}/${polls[place % polls.length] ?? ''}/vote HTTP/1.1\r\nhost: ${new URL(origin).host}\r\n` +
    `${deviceIdHeader}: ${deviceId}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  );
}

/**
 * Sends one connection's requests, each after the answer to the one before, and looks at nothing of an answer but its
 * status and length: on two cores, what the generator does is missing where the server does it (decision 004).
 */
async function drive(
  origin: string,
  requests: readonly Request[],
  isStopped: () => boolean,
  answered: (sent: Sent, status: number, ms: number) => void,
) {
  const connection = await openConnection(origin);
  await new Promise<void>((done, failed) => {
    let next = 0;
    const send = () => {
      const request = requests[next++];
      if (!request || isStopped()) {
        connection.close();
        done();
        return;
      }
      connection.send(request.bytes, (status, ms) => {
        answered(request.sent, status, ms);
        send();
      });
    };
    connection.onFailed(failed);
    send();
  });
}

async function generate(load: Load): Promise<LoadResult> {
  const origins = typeof load.origin === 'string' ? [load.origin] : load.origin;
  const originOf = (connection: number) => origins[connection % origins.length] ?? '';
  const requests = Array.from({ length: load.connections }, (_, n) => prepare(load, originOf(n), n));
  const latencies: Record<Sent, number[]> = { page: [], read: [], vote: [] };
  const refused: Record<Sent, number> = { page: 0, read: 0, vote: 0 };
  let stopped = false;
  process.once('message', () => (stopped = true));
  process.send?.('started');
  const started = performance.now();
  await Promise.all(
    requests.map((own, connection) =>
      drive(
        originOf(connection),
        own,
        () => stopped,
        (sent, status, ms) => {
          if (status === 200) latencies[sent].push(ms);
          else refused[sent]++;
        },
      ),
    ),
  );
  const took = performance.now() - started;
  const of = (sent: Sent) => summary(latencies[sent], refused[sent], took);
  const all = [...latencies.page, ...latencies.read, ...latencies.vote];
  return {
    ...summary(all, refused.page + refused.read + refused.vote, took),
    of: { page: of('page'), read: of('read'), vote: of('vote') },
  };
}

/** The figures of some latencies over so many milliseconds; NaN where there is none. */
export function summary(latencies: number[], refused: number, milliseconds: number): Answers {
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
  return {
    accepted: latencies.length,
    refused,
    perSecond: (latencies.length * 1_000) / milliseconds,
    p50: quantile(0.5),
    p99: quantile(0.99),
  };
}

if (process.argv[1] === new URL(import.meta.url).pathname && process.send) {
  const [load] = (await once(process, 'message')) as [Load];
  process.send(await generate(load));
}
