import { rm } from 'node:fs/promises';
import { isSqlite, migrate, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { reconcile } from '#api/voting/reconcile.service.ts';
import { canMeasureThreads, cpuGroups, cpuPerVote, readCpu, postgresPid, totalCpu } from './cpu-time.ts';
import type { CpuTimes, ProductProcess } from './cpu-time.ts';
import { databaseBytes } from './fill.ts';
import { makePolls } from './make-polls.ts';
import { engines, newDatabases, workFolder } from './new-databases.ts';
import type { Engine } from './new-databases.ts';
import { median, roundLine, textOf } from './report.ts';
import type { Report, Row } from './report.ts';
import { descendants, startServer, startSite } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';
import { runLoad } from './load.ts';
import type { LoadResult } from './load.ts';

const connections = 64;
/** Further numbers of API processes on one PostgreSQL. SQLite has one writer, so one process is right for it. */
const processes = [2, 4];
const offered = ['option-1', 'option-2', 'option-3'];

/** A measured candidate. */
interface Candidate {
  readonly name: string;
  /** Connections alternate between several. */
  readonly origin: string | readonly string[];
  readonly processes: readonly ProductProcess[];
  readonly target: Target;
}

/** A server with its database; several candidates may share one. */
interface Target {
  /** Null for the ceiling. */
  readonly database: { readonly url: string; readonly engine: Engine; readonly emptyBytes: number } | null;
  readonly isFloor: boolean;
  readonly polls: readonly string[];
  accepted: number;
}

interface Measured extends LoadResult {
  readonly candidate: Candidate;
  /** Null where it can’t be measured. */
  readonly perVote: CpuTimes | null;
}

interface VoteBenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly only: string | null;
  report(line: string): void;
}

/** Measures votes per second, each candidate once per round, and returns the tables’ rows. */
export async function benchVotes(options: VoteBenchOptions): Promise<Report> {
  const folder = await workFolder();
  const cleanUps: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const all = await setUp(folder, options, (cleanUp) => cleanUps.push(cleanUp));
    const candidates = all.filter(
      ({ name, target }) => !target.database || options.only === null || name.includes(options.only),
    );
    const measured: Measured[] = [];
    // The warm-up’s speed determines the number of votes per round.
    const speeds = new Map<Candidate, number>();
    for (const candidate of candidates) {
      await measure(candidate, 300);
      speeds.set(candidate, (await measure(candidate, 2_000)).perSecond);
    }
    for (let round = 1; round <= options.rounds; round++) {
      for (const candidate of candidates) {
        const votes = Math.max(200, Math.ceil((speeds.get(candidate) ?? 0) * options.seconds));
        const result = await measure(candidate, votes);
        speeds.set(candidate, result.perSecond);
        measured.push(result);
        options.report(roundLine(round, options.rounds, candidate.name, result));
      }
    }
    const costs = await costRows(candidates, measured);
    options.report(`\n${costTitle(measured)}\n\n${textOf(costs)}`);
    return [
      ...rowsOf(candidates, measured).map((row, place) => ({
        ...row,
        'CPU µs per vote': costs[place]?.[product] ?? '',
        [bytes]: costs[place]?.[bytes] ?? '',
      })),
      'Processor time is the product’s without the load generator, which shares the cores; bytes are on disk, with all indexes.',
    ];
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

/** Starts every server in its own process; they idle while another one is measured. */
async function setUp(
  folder: string,
  { only }: Pick<VoteBenchOptions, 'only'>,
  later: (cleanUp: () => Promise<void>) => void,
): Promise<Candidate[]> {
  const start = async (file: string, env: Readonly<Record<string, string>>) => {
    const server = await startServer(file, { DATA_DIR: folder, ...env });
    later(() => server.stop());
    return server;
  };
  const threads = await canMeasureThreads();
  const watched = (api: readonly ServerProcess[], ...others: readonly ProductProcess[]): ProductProcess[] =>
    threads ? [...api.map(({ pid }) => ({ kind: 'api', pid }) as const), ...others] : [];
  const ceiling: Target = { database: null, isFloor: false, polls: ['open-poll-1'], accepted: 0 };
  const bare = await start('./ceiling.server.ts', {});
  const candidates: Candidate[] = [
    { name: 'bare Koa (ceiling)', origin: bare.origin, processes: watched([bare]), target: ceiling },
  ];
  for (const engine of engines) {
    if (only !== null && engine !== only && engines.some((one) => one === only)) continue;
    const newDatabase = await newDatabases(engine, folder, later);
    const postgres: ProductProcess[] = [];
    const newTarget = async (polls: number, isFloor: boolean): Promise<Target & { url: string }> => {
      const url = await newDatabase();
      const db = openDatabase(url);
      await migrate(db);
      const ids = await makePolls(db, polls, 'open');
      if (engine === 'PostgreSQL' && postgres.length === 0)
        postgres.push({ kind: 'postgres', pid: await postgresPid(db) });
      const emptyBytes = await votesBytes(db);
      await db.destroy();
      return { database: { url, engine, emptyBytes }, isFloor, polls: ids, accepted: 0, url };
    };
    const floor = await newTarget(1, true);
    const naive = await start('./floor.server.ts', { DATABASE_URL: floor.url });
    const processesOf = (api: readonly ServerProcess[]) => watched(api, ...postgres);
    candidates.push({
      name: `${engine}: one Knex transaction per vote (floor)`,
      origin: naive.origin,
      processes: processesOf([naive]),
      target: floor,
    });
    for (const polls of [1, 100] as const) {
      const counted = polls === 1 ? 'one poll' : `${polls} polls`;
      const target = await newTarget(polls, false);
      const api = await start('./api.server.ts', { DATABASE_URL: target.url });
      const site = await startSite({ DATA_DIR: folder, API_ORIGIN: api.origin });
      later(() => site.stop());
      const siteProcesses = [site.pid, ...(await descendants(site.pid))].map((pid) => ({ kind: 'site', pid }) as const);
      candidates.push({
        name: `${engine}: API, ${counted}`,
        origin: api.origin,
        processes: processesOf([api]),
        target,
      });
      candidates.push({
        name: `${engine}: through the site, ${counted}`,
        origin: site.origin,
        processes: watched([api], ...siteProcesses, ...postgres),
        target,
      });
      if (engine === 'SQLite') continue;
      const pool = [api];
      for (const count of processes) {
        while (pool.length < count) pool.push(await start('./api.server.ts', { DATABASE_URL: target.url }));
        const name = `${engine}: ${count} API processes, ${counted}`;
        candidates.push({
          name,
          origin: pool.map(({ origin }) => origin),
          processes: processesOf(pool),
          target,
        });
      }
    }
  }
  return candidates;
}

async function measure(candidate: Candidate, votes: number): Promise<Measured> {
  const { name, origin, processes, target } = candidate;
  const what = { kind: 'votes', polls: target.polls, options: offered } as const;
  const before = await readCpu(processes);
  const result = await runLoad({ origin, connections, amount: votes, what });
  const after = await readCpu(processes);
  target.accepted += result.accepted;
  if (target.database) await check(name, target.database.url, target.accepted);
  const perVote = processes.length > 0 ? cpuPerVote(before, after, result.accepted) : null;
  return { ...result, candidate, perVote };
}

/** Throws unless every accepted vote is a row and every counter equals its rows. */
async function check(name: string, url: string, accepted: number): Promise<void> {
  const db = openDatabase(url);
  try {
    const { recordedVotes, wrongCounters } = await reconcile(db);
    if (recordedVotes !== accepted || wrongCounters.length > 0)
      throw new Error(
        `${name}: ${accepted} votes were accepted, but ${recordedVotes} are recorded` +
          wrongCounters.map(({ counter, counted, expected }) => `; ${counter} is ${counted}, not ${expected}`).join(''),
      );
  } finally {
    await db.destroy();
  }
}

function rowsOf(candidates: readonly Candidate[], measured: readonly Measured[]): Row[] {
  const of = (candidate: Candidate | undefined, figure: 'perSecond' | 'p50' | 'p99') =>
    median(measured.filter((one) => one.candidate === candidate).map((one) => one[figure]));
  const ceiling = of(candidates[0], 'perSecond');
  return candidates.map((candidate) => {
    const { database } = candidate.target;
    const floor = candidates.find(({ target }) => target.isFloor && target.database?.engine === database?.engine);
    const perSecond = of(candidate, 'perSecond');
    return {
      votes: candidate.name,
      'accepted/s': Math.round(perSecond).toLocaleString('en-US'),
      'of ceiling': (perSecond / ceiling).toFixed(2),
      '× floor': database && floor ? (perSecond / of(floor, 'perSecond')).toFixed(1) : '',
      'p50 ms': of(candidate, 'p50').toFixed(1),
      'p99 ms': of(candidate, 'p99').toFixed(1),
    };
  });
}

/** What the groups of threads are called in the table. */
const threads = {
  eventLoop: 'API event loop',
  threadPool: 'API thread pool (SQLite)',
  engine: 'API V8 and other',
  siteEventLoop: 'site event loop',
  siteOther: 'site other',
  databaseBackends: 'database backends',
  databaseOther: 'WAL writer, checkpointer, other',
};

const product = 'product';
const bytes = 'bytes per vote';

const hasThreads = (measured: readonly Measured[]) => measured.some(({ perVote }) => perVote !== null);

const costTitle = (measured: readonly Measured[]) =>
  hasThreads(measured)
    ? 'Processor time per vote in microseconds, by thread, and disk space per vote with all indexes.'
    : 'Processor time by thread was not measured: it takes Linux with /proc and scheduler statistics (/proc/self/schedstat).';

/** Processor time per vote by thread, and bytes per vote on disk; a row per candidate. */
async function costRows(candidates: readonly Candidate[], measured: readonly Measured[]): Promise<Row[]> {
  const canMeasure = hasThreads(measured);
  const rows: Row[] = [];
  for (const candidate of candidates) {
    const rounds = measured.filter((one) => one.candidate === candidate);
    const cell = (figure: (one: Measured) => number) => {
      const figures = median(rounds.map(figure));
      return figures > 0 ? figures.toFixed(1) : '';
    };
    const cpu = (figure: (times: CpuTimes) => number) => cell(({ perVote }) => (perVote ? figure(perVote) : 0));
    const size = await bytesPerVote(candidate.target);
    rows.push({
      'µs per vote': candidate.name,
      ...(canMeasure && {
        ...Object.fromEntries(cpuGroups.map((group) => [threads[group], cpu((times) => times[group].cpu)])),
        [product]: cpu(totalCpu),
      }),
      'load generator': cell((one) => one.cpu / one.accepted),
      [bytes]: size === null ? '' : Math.round(size).toLocaleString('en-US'),
    });
  }
  return rows;
}

/** The growth of a database by the votes of all measurements, with all indexes; null without a database. */
async function bytesPerVote({ database, accepted }: Target): Promise<number | null> {
  if (!database || accepted === 0) return null;
  const db = openDatabase(database.url);
  try {
    return ((await votesBytes(db)) - database.emptyBytes) / accepted;
  } finally {
    await db.destroy();
  }
}

/** The bytes of the table of votes with all indexes; on SQLite of the whole file, in which little else grows. */
async function votesBytes(db: Database): Promise<number> {
  if (isSqlite(db)) return databaseBytes(db);
  const { rows } = await db.raw<{ rows: { bytes: number }[] }>("select pg_total_relation_size('votes') as bytes");
  return Number(rows[0]?.bytes);
}
