import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { deviceIdHeader, nonceHeader } from '#contract/vocabulary.ts';

/** Votes, each with a new device id. */
export interface Load {
  /** The target; connections alternate between several. */
  readonly origin: string | readonly string[];
  readonly connections: number;
  /** The number of votes; every response is awaited. */
  readonly amount: number;
  readonly polls: readonly string[];
  readonly options: readonly string[];
}

/** The result of some requests. Only responses with status 200 count as accepted; latencies in milliseconds. */
export interface Answers {
  readonly accepted: number;
  readonly refused: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** The result of a load. */
export interface LoadResult extends Answers {
  /** The processor time of the generator while it sent, in microseconds. */
  readonly cpu: number;
}

/** A load that is being sent. */
export interface RunningLoad {
  readonly result: Promise<LoadResult>;
  /** Ends it early, after the responses to the requests that are under way. */
  stop(): void;
}

/** Sends a load from a process of its own, like visitors on other machines. */
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
function prepare({ connections, amount, polls, options }: Load, origin: string, connection: number): Buffer[] {
  const count = Math.floor(amount / connections) + (connection < amount % connections ? 1 : 0);
  return Array.from({ length: count }, (_, n) => {
    const deviceId = `device_${BigInt(`0x${randomBytes(22).toString('hex')}`).toString(36)}`;
    // In turn, each API process would get polls of its own, and no two would ever wait for each other.
    const poll = polls[Math.floor(Math.random() * polls.length)] ?? '';
    const body = JSON.stringify({ optionId: options[(n * connections + connection) % options.length] });
    return Buffer.from(
      `POST /api/polls/${poll}/vote HTTP/1.1\r\nhost: ${new URL(origin).host}\r\n` +
        `${deviceIdHeader}: ${deviceId}\r\n${nonceHeader}: ${randomBytes(16).toString('hex')}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
  });
}

const headEnd = Buffer.from('\r\n\r\n');

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
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let next = 0;
  let sentAt = 0;
  let status = 0;
  /** The remaining bytes of the response; -1 while its head is incomplete. */
  let missing = -1;
  let head = Buffer.alloc(0);
  await new Promise<void>((done, failed) => {
    const send = () => {
      const request = requests[next++];
      if (!request || isStopped()) {
        done();
        return;
      }
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('error', failed);
    socket.on('close', () => failed(new Error('The server closed a connection.')));
    socket.on('data', (chunk: Buffer) => {
      if (missing === -1) {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf(headEnd);
        if (end === -1) return;
        const text = head.toString('latin1', 0, end);
        status = Number(text.slice(9, 12));
        const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
        if (length === undefined) {
          failed(new Error(`The generator needs a Content-Length: ${text}`));
          return;
        }
        missing = Number(length) - (head.length - end - 4);
        head = head.subarray(0, 0);
      } else missing -= chunk.length;
      if (missing > 0) return;
      missing = -1;
      answered(status, performance.now() - sentAt);
      send();
    });
    send();
  });
  socket.destroy();
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
  const answered = (status: number, ms: number) => {
    if (status === 200) latencies.push(ms);
    else refused++;
  };
  await Promise.all(requests.map((own, n) => drive(originOf(n), own, () => stopped, answered)));
  const took = performance.now() - started;
  const { user, system } = process.cpuUsage(cpuBefore);
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
  const accepted = latencies.length;
  const perSecond = (accepted * 1_000) / took;
  return { accepted, refused, perSecond, p50: quantile(0.5), p99: quantile(0.99), cpu: user + system };
}

if (process.argv[1] === new URL(import.meta.url).pathname && process.send) {
  const [load] = (await once(process, 'message')) as [Load];
  process.send(await generate(load));
}
