import { randomBytes } from 'node:crypto';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import autocannon from 'autocannon';
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

/** Runs a load in a process of its own and answers what came of it. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const child = fork(new URL(import.meta.url), { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.send(load);
  const [result] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The load generator ended without a result.'))),
  ])) as [LoadResult];
  child.kill('SIGTERM');
  return result;
}

/** One connection's requests, written beforehand so that the generator spends its time on sending. */
function prepare({ what, connections, amount }: Load, connection: number): autocannon.Request[] {
  if (what.kind === 'pages')
    return what.paths.map((_, n) => ({
      method: 'GET',
      path: what.paths[(n + connection) % what.paths.length],
      headers: { 'accept-encoding': what.encoding },
    }));
  return Array.from({ length: Math.ceil(amount / connections) }, (_, n) => {
    const place = n * connections + connection;
    return {
      method: 'POST',
      path: `/api/polls/${what.polls[place % what.polls.length] ?? ''}/vote`,
      headers: {
        'content-type': 'application/json',
        [deviceIdHeader]: `device_${BigInt(`0x${randomBytes(22).toString('hex')}`).toString(36)}`,
      },
      body: JSON.stringify({ optionId: what.options[place % what.options.length] }),
    };
  });
}

function generate(load: Load): Promise<LoadResult> {
  const requests = Array.from({ length: load.connections }, (_, connection) => prepare(load, connection));
  const latencies: number[] = [];
  let answered = 0;
  let started = 0;
  return new Promise((done, failed) => {
    const settings: autocannon.Options = {
      url: load.origin,
      connections: load.connections,
      amount: load.amount,
      timeout: 30,
      setupClient(client) {
        client.setRequests(requests.pop() ?? []);
        ignoreBodies(client);
      },
    };
    const run = autocannon(settings, (error: Error | null) => {
      if (error) failed(error);
    });
    run.on('start', () => (started = performance.now()));
    run.on('reqError', failed);
    run.on('response', (_client, status, _bytes, milliseconds) => {
      answered++;
      if (status === 200) latencies.push(milliseconds);
      // Autocannon itself looks at its clock once a second only.
      if (answered === load.amount) done(summary(latencies, answered, performance.now() - started));
    });
  });
}

/**
 * Keeps the generator from turning every answer into text: of compressed pages it would take several times as long
 * as their server needs, and the measurement would be of the generator.
 */
function ignoreBodies(client: object): void {
  if (!('pipelinedRequests' in client)) throw new Error('This autocannon keeps bodies in another way; see load.ts.');
  Object.assign(client.pipelinedRequests as object, { addBody: () => undefined });
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
