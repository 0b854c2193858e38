import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { deviceIdHeader, nonceHeader } from '#contract/vocabulary.ts';

const headEnd = Buffer.from('\r\n\r\n');

/** A keep-alive connection to a server that carries one request at a time. */
export interface Connection {
  /** Sends a request; calls back with the status and the milliseconds when the whole response has arrived. */
  send(request: Buffer, answered: (status: number, ms: number) => void): void;
  /** Registers a callback for a broken connection or a response without a length. */
  onFailed(failed: (error: Error) => void): void;
  close(): void;
}

/** Opens a connection, which reads only the status and length of responses. */
export async function openConnection(origin: string): Promise<Connection> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let fail: (error: Error) => void = () => undefined;
  let answered: (status: number, ms: number) => void = () => undefined;
  let sentAt = 0;
  let status = 0;
  /** The remaining bytes of the response; -1 while its head is incomplete. */
  let missing = -1;
  let head = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    if (missing === -1) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf(headEnd);
      if (end === -1) return;
      const text = head.toString('latin1', 0, end);
      status = Number(text.slice(9, 12));
      const length = status === 304 ? '0' : /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
      if (length === undefined) {
        fail(new Error(`The generator needs a Content-Length: ${text}`));
        return;
      }
      missing = Number(length) - (head.length - end - 4);
      head = head.subarray(0, 0);
    } else missing -= chunk.length;
    if (missing > 0) return;
    missing = -1;
    answered(status, performance.now() - sentAt);
  });
  socket.on('error', (error) => fail(error));
  socket.on('close', () => fail(new Error('The server closed a connection.')));
  return {
    send(request, whenAnswered) {
      answered = whenAnswered;
      sentAt = performance.now();
      socket.write(request);
    },
    onFailed: (failed) => void (fail = failed),
    close() {
      fail = () => undefined;
      socket.destroy();
    },
  };
}

/** A device id like those of browsers. */
export function newDeviceId(): string {
  return `device_${BigInt(`0x${randomBytes(22).toString('hex')}`).toString(36)}`;
}

/** The settings of a load. */
export interface Load {
  /** The target; connections alternate between several. */
  readonly origin: string | readonly string[];
  readonly connections: number;
  /** The number of requests; every response is awaited. */
  readonly amount: number;
  readonly what: Votes | Pages;
}

/** Votes, each with a new device id. */
export interface Votes {
  readonly kind: 'votes';
  readonly polls: readonly string[];
  readonly options: readonly string[];
}

/** Pages, one after the other, in one encoding. */
export interface Pages {
  readonly kind: 'pages';
  readonly paths: readonly string[];
  readonly encoding: string;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The result of some requests. Only responses with status 200 count as accepted; latencies in milliseconds. */
export interface Answers {
  readonly accepted: number;
  readonly refused: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** The result of a load. */
export interface LoadResult extends Answers {
  /** The processor time of the generator while it sent, in microseconds. */
  readonly cpu: number;
}

/** A running load. */
export interface RunningLoad {
  /** The result, after every response has arrived. */
  readonly result: Promise<LoadResult>;
  /** Stops sending; the result covers what was sent. */
  stop(): void;
}

/** Runs a load in a child process and returns its result. */
export async function runLoad(load: Load): Promise<LoadResult> {
  return (await startLoad(load)).result;
}

/** Starts a load in a child process; resolves when it starts to send. */
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
  // A failure is reported by the result; until it is awaited, it must not end the benchmark.
  result.catch(() => undefined);
  return {
    result,
    stop() {
      if (child.connected) child.send('stop');
    },
  };
}

/** One connection’s requests, prepared in advance so that the generator only sends. */
function prepare({ what, connections, amount }: Load, origin: string, connection: number): Buffer[] {
  const count = Math.floor(amount / connections) + (connection < amount % connections ? 1 : 0);
  return Array.from({ length: count }, (_, n) => {
    const place = n * connections + connection;
    return Buffer.from(what.kind === 'pages' ? getPage(what, origin, place) : postVote(what, origin, place));
  });
}

function getPage({ paths, encoding, headers = {} }: Pages, origin: string, place: number): string {
  const path = paths[place % paths.length] ?? '/';
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nhost: ${new URL(origin).host}\r\naccept-encoding: ${encoding}\r\n${more.join('')}\r\n`;
}

function postVote({ polls, options }: Votes, origin: string, place: number): string {
  const deviceId = newDeviceId();
  // In turn, each API process would get polls of its own, and no two would ever wait for each other.
  const poll = polls[Math.floor(Math.random() * polls.length)] ?? '';
  const optionId = options[place % options.length];
  const body = JSON.stringify({ optionId });
  return (
    `POST /api/polls/${poll}/vote HTTP/1.1\r\nhost: ${new URL(origin).host}\r\n` +
    `${deviceIdHeader}: ${deviceId}\r\n${nonceHeader}: ${randomBytes(16).toString('hex')}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  );
}

/**
 * Sends one connection’s requests, each after the response to the previous one, and reads only the status and length of
 * each response: on two cores, the generator’s CPU time is missing in the server (decision 004). autocannon takes 25 to
 * 58 µs of CPU per request, and the distinct votes, the mix, and the audit of every status would still be our code.
 */
async function drive(
  origin: string,
  requests: readonly Buffer[],
  isStopped: () => boolean,
  answered: (status: number, ms: number) => void,
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
      connection.send(request, (status, ms) => {
        answered(status, ms);
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
  const latencies: number[] = [];
  let refused = 0;
  let stopped = false;
  process.once('message', () => (stopped = true));
  process.send?.('started');
  const started = performance.now();
  const cpuBefore = process.cpuUsage();
  await Promise.all(
    requests.map((own, connection) =>
      drive(
        originOf(connection),
        own,
        () => stopped,
        (status, ms) => {
          if (status === 200) latencies.push(ms);
          else refused++;
        },
      ),
    ),
  );
  const took = performance.now() - started;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { ...summary(latencies, refused, took), cpu: user + system };
}

/** The summary of latencies over a duration; NaN if there are none. */
export function summary(latencies: number[], refused: number, milliseconds: number): Answers {
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
  return {
    accepted: latencies.length,
    refused,
    perSecond: (latencies.length * 1_000) / milliseconds,
    p50: quantile(0.5),
    p99: quantile(0.99),
    max: quantile(1),
  };
}

if (process.argv[1] === new URL(import.meta.url).pathname && process.send) {
  const [load] = (await once(process, 'message')) as [Load];
  process.send(await generate(load));
}
