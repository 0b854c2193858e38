import { randomBytes } from 'node:crypto';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { deviceIdHeader } from '#contract/vocabulary.ts';

/** What the load generator is told. */
export interface Load {
  readonly origin: string;
  readonly connections: number;
  /** Requests to send; every answer is waited for. */
  readonly amount: number;
  readonly what: Votes | Pages;
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
}

/** What came of it. Only answers with status 200 are accepted; latencies in milliseconds. */
export interface LoadResult {
  readonly accepted: number;
  readonly refused: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
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

/** One connection's requests as the bytes that go out, written beforehand so that the generator only sends. */
function prepare({ what, origin, connections, amount }: Load, connection: number): Buffer[] {
  const count = Math.floor(amount / connections) + (connection < amount % connections ? 1 : 0);
  return Array.from({ length: count }, (_, n) => {
    const place = n * connections + connection;
    return Buffer.from(what.kind === 'pages' ? getPage(what, origin, place) : postVote(what, origin, place));
  });
}

function getPage({ paths, encoding }: Pages, origin: string, place: number): string {
  const path = paths[place % paths.length] ?? '/';
  return `GET ${path} HTTP/1.1\r\nhost: ${new URL(origin).host}\r\naccept-encoding: ${encoding}\r\n\r\n`;
}

function postVote({ on, polls, options }: Votes, origin: string, place: number): string {
  const deviceId = `device_${BigInt(`0x${randomBytes(22).toString('hex')}`).toString(36)}`;
  const optionId = options[place % options.length];
  const body = JSON.stringify(on === 'polls' ? { optionId } : { optionId, voterFingerprint: deviceId });
  return (
    `POST /api/${on}/${polls[place % polls.length] ?? ''}/vote HTTP/1.1\r\nhost: ${new URL(origin).host}\r\n` +
    `${deviceIdHeader}: ${deviceId}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  );
}

const headEnd = Buffer.from('\r\n\r\n');

/**
 * Sends one connection's requests, each after the answer to the one before, and looks at nothing of an answer but its
 * status and length: on two cores, what the generator does is missing where the server does it (decision 054).
 */
async function drive(
  origin: string,
  requests: readonly Buffer[],
  isStopped: () => boolean,
  answered: (status: number, ms: number) => void,
) {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  await new Promise<void>((done, failed) => {
    let next = 0;
    let sentAt = 0;
    let status = 0;
    /** Bytes of the answer that are still to come; -1 while its head is incomplete. */
    let missing = -1;
    let head = Buffer.alloc(0);
    const send = () => {
      const request = requests[next++];
      if (!request || isStopped()) {
        socket.destroy();
        done();
        return;
      }
      missing = -1;
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('data', (chunk: Buffer) => {
      if (missing === -1) {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf(headEnd);
        if (end === -1) return;
        const text = head.toString('latin1', 0, end);
        status = Number(text.slice(9, 12));
        const length = /\r\ncontent-length: *(\d+)/i.exec(text);
        if (!length) {
          failed(new Error(`The generator needs a Content-Length: ${text}`));
          return;
        }
        missing = Number(length[1]) - (head.length - end - 4);
        head = head.subarray(0, 0);
      } else missing -= chunk.length;
      if (missing > 0) return;
      answered(status, performance.now() - sentAt);
      send();
    });
    socket.on('error', failed);
    socket.on('close', () => failed(new Error('The server closed a connection.')));
    send();
  });
}

async function generate(load: Load): Promise<LoadResult> {
  const requests = Array.from({ length: load.connections }, (_, connection) => prepare(load, connection));
  const latencies: number[] = [];
  let refused = 0;
  let stopped = false;
  process.once('message', () => (stopped = true));
  process.send?.('started');
  const started = performance.now();
  await Promise.all(
    requests.map((own) =>
      drive(
        load.origin,
        own,
        () => stopped,
        (status, ms) => {
          if (status === 200) latencies.push(ms);
          else refused++;
        },
      ),
    ),
  );
  return summary(latencies, latencies.length + refused, performance.now() - started);
}

function summary(latencies: number[], answered: number, milliseconds: number): LoadResult {
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
  return {
    accepted: latencies.length,
    refused: answered - latencies.length,
    perSecond: (latencies.length * 1_000) / milliseconds,
    p50: quantile(0.5),
    p99: quantile(0.99),
  };
}

if (process.argv[1] === new URL(import.meta.url).pathname && process.send) {
  const [load] = (await once(process, 'message')) as [Load];
  process.send(await generate(load));
}
