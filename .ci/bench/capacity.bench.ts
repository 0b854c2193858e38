import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { voteBatch } from '#api/voting/group-commit.ts';
import { openPostgresWriter } from '#api/voting/postgres-batch.queries.ts';
import { reconcile } from '#api/voting/reconcile.service.ts';
import type { Vote } from '#api/voting/vote-batch.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { areRowsLimiting, byLockedRows, byProcessors, lockShares, processesFor } from './capacity.ts';
import type { LockShares, Sample } from './capacity.ts';
import { canMeasureThreads, cpuPerVote, readCpu, postgresPid, totalCpu } from './cpu-time.ts';
import { startLoad } from './load.ts';
import { makePolls } from './make-polls.ts';
import { newDatabases, workFolder } from './new-databases.ts';
import { median } from './report.ts';
import type { Report, Row } from './report.ts';
import { startServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';
import { benchTexts } from './texts.ts';

const texts = benchTexts.capacity;
/** The size of the database server to calculate for. */
const cores = 16;
const most = 4;
/** Numbers of API processes, and connections to each: the same load on each process, and finally full batches. */
const loads = [
  { processes: 1, connections: 64 },
  { processes: 2, connections: 64 },
  { processes: most, connections: 64 },
  { processes: most, connections: 512 },
];
const pollCounts = [1, 100];
const sampleMs = 5;
/** The list of locks is long, so it is read with one sample in so many. */
const samplesPerLook = 20;

interface CapacityBenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  report(line: string): void;
}

/** A database with its API processes. */
interface Target {
  readonly db: Database;
  readonly server: number;
  readonly polls: readonly string[];
  readonly apis: readonly ServerProcess[];
  /** Its only connection watches the others; its processor time is not counted. */
  readonly watcher: Database;
  accepted: number;
}

/** The figures of one measurement; processor times in microseconds per vote. */
interface Figures extends LockShares {
  readonly votesPerSecond: number;
  readonly votesPerBatch: number;
  /** Of the waiting batches, the share that waits for a row of `ballots`; NaN if none was seen waiting. */
  readonly ballots: number;
  /** Bytes of write-ahead log per vote. */
  readonly log: number;
  readonly database: number;
  readonly cheapestApi: number;
  readonly dearestApi: number;
  readonly eventLoop: number;
}

/** One row of the table: the medians of its rounds. */
interface Cell extends Figures {
  readonly polls: number;
  readonly processes: number;
  readonly connections: number;
}

/**
 * Measures the processor time of PostgreSQL and of each API process per vote and how batches wait for each other’s rows, and
 * calculates from them what a larger database server can take.
 */
export async function benchCapacity(options: CapacityBenchOptions): Promise<Report> {
  if (!(await canMeasureThreads())) return [benchTexts.cpu.notMeasured];
  const folder = await workFolder();
  const cleanUps: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const later = (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp);
  try {
    const newDatabase = await newDatabases('PostgreSQL', folder, later);
    const cells: Cell[] = [];
    const full: FullBatches[] = [];
    for (const polls of pollCounts) {
      const target = await setUp(await newDatabase(), folder, polls, later);
      const measured = loads.map((): Figures[] => []);
      const speeds = loads.map(() => 1_000);
      for (let round = 0; round <= options.rounds; round++)
        for (const [n, load] of loads.entries()) {
          const figures = await measure(target, load, (speeds[n] ?? 0) * options.seconds);
          speeds[n] = figures.votesPerSecond;
          // Round 0 is the warm-up and determines the number of votes.
          if (round === 0) continue;
          measured[n]?.push(figures);
          options.report(texts.line({ round, rounds: options.rounds, polls, ...load, ...figures }));
        }
      cells.push(...loads.map((load, n) => ({ polls, ...load, ...medians(measured[n] ?? []) })));
      full.push(await recordFullBatches(target, options.seconds));
    }
    return [...cells.map(rowOf), ...verdicts(cells, full)];
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

async function setUp(
  url: string,
  folder: string,
  count: number,
  later: (cleanUp: () => Promise<void>) => void,
): Promise<Target> {
  const db = openDatabase(url);
  later(() => db.destroy());
  await migrate(db);
  const polls = await makePolls(db, count, 'open');
  const apis: ServerProcess[] = [];
  for (let n = 0; n < most; n++) {
    const api = await startServer('./api.server.ts', { DATABASE_URL: url, DATA_DIR: folder });
    later(() => api.stop());
    apis.push(api);
  }
  const watcher = openDatabase(url);
  later(() => watcher.destroy());
  return { db, server: await postgresPid(db), polls, apis, watcher, accepted: 0 };
}

async function measure(
  target: Target,
  { processes, connections }: (typeof loads)[number],
  amount: number,
): Promise<Figures> {
  const { server, polls, watcher } = target;
  const apis = target.apis.slice(0, processes);
  const { pid: watching } = await one<{ pid: number }>(watcher, 'select pg_backend_pid() as pid');
  const read = async () => ({
    ...(await written(watcher)),
    database: await readCpu([{ kind: 'postgres', pid: server }], [watching]),
    apis: await Promise.all(apis.map(({ pid }) => readCpu([{ kind: 'api', pid }]))),
  });
  const before = await read();
  const running = await startLoad({
    origin: apis.map(({ origin }) => origin),
    connections: connections * processes,
    amount: Math.max(connections * processes, Math.ceil(amount)),
    what: { kind: 'votes', on: 'polls', polls, options: ['option-1', 'option-2', 'option-3'] },
  });
  const sampling = sampleConnections(watcher, polls);
  const result = await running.result;
  const { samples, waits } = await sampling.stop();
  const after = await read();
  await check(target, result.accepted);

  const database = cpuPerVote(before.database, after.database, result.accepted);
  const api = apis.map((_, n) => cpuPerVote(before.apis[n]!, after.apis[n]!, result.acceptedBy[n]!));
  const each = api.map(totalCpu);
  return {
    votesPerSecond: result.perSecond,
    votesPerBatch: result.accepted / (after.batches - before.batches),
    log: (after.log - before.log) / result.accepted,
    ...lockShares(samples),
    ballots: waits.ballots / (waits.ballots + waits.other),
    database: totalCpu(database),
    cheapestApi: Math.min(...each),
    dearestApi: Math.max(...each),
    eventLoop: api.reduce((sum, { eventLoop }) => sum + eventLoop.cpu, 0) / api.length,
  };
}

/** What two connections record in the largest batches, without API processes that need processors. */
interface FullBatches {
  readonly votesPerSecond: number;
  /** The share of the time for which a poll's row is locked. */
  readonly locked: number;
}

async function recordFullBatches(target: Target, seconds: number): Promise<FullBatches> {
  const { db, polls, watcher } = target;
  const writers = await Promise.all([0, 1].map((shard) => openPostgresWriter(db, shard)));
  try {
    const digest = () => randomBytes(16).toString('hex');
    const vote = (n: number): Vote => ({
      ...{ ballotId: polls[n % polls.length]!, kind: 'poll', optionId: `option-${1 + (n % 3)}` },
      voter: { device: digest(), cookie: digest(), userId: null },
    });
    let recorded = 0;
    const sampling = sampleConnections(watcher, polls);
    const started = performance.now();
    await Promise.all(
      writers.map(async (writer) => {
        while (performance.now() - started < seconds * 1_000) {
          const batch = Array.from({ length: voteBatch }, (_, n) => vote(n));
          const { refusals } = await writer.record(batch, Date.now(), []);
          recorded += batch.length - refusals.length;
        }
      }),
    );
    const votesPerSecond = (recorded * 1_000) / (performance.now() - started);
    const { locked } = lockShares((await sampling.stop()).samples);
    await check(target, recorded);
    return { votesPerSecond, locked };
  } finally {
    for (const writer of writers) await writer.close();
  }
}

/** Adds accepted votes and compares all with the database. */
async function check(target: Target, accepted: number): Promise<void> {
  target.accepted += accepted;
  const { recordedVotes, wrongCounters } = await reconcile(target.db);
  if (recordedVotes !== target.accepted || wrongCounters.length > 0)
    throw new Error(
      benchTexts.mismatch({ name: 'PostgreSQL', accepted: target.accepted, recordedVotes, wrongCounters }),
    );
}

async function one<T>(watcher: Database, sql: string): Promise<T> {
  const { rows } = await watcher.raw<{ rows: T[] }>(sql);
  return rows[0]!;
}

/** The transactions that have recorded votes, each of which wrote its number into its rows, and the bytes of log written. */
function written(watcher: Database): Promise<{ batches: number; log: number }> {
  return one(
    watcher,
    `select count(distinct xmin::text) as batches, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as log from votes`,
  );
}

/** What samples have seen. */
interface Seen {
  readonly samples: readonly Sample[];
  /** Batches waiting for a row, by whether its table is `ballots`. */
  readonly waits: Readonly<Record<'ballots' | 'other', number>>;
}

/** Samples what the other connections of a database do until it is stopped. */
function sampleConnections(watcher: Database, polls: readonly string[]): { stop(): Promise<Seen> } {
  let stopped = false;
  const samples: Sample[] = [];
  const waits = { ballots: 0, other: 0 };
  const sampling = (async () => {
    while (!stopped) {
      samples.push(
        await one<Sample>(
          watcher,
          // A lock that conflicts with those of batches; it ends with the statement.
          `with free as (select from ballots where id = any ('{${polls.join()}}') for share skip locked)
           select count(*) filter (where not waits) as working, count(*) filter (where waits) as waiting,
             1 - (select count(*) from free) / ${polls.length}::float as locked
           from (
             select (wait_event_type = 'Lock' and wait_event in ('tuple', 'transactionid')) is true as waits
             from pg_stat_activity
             where datname = current_database() and state = 'active' and backend_type = 'client backend'
               and pid <> pg_backend_pid()
           ) connections`,
        ),
      );
      if (samples.length % samplesPerLook === 0) {
        const seen = await one<typeof waits>(
          watcher,
          `select count(*) filter (where relation = 'ballots'::regclass) as ballots,
             count(*) filter (where relation <> 'ballots'::regclass) as other
           from pg_locks where locktype = 'tuple'`,
        );
        waits.ballots += seen.ballots;
        waits.other += seen.other;
      }
      await pause(sampleMs);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await sampling;
      return { samples, waits };
    },
  };
}

function medians(rounds: readonly Figures[]): Figures {
  const names = Object.keys(rounds[0] ?? {}) as (keyof Figures)[];
  return Object.fromEntries(
    names.map((name) => [name, median(rounds.map((one) => one[name]).filter(Number.isFinite))]),
  ) as unknown as Figures;
}

const whole = (figure: number) => Math.round(figure).toLocaleString('en-US');

function rowOf(cell: Cell): Row {
  const [low, high] = [whole(cell.cheapestApi), whole(cell.dearestApi)];
  const { columns } = texts;
  return {
    [columns.load]: texts.load(cell),
    [columns.perSecond]: whole(cell.votesPerSecond),
    [columns.perBatch]: whole(cell.votesPerBatch),
    [columns.api]: low === high ? low : `${low} to ${high}`,
    [columns.database]: cell.database.toFixed(1),
    [columns.log]: whole(cell.log),
    [columns.atOnce]: cell.atOnce.toFixed(2),
    [columns.waiting]: cell.waiting.toFixed(2),
    [columns.byProcessors(cores)]: whole(byProcessors(cores, cell.database)),
    [columns.locked]: (100 * cell.locked).toFixed(1),
    [columns.byRows]: whole(byLockedRows(cell)),
  };
}

/** What the figures say about a larger server, in sentences. */
function verdicts(cells: readonly Cell[], full: readonly FullBatches[]): string[] {
  return [
    texts.explanation(cores),
    ...pollCounts.flatMap((polls, n) => {
      const own = cells.filter((cell) => cell.polls === polls);
      // Full batches cost the least time per vote, and a server at its limit gets them.
      const [best] = own.toSorted((a, b) => a.database - b.database);
      const [hardest] = own.filter(({ processes }) => processes === most).toSorted((a, b) => b.waiting - a.waiting);
      const largest = full[n];
      if (!best || !hardest || !largest) return [];
      const processors = byProcessors(cores, best.database);
      // A server at its limit gets full batches.
      const rows = byLockedRows(largest);
      const limit = areRowsLimiting(hardest) && rows < processors ? rows : null;
      const needed = processesFor(limit ?? processors, best.eventLoop);
      return [
        texts.fullBatches({ polls, size: voteBatch, ...largest, rows }),
        texts.verdict({ ...hardest, cores, processors, limit, needed }),
      ];
    }),
  ];
}
