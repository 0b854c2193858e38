import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate, openDatabase } from '#platform/database.ts';
import { startPostgres } from '#api/testing/postgres.setup.ts';
import { reconcile } from '#api/voting/reconcile.queries.ts';
import { benchTexts } from '#texts/bench.ts';
import { makePolls } from './make-polls.ts';
import { median } from './report.ts';
import type { Row } from './report.ts';
import { startServer } from './server-process.ts';
import { runLoad } from './vote-load.ts';
import type { LoadResult } from './vote-load.ts';

const connections = 64;
const offered = ['option-1', 'option-2', 'option-3'];
/** The ceiling needs no database, and its polls exist in the address only. */
type Engine = 'none' | 'SQLite' | 'PostgreSQL';

/** One thing that is measured. */
interface Candidate {
  readonly name: string;
  readonly engine: Engine;
  readonly server: string;
  readonly polls: 1 | 100;
}

const candidates: readonly Candidate[] = [
  { name: benchTexts.ceiling, engine: 'none', server: './ceiling.server.ts', polls: 1 },
  ...(['SQLite', 'PostgreSQL'] as const).flatMap((engine): Candidate[] => [
    { name: benchTexts.floor(engine), engine, server: './floor.server.ts', polls: 1 },
    { name: benchTexts.hotPoll(engine), engine, server: './api.server.ts', polls: 1 },
    { name: benchTexts.spread(engine), engine, server: './api.server.ts', polls: 100 },
  ]),
];

interface Measured extends LoadResult {
  readonly candidate: Candidate;
}

/** A fresh database for one measurement. */
interface FreshDatabase {
  readonly url: string;
  remove(): Promise<void>;
}

/** Measures votes per second, each candidate once in every round, and answers the table's rows. */
export async function benchVotes(options: {
  readonly rounds: number;
  readonly seconds: number;
  readonly only: string | null;
  report(line: string): void;
}): Promise<Row[]> {
  const folder = await workFolder();
  const chosen = candidates.filter(
    ({ name, engine }) => options.only === null || engine === 'none' || name.includes(options.only),
  );
  const postgres = chosen.some(({ engine }) => engine === 'PostgreSQL') ? await startPostgres(true) : null;
  const measured: Measured[] = [];
  try {
    for (let round = 1; round <= options.rounds; round++) {
      for (const candidate of chosen) {
        const database = candidate.engine === 'none' ? null : await freshDatabase(candidate.engine, folder, postgres);
        try {
          const result = await measure(candidate, database, options.seconds);
          measured.push({ ...result, candidate });
          options.report(benchTexts.roundLine({ round, rounds: options.rounds, name: candidate.name, ...result }));
        } finally {
          await database?.remove();
        }
      }
    }
  } finally {
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return rowsOf(chosen, measured);
}

async function measure(candidate: Candidate, database: FreshDatabase | null, seconds: number): Promise<LoadResult> {
  let polls: readonly string[] = ['open-poll-1'];
  if (database) {
    const db = openDatabase(database.url);
    await migrate(db);
    polls = await makePolls(db, candidate.polls, 'open');
    await db.destroy();
  }
  const server = await startServer(candidate.server, database ? { DATABASE_URL: database.url } : {});
  const load = { origin: server.origin, polls, options: offered, connections };
  let accepted = 0;
  let result: LoadResult;
  try {
    // Warm code, and a first idea of how many votes fill the time.
    const first = await runLoad({ ...load, votes: 500 });
    const second = await runLoad({ ...load, votes: Math.ceil(Math.max(500, first.perSecond)) });
    result = await runLoad({ ...load, votes: Math.ceil(Math.max(500, second.perSecond * seconds)) });
    accepted = first.accepted + second.accepted + result.accepted;
  } finally {
    await server.stop();
  }
  if (database) await check(candidate, database, accepted);
  return result;
}

/** Every accepted vote is a row, every row is counted, and nothing else is. */
async function check(candidate: Candidate, { url }: FreshDatabase, accepted: number): Promise<void> {
  const db = openDatabase(url);
  try {
    const { recordedVotes, wrongCounters } = await reconcile(db);
    if (recordedVotes !== accepted || wrongCounters.length > 0)
      throw new Error(benchTexts.mismatch({ name: candidate.name, accepted, recordedVotes, wrongCounters }));
  } finally {
    await db.destroy();
  }
}

/** A folder on a real disk: the system's temporary one may be in memory, where durability costs nothing. */
async function workFolder(): Promise<string> {
  await mkdir('var', { recursive: true });
  return mkdtemp(join('var', 'bench-'));
}

async function freshDatabase(
  engine: 'SQLite' | 'PostgreSQL',
  folder: string,
  postgres: { readonly url: string } | null,
): Promise<FreshDatabase> {
  const name = `bench_${randomUUID().replaceAll('-', '')}`;
  if (engine === 'SQLite' || !postgres) {
    const file = join(folder, `${name}.sqlite`);
    const remove = async () => {
      await Promise.all(['', '-wal', '-shm'].map((end) => rm(file + end, { force: true })));
    };
    return { url: `sqlite:${file}`, remove };
  }
  const inPostgres = async (sql: string) => {
    const admin = openDatabase(`${postgres.url}postgres`);
    await admin.raw(sql);
    await admin.destroy();
  };
  await inPostgres(`create database ${name}`);
  return { url: postgres.url + name, remove: () => inPostgres(`drop database ${name} with (force)`) };
}

function rowsOf(chosen: readonly Candidate[], measured: readonly Measured[]): Row[] {
  const of = (candidate: Candidate | undefined, figure: 'perSecond' | 'p50' | 'p99') =>
    median(measured.filter((one) => one.candidate === candidate).map((one) => one[figure]));
  const ceiling = of(chosen[0], 'perSecond');
  return chosen.map((candidate) => {
    const floor = chosen.find(({ server, engine }) => server === './floor.server.ts' && engine === candidate.engine);
    const perSecond = of(candidate, 'perSecond');
    return {
      [benchTexts.columns.candidate]: candidate.name,
      [benchTexts.columns.perSecond]: Math.round(perSecond).toLocaleString('en'),
      [benchTexts.columns.ofCeiling]: (perSecond / ceiling).toFixed(2),
      [benchTexts.columns.timesFloor]: floor ? (perSecond / of(floor, 'perSecond')).toFixed(1) : '',
      [benchTexts.columns.p50]: of(candidate, 'p50').toFixed(1),
      [benchTexts.columns.p99]: of(candidate, 'p99').toFixed(1),
    };
  });
}
