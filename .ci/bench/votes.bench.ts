import { rm } from 'node:fs/promises';
import { isSqlite, migrate, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { databaseBytes, expectCounted } from './fill.ts';
import { runLoad } from './load.ts';
import type { LoadResult } from './load.ts';
import { makePolls } from './make-polls.ts';
import { engines, newDatabases, workFolder } from './new-databases.ts';
import { fixed, median, roundLine, whole } from './report.ts';
import type { Row } from './report.ts';
import { cpuBetween, cpuTimes, startServer, startSite } from './server-process.ts';

const connections = 64;
/** Further API processes on one PostgreSQL. SQLite has one writer, so one process is right for it. */
const processes = [2, 4];
const offered = ['option-1', 'option-2', 'option-3'];

/** What takes processor time, with the columns of the table. */
const kinds = { api: 'API', site: 'site', database: 'PostgreSQL' } as const;
type Pids = Readonly<Partial<Record<keyof typeof kinds, readonly number[]>>>;

/** A measured candidate. */
interface Candidate {
  readonly name: string;
  /** Connections alternate between several. */
  readonly origin: string | readonly string[];
  readonly pids: Pids;
  readonly target: Target;
}

/** A server with its database; several candidates may share one. */
interface Target {
  /** Null for the ceiling. */
  readonly database: { readonly url: string; readonly emptyBytes: number } | null;
  readonly polls: readonly string[];
  accepted: number;
}

interface Measured extends LoadResult {
  readonly candidate: Candidate;
  /** Microseconds of processor time per vote. */
  readonly cpuPerVote: Readonly<Record<string, number>>;
}

interface VoteBenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly only: string | null;
  report(line: string): void;
}

/** Measures votes per second, each candidate once per round. */
export async function benchVotes(options: VoteBenchOptions): Promise<Row[]> {
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
    return await rowsOf(candidates, measured);
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
  const ceiling: Target = { database: null, polls: ['open-poll-1'], accepted: 0 };
  const bare = await start('./ceiling.server.ts', {});
  const candidates: Candidate[] = [
    { name: 'bare Koa (ceiling)', origin: bare.origin, pids: { api: [bare.pid] }, target: ceiling },
  ];
  for (const engine of engines) {
    if (only !== null && engine !== only && engines.some((one) => one === only)) continue;
    const newDatabase = await newDatabases(engine, folder, later);
    for (const polls of [1, 100]) {
      const counted = polls === 1 ? 'one poll' : `${polls} polls`;
      const url = await newDatabase();
      const db = openDatabase(url);
      await migrate(db);
      const ids = await makePolls(db, polls, 'open');
      const used: Pids = isSqlite(db) ? {} : { database: [await postgresPid(db)] };
      const target: Target = { database: { url, emptyBytes: await votesBytes(db) }, polls: ids, accepted: 0 };
      await db.destroy();
      const api = await start('./api.server.ts', { DATABASE_URL: url });
      const site = await startSite({ DATA_DIR: folder, API_ORIGIN: api.origin });
      later(() => site.stop());
      const pids = { api: [api.pid], ...used };
      candidates.push(
        { name: `${engine}: API, ${counted}`, origin: api.origin, pids, target },
        {
          name: `${engine}: through the site, ${counted}`,
          origin: site.origin,
          pids: { ...pids, site: [site.pid] },
          target,
        },
      );
      if (engine === 'SQLite') continue;
      const pool = [api];
      for (const count of processes) {
        while (pool.length < count) pool.push(await start('./api.server.ts', { DATABASE_URL: url }));
        candidates.push({
          name: `${engine}: ${count} API processes, ${counted}`,
          origin: pool.map(({ origin }) => origin),
          pids: { api: pool.map(({ pid }) => pid), ...used },
          target,
        });
      }
    }
  }
  return candidates;
}

/** The process id of the PostgreSQL server behind a handle, which must run on this machine. */
async function postgresPid(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { pid: string }[] }>(
    `select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid`,
  );
  return Number(rows[0]?.pid);
}

async function readCpu(pids: Pids): Promise<Record<string, ReadonlyMap<number, number>>> {
  const read = Object.entries(pids).map(async ([kind, some]) => [kind, await cpuTimes(some)] as const);
  return Object.fromEntries(await Promise.all(read));
}

async function measure(candidate: Candidate, amount: number): Promise<Measured> {
  const { name, origin, pids, target } = candidate;
  const before = await readCpu(pids);
  const result = await runLoad({ origin, connections, amount, polls: target.polls, options: offered });
  const after = await readCpu(pids);
  target.accepted += result.accepted;
  if (target.database) {
    const db = openDatabase(target.database.url);
    await expectCounted(name, db, target.accepted).finally(() => db.destroy());
  }
  const cpuPerVote = Object.fromEntries(
    Object.keys(after).map((kind) => [kind, cpuBetween(before[kind]!, after[kind]!) / result.accepted]),
  );
  return { ...result, candidate, cpuPerVote };
}

async function rowsOf(candidates: readonly Candidate[], measured: readonly Measured[]): Promise<Row[]> {
  const of = (candidate: Candidate | undefined, figure: (one: Measured) => number) =>
    median(measured.filter((one) => one.candidate === candidate).map(figure));
  const speed = (candidate: Candidate | undefined) => of(candidate, ({ perSecond }) => perSecond);
  const rows = candidates.map(async (candidate) => {
    const cpu = Object.entries(kinds).map(([kind, column]) => [
      column,
      fixed(
        of(candidate, ({ cpuPerVote }) => cpuPerVote[kind] ?? NaN),
        1,
      ),
    ]);
    return {
      'votes; µs of CPU per vote': candidate.name,
      'accepted/s': whole(speed(candidate)),
      'of ceiling': fixed(speed(candidate) / speed(candidates[0]), 2),
      'p50 ms': fixed(
        of(candidate, ({ p50 }) => p50),
        1,
      ),
      'p99 ms': fixed(
        of(candidate, ({ p99 }) => p99),
        1,
      ),
      ...(Object.fromEntries(cpu) as Row),
      product: fixed(
        of(candidate, ({ cpuPerVote }) => Object.values(cpuPerVote).reduce((sum, one) => sum + one, 0)),
        1,
      ),
      'load generator': fixed(
        of(candidate, (one) => one.cpu / one.accepted),
        1,
      ),
      'bytes per vote': whole(await bytesPerVote(candidate.target)),
    };
  });
  return Promise.all(rows);
}

/** The growth of a database by the votes of all measurements, with all indexes; NaN without a database. */
async function bytesPerVote({ database, accepted }: Target): Promise<number> {
  if (!database || accepted === 0) return NaN;
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
