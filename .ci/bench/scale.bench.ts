import { rm } from 'node:fs/promises';
import { pathOf } from '#contract/routes.ts';
import { systemClock } from '#platform/clock.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { createVotingIntake } from '#api/voting/intake.service.ts';
import type { VotingIntake } from '#api/voting/intake.service.ts';
import { benchTexts } from './texts.ts';
import { newDeviceId } from './connection.ts';
import { fillDatabase, checkFilling, databaseBytes } from './fill.ts';
import { runLoad } from './load.ts';
import type { Load } from './load.ts';
import { memberId, pollId } from './made-up.ts';
import type { Sizes, Story } from './made-up.ts';
import { engines, newDatabases, workFolder } from './new-databases.ts';
import type { Engine } from './new-databases.ts';
import { withBar, median } from './report.ts';
import type { Row } from './report.ts';
import { asksOf } from './scale-asks.ts';
import { benchPassword, startServer } from './server-process.ts';

/** Times that one thing is asked for in one measurement. */
const asks = 50;
/** Milliseconds that anything may take in the database. */
const most = 10;
const texts = benchTexts.scale;

interface ScaleBenchOptions {
  readonly rounds: number;
  readonly only: string | null;
  readonly sizes: Sizes;
  readonly report: (line: string) => void;
}

/** An installation of the size that is measured. */
interface Stand {
  readonly engine: Engine;
  readonly url: string;
  readonly db: Database;
  readonly made: Story;
  readonly origin: string;
  /** The busiest member's session. */
  readonly cookie: string;
}

/** Medians over all rounds, in milliseconds. */
interface Figures {
  readonly name: string;
  readonly database: number;
  readonly databaseP99: number;
  readonly http: number;
  readonly httpP99: number;
}

/** Measures calls, and a vote, on a database of a large installation, in the database and over HTTP. */
export async function benchScale(options: ScaleBenchOptions): Promise<Row[]> {
  const folder = await workFolder();
  const figures: Figures[] = [];
  try {
    for (const engine of engines) {
      if (options.only !== null && engine !== options.only) continue;
      const cleanUps: (() => Promise<void>)[] = [];
      const later = (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp);
      try {
        figures.push(...(await measureEngine(engine, folder, options, later)));
      } finally {
        // The next engine's database needs the room.
        for (const cleanUp of cleanUps.reverse()) await cleanUp();
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const slowest = figures.toSorted((a, b) => b.database - a.database)[0];
  if (slowest) options.report(texts.verdict(slowest.name, slowest.database, most));
  return figures.map(rowOf);
}

async function measureEngine(
  engine: Engine,
  folder: string,
  options: ScaleBenchOptions,
  later: (cleanUp: () => Promise<void>) => void,
): Promise<Figures[]> {
  const { sizes, report } = options;
  const url = await (await newDatabases(engine, folder, later))();
  const empty = openDatabase(url);
  await migrate(empty);
  await empty.destroy();
  const started = performance.now();
  const made = await fillDatabase(url, {
    sizes,
    now: Date.now(),
    step: (text, total, work) => withBar(texts.filling(engine, text), total, work),
  });
  if (engine === 'SQLite') later(() => removeFile(url));
  const db = openDatabase(url);
  later(() => db.destroy());
  await checkFilling(db, engine, made);
  report(texts.filled(engine, (performance.now() - started) / 1_000, (await databaseBytes(db)) / 1e9));
  return measureFilled({ engine, url, db, made, folder }, options, later);
}

async function removeFile(url: string): Promise<void> {
  const file = url.slice('sqlite:'.length);
  for (const ending of ['', '-wal', '-shm']) await rm(file + ending, { force: true });
}

/** Measures a database that {@link fillDatabase} has filled. */
export async function measureFilled(
  filled: Pick<Stand, 'engine' | 'url' | 'db' | 'made'> & { readonly folder: string },
  { rounds, report }: Pick<ScaleBenchOptions, 'rounds' | 'report'>,
  later: (cleanUp: () => Promise<void>) => void,
): Promise<Figures[]> {
  const api = await startServer('./api.server.ts', { DATABASE_URL: filled.url, DATA_DIR: filled.folder });
  later(() => api.stop());
  const stand = { ...filled, origin: api.origin, cookie: await signIn(api.origin) };
  const intake = createVotingIntake({ db: filled.db, clock: systemClock, log: silentLogger });
  later(() => intake.drain());
  const figures: Figures[] = [];
  for (const measured of [...askedThings(stand), votes(stand, intake)]) {
    const one = await measure(measured, rounds);
    report(texts.line(one));
    figures.push(one);
  }
  await checkFilling(filled.db, filled.engine, filled.made, 2 * asks * (rounds + 1));
  return figures;
}

/** What is measured: each time in the database, and as a load over HTTP on one connection. */
interface Measured {
  readonly name: string;
  readonly find: (nth: number) => Promise<void>;
  readonly load: Load;
}

function askedThings({ engine, db, made, origin, cookie }: Stand): Measured[] {
  return asksOf(made).map((ask) => {
    const name = `${engine}: ${ask.name}`;
    const paths = Array.from({ length: asks }, (_, nth) => ask.path(nth));
    const session = ask.signedIn ? { cookie } : {};
    return {
      name,
      async find(nth) {
        const found = await ask.find(db, nth);
        if (isEmpty(found)) throw new Error(texts.empty(name));
      },
      load: { origin, connections: 1, amount: asks, what: { kind: 'pages', paths, encoding: 'identity', ...session } },
    };
  });
}

/** A list, or a page of one, that has nothing in it. */
function isEmpty(found: unknown): boolean {
  const list = Array.isArray(found) ? found : (found as { polls?: unknown }).polls;
  return Array.isArray(list) && list.length === 0;
}

/** One vote by somebody new, alone with its commit. */
function votes({ engine, made, origin }: Stand, intake: VotingIntake): Measured {
  const ballotId = pollId(made.hottest);
  return {
    name: `${engine}: ${texts.vote}`,
    async find() {
      const voter = { fingerprint: newDeviceId().slice(0, 43), cookie: null, userId: null };
      await intake.cast({ ballotId, kind: 'poll', optionId: 'option-1', voter });
    },
    load: {
      origin,
      connections: 1,
      amount: asks,
      what: { kind: 'votes', on: 'polls', polls: [ballotId], options: ['option-1'] },
    },
  };
}

async function signIn(origin: string): Promise<string> {
  const answer = await fetch(origin + pathOf('login'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: memberId(0), password: benchPassword }),
  });
  if (answer.status !== 200) throw new Error(texts.refused(pathOf('login'), 1));
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .join('; ');
}

async function measure({ name, find, load }: Measured, rounds: number): Promise<Figures> {
  const found: number[][] = [];
  const answered: { p50: number; p99: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const times: number[] = [];
    for (let n = 0; n < asks; n++) {
      const started = performance.now();
      await find(n);
      times.push(performance.now() - started);
    }
    const result = await runLoad(load);
    if (result.refused > 0) throw new Error(texts.refused(name, result.refused));
    // Round 0 warms everything up.
    if (round === 0) continue;
    found.push(times.sort((a, b) => a - b));
    answered.push(result);
  }
  return {
    name,
    database: median(found.map(median)),
    databaseP99: median(found.map((times) => times[Math.floor((times.length - 1) * 0.99)] ?? Number.NaN)),
    http: median(answered.map(({ p50 }) => p50)),
    httpP99: median(answered.map(({ p99 }) => p99)),
  };
}

function rowOf({ name, database, databaseP99, http, httpP99 }: Figures): Row {
  return {
    [texts.columns.call]: name,
    [texts.columns.database]: database.toFixed(2),
    [texts.columns.databaseP99]: databaseP99.toFixed(2),
    [texts.columns.http]: http.toFixed(2),
    [texts.columns.httpP99]: httpP99.toFixed(2),
  };
}
