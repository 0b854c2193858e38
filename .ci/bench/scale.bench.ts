import { rm } from 'node:fs/promises';
import * as limits from '#contract/limits.ts';
import { pathOf } from '#contract/routes.ts';
import { historicalSorts } from '#contract/vocabulary.ts';
import { systemClock } from '#platform/clock.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { featuredList, listPage } from '#api/community-polls/community-polls.service.ts';
import { relatedPolls } from '#api/polls/polls.queries.ts';
import { activePollsFor, archivePage, pollFor } from '#api/polls/polls.service.ts';
import { badgeTrackerOf } from '#api/badges/badges.service.ts';
import { profileOf } from '#api/profile/profile.service.ts';
import { activityPage } from '#api/profile/timeline.service.ts';
import { newDigest } from '#api/testing/votes.ts';
import { statisticsNow } from '#api/voting/statistics.service.ts';
import { createVotingIntake } from '#api/voting/intake.service.ts';
import type { VotingIntake } from '#api/voting/intake.service.ts';
import { checkFilling, databaseBytes, fillDatabase } from './fill.ts';
import { runLoad } from './load.ts';
import type { Load } from './load.ts';
import { busiest, pollId } from './synthetic-rows.ts';
import type { Sizes, DataPlan } from './synthetic-rows.ts';
import { engines, newDatabases, workFolder } from './new-databases.ts';
import type { Engine } from './new-databases.ts';
import { median, withBar } from './report.ts';
import type { Row } from './report.ts';
import { signIn, startServer } from './server-process.ts';

/** Requests per measurement. */
const repetitions = 50;
/** The time limit for any query in milliseconds. */
const most = 10;

interface ScaleBenchOptions {
  readonly rounds: number;
  readonly only: string | null;
  readonly sizes: Sizes;
  readonly report: (line: string) => void;
}

/** A site of the measured size. */
interface Target {
  readonly engine: Engine;
  readonly url: string;
  readonly db: Database;
  readonly made: DataPlan;
  readonly origin: string;
  /** The busiest member's session. */
  readonly cookie: string;
}

/** Medians over all rounds in milliseconds. */
interface Figures {
  readonly name: string;
  readonly database: number;
  readonly databaseP99: number;
  readonly http: number;
  readonly httpP99: number;
}

/** Measures calls and a vote on a large database, in the database and over HTTP. */
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
        // The next engine’s database needs the space.
        for (const cleanUp of cleanUps.reverse()) await cleanUp();
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const slowest = figures.toSorted((a, b) => b.database - a.database)[0];
  if (slowest)
    options.report(
      slowest.database < most
        ? `Everything took under ${most} ms in the database; the slowest, ${slowest.name}, took ${slowest.database.toFixed(2)} ms.`
        : `TOO SLOW: ${slowest.name} took ${slowest.database.toFixed(2)} ms in the database; the limit is ${most} ms.`,
    );
  return rowsOf(figures);
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
    step: (text, total, work) => withBar(`${engine}: ${text}`, total, work),
  });
  if (engine === 'SQLite') later(() => removeFile(url));
  const db = openDatabase(url);
  later(() => db.destroy());
  await checkFilling(db, engine, made);
  report(
    `${engine}: filled in ${Math.round((performance.now() - started) / 1_000)} s, ${((await databaseBytes(db)) / 1e9).toFixed(1)} GB; counters verified`,
  );
  return measureFilled({ engine, url, db, made, folder }, options, later);
}

async function removeFile(url: string): Promise<void> {
  const file = url.slice('sqlite:'.length);
  for (const ending of ['', '-wal', '-shm']) await rm(file + ending, { force: true });
}

/** Measures a database that {@link fillDatabase} has filled. */
async function measureFilled(
  filled: Pick<Target, 'engine' | 'url' | 'db' | 'made'> & { readonly folder: string },
  { rounds, report }: Pick<ScaleBenchOptions, 'rounds' | 'report'>,
  later: (cleanUp: () => Promise<void>) => void,
): Promise<Figures[]> {
  const api = await startServer('./api.server.ts', { DATABASE_URL: filled.url, DATA_DIR: filled.folder });
  later(() => api.stop());
  const target = { ...filled, origin: api.origin, cookie: await signIn(api.origin, busiest) };
  const intake = createVotingIntake({ db: filled.db, clock: systemClock, log: silentLogger });
  later(() => intake.drain());
  const figures: Figures[] = [];
  for (const measured of [...measuredCalls(target), votes(target, intake)]) {
    const one = await measure(measured, rounds);
    report(
      `${one.name.padEnd(52)} database ${one.database.toFixed(2).padStart(7)} ms (p99 ${one.databaseP99.toFixed(2)})` +
        `  HTTP ${one.http.toFixed(2).padStart(7)} ms (p99 ${one.httpP99.toFixed(2)})`,
    );
    figures.push(one);
  }
  await checkFilling(filled.db, filled.engine, filled.made, 2 * repetitions * (rounds + 1));
  return figures;
}

/** What is measured: a query, and a load over HTTP on one connection. */
interface Measured {
  readonly name: string;
  readonly find: (nth: number) => Promise<void>;
  readonly load: Load;
}

function measuredCalls({ engine, db, made, origin, cookie }: Target): Measured[] {
  return callsOf(made).map((call) => {
    const name = `${engine}: ${call.name}`;
    const paths = Array.from({ length: repetitions }, (_, nth) => call.path(nth));
    const session = call.signedIn ? { headers: { cookie } } : {};
    return {
      name,
      async find(nth) {
        const found = await call.find(db, nth);
        if (isEmpty(found)) throw new Error(`${name}: nothing was found, so nothing was measured.`);
      },
      load: {
        origin,
        connections: 1,
        amount: repetitions,
        what: { kind: 'pages', paths, encoding: 'identity', ...session },
      },
    };
  });
}

/** Whether a result is an empty list. */
function isEmpty(found: unknown): boolean {
  const list = Array.isArray(found) ? found : (found as { polls?: unknown }).polls;
  return Array.isArray(list) && list.length === 0;
}

/** One vote by a new visitor with its own commit. */
function votes({ engine, made, origin }: Target, intake: VotingIntake): Measured {
  const ballotId = pollId(made.hottest);
  return {
    name: `${engine}: one vote on the hottest poll`,
    async find() {
      const voter = { device: newDigest(), cookie: null, userId: null };
      await intake.cast({ ballotId, kind: 'poll', optionId: 'option-1', voter });
    },
    load: {
      origin,
      connections: 1,
      amount: repetitions,
      what: { kind: 'votes', polls: [ballotId], options: ['option-1'] },
    },
  };
}

async function measure({ name, find, load }: Measured, rounds: number): Promise<Figures> {
  const found: number[][] = [];
  const answered: { p50: number; p99: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const times: number[] = [];
    for (let n = 0; n < repetitions; n++) {
      const started = performance.now();
      await find(n);
      times.push(performance.now() - started);
    }
    const result = await runLoad(load);
    if (result.refused > 0) throw new Error(`${name}: ${result.refused} requests did not return 200.`);
    // Round 0 is the warm-up.
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

/** A row for each call, with the figures of each database side by side. */
function rowsOf(figures: readonly Figures[]): Row[] {
  const rows = new Map<string, Record<string, string>>();
  for (const { name, database, databaseP99, http, httpP99 } of figures) {
    const [engine = '', call = ''] = name.split(': ');
    const shown = { 'database ms': database, p99: databaseP99, 'HTTP ms': http, 'HTTP p99': httpP99 };
    const cells = Object.entries(shown).map(([column, ms]) => [`${engine}: ${column}`, ms.toFixed(2)]);
    rows.set(call, { ...(rows.get(call) ?? { call }), ...(Object.fromEntries(cells) as Record<string, string>) });
  }
  return [...rows.values()];
}

/** A measured call: its query and its path. */
interface Call {
  readonly name: string;
  /** The path of the `nth` request. */
  readonly path: (nth: number) => string;
  readonly find: (db: Database, nth: number) => Promise<unknown>;
  readonly signedIn?: true;
}

const context = (db: Database) => ({ db, clock: { now: () => Date.now() } });

/** The calls whose cost could grow with the number of polls, votes, and members. */
function callsOf({ polls }: DataPlan): Call[] {
  const weekly = Math.floor(polls * 0.8);
  const deep = Math.max(2, Math.floor(weekly / 2 / limits.historicalPageSize));
  const archive = (name: string, query: Parameters<typeof archivePage>[1]): Call => ({
    name,
    path: () => pathOf('historicalPolls', {}, query),
    find: (db) => archivePage(context(db), query),
  });
  const community = (name: string, query: { offset?: number; category?: 'Science' }): Call => ({
    name,
    path: () => pathOf('communityPolls', {}, query),
    find: (db) => {
      const { offset = 0, category } = query;
      const page = { limit: limits.communityPageSize, offset };
      return listPage(context(db), { of: { visibility: 'public' }, category }, page, undefined, null);
    },
  });
  /** A different closed weekly poll each time, spread over all of them. */
  const closedPoll = (nth: number) => pollId(5 * Math.floor(((nth * 0.618) % 1) * (polls / 5 - 10)));
  const offset = Math.floor(polls / 10);
  return [
    ...historicalSorts.map((sort) => archive(`archive, ${sort}`, { sort })),
    archive(`archive, newest, page ${deep.toLocaleString('en-US')}`, { page: deep }),
    ...(['climate', 'category-7'] as const).flatMap((category) =>
      (['newest', 'least-voted'] as const).map((sort) =>
        archive(`archive, category ${category}, ${sort}`, { category, sort }),
      ),
    ),
    {
      name: 'a closed poll',
      path: (nth) => pathOf('poll', { id: closedPoll(nth) }),
      find: (db, nth) => pollFor(context(db), closedPoll(nth), null),
    },
    {
      name: 'related polls',
      path: (nth) => pathOf('relatedPolls', { category: 'climate', id: closedPoll(nth) }),
      find: (db, nth) => relatedPolls(db, 'climate', closedPoll(nth)),
    },
    { name: 'active polls', path: () => pathOf('activePolls'), find: (db) => activePollsFor(context(db), null) },
    {
      name: 'headline figures',
      path: () => pathOf('statistics'),
      find: (db) => statisticsNow(db, context(db).clock.now()),
    },
    community('community polls', {}),
    community(`community polls from ${offset.toLocaleString('en-US')} on`, { offset }),
    community('community polls of Science', { category: 'Science' }),
    {
      name: 'featured community polls',
      path: () => pathOf('featuredCommunityPolls'),
      find: (db) => featuredList(context(db), null),
    },
    {
      name: 'profile of the most active member',
      path: () => pathOf('profile'),
      find: (db) => profileOf(context(db), busiest),
      signedIn: true,
    },
    {
      name: 'activities of the most active member',
      path: () => pathOf('activities'),
      find: (db) => activityPage(context(db), busiest, { limit: limits.activityPageSize }),
      signedIn: true,
    },
    {
      name: 'badge tracker of the most active member',
      path: () => pathOf('badges'),
      find: (db) => badgeTrackerOf(db, busiest),
      signedIn: true,
    },
  ];
}
