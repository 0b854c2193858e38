import { rm } from 'node:fs/promises';
import * as limits from '#contract/limits.ts';
import { pathOf } from '#contract/routes.ts';
import { deviceIdHeader, historicalSorts } from '#contract/vocabulary.ts';
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
import { busiest, databaseBytes, expectCounted, fillDatabase } from './fill.ts';
import type { Filled } from './fill.ts';
import { engines, newDatabases, workFolder } from './new-databases.ts';
import type { Engine } from './new-databases.ts';
import { fixed, median } from './report.ts';
import type { Row } from './report.ts';
import { signIn, startServer } from './server-process.ts';

/** Requests per measurement. */
const repetitions = 50;
/** The time limit for any query in milliseconds. */
const most = 10;

interface ScaleBenchOptions {
  readonly rounds: number;
  readonly only: string | null;
  readonly polls: number;
  readonly report: (line: string) => void;
}

/** A measured call: its query, and its request. */
interface Call {
  readonly name: string;
  readonly find: (nth: number) => Promise<unknown>;
  /** The path of the `nth` request, which may need the session of the busiest member. */
  readonly path: (nth: number) => string;
  readonly signedIn?: true;
  /** The body of a vote. */
  readonly body?: string;
}

/** Milliseconds: medians and p99 over all rounds. */
interface Figures {
  readonly call: string;
  readonly engine: Engine;
  readonly database: readonly [number, number];
  readonly http: readonly [number, number];
}

/** Measures calls and a vote on a large database, in the database and over HTTP. */
export async function benchScale(options: ScaleBenchOptions): Promise<Row[]> {
  const figures: Figures[] = [];
  for (const engine of engines) {
    if (options.only !== null && engine !== options.only) continue;
    // The next engine’s database needs the space.
    const folder = await workFolder();
    const cleanUps: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
    try {
      figures.push(...(await measureEngine(engine, folder, options, (cleanUp) => void cleanUps.push(cleanUp))));
    } finally {
      for (const cleanUp of cleanUps.reverse()) await cleanUp();
    }
  }
  const slow = figures.filter(({ database: [middle] }) => middle >= most);
  for (const { engine, call, database } of slow)
    options.report(
      `TOO SLOW: ${engine}: ${call} took ${fixed(database[0], 2)} ms in the database; the limit is ${most}.`,
    );
  return rowsOf(figures);
}

async function measureEngine(
  engine: Engine,
  folder: string,
  { polls, rounds, report }: ScaleBenchOptions,
  later: (cleanUp: () => Promise<void>) => void,
): Promise<Figures[]> {
  const url = await (await newDatabases(engine, folder, later))();
  const db = openDatabase(url);
  later(() => db.destroy());
  await migrate(db);
  const started = performance.now();
  const filled = await fillDatabase(db, polls, Date.now());
  await expectCounted(engine, db, filled.votes);
  const [seconds, gigabytes] = [(performance.now() - started) / 1_000, (await databaseBytes(db)) / 1e9];
  report(`${engine}: filled in ${fixed(seconds, 0)} s, ${fixed(gigabytes, 1)} GB; counters verified`);
  const api = await startServer('./api.server.ts', { DATABASE_URL: url, DATA_DIR: folder });
  later(() => api.stop());
  const cookie = await signIn(api.origin, busiest);
  const intake = createVotingIntake({ db, clock: systemClock, log: silentLogger });
  later(() => intake.drain());
  const figures: Figures[] = [];
  for (const call of [...callsOf(db, filled), vote(intake, filled)]) {
    const name = `${engine}: ${call.name}`;
    const request = async (nth: number) => {
      const device = { [deviceIdHeader]: `device_${newDigest()}`, 'content-type': 'application/json' };
      const headers = call.signedIn ? { cookie } : device;
      const body = call.body === undefined ? {} : { method: 'POST', body: call.body };
      const answer = await fetch(api.origin + call.path(nth), { headers, ...body });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${name} returned ${answer.status}.`);
    };
    const find = async (nth: number) => {
      if (isEmpty(await call.find(nth))) throw new Error(`${name}: nothing was found, so nothing was measured.`);
    };
    const one = { call: call.name, engine, database: await timed(find, rounds), http: await timed(request, rounds) };
    report(`${name.padEnd(52)} database ${fixed(one.database[0], 2)} ms  HTTP ${fixed(one.http[0], 2)} ms`);
    figures.push(one);
  }
  await expectCounted(engine, db, filled.votes + 2 * repetitions * (rounds + 1));
  return figures;
}

/** Whether a result is an empty list. */
function isEmpty(found: unknown): boolean {
  const list = Array.isArray(found) ? found : (found as { polls?: unknown }).polls;
  return Array.isArray(list) && list.length === 0;
}

/** The medians of all rounds’ medians and p99. */
async function timed(work: (nth: number) => Promise<void>, rounds: number): Promise<[number, number]> {
  const all: number[][] = [];
  for (let round = 0; round <= rounds; round++) {
    const times: number[] = [];
    for (let n = 0; n < repetitions; n++) {
      const started = performance.now();
      await work(n);
      times.push(performance.now() - started);
    }
    // Round 0 is the warm-up.
    if (round > 0) all.push(times.sort((a, b) => a - b));
  }
  const p99 = (times: readonly number[]) => times[Math.floor((times.length - 1) * 0.99)] ?? NaN;
  return [median(all.map(median)), median(all.map(p99))];
}

/** A row for each call, with the figures of each database side by side. */
function rowsOf(figures: readonly Figures[]): Row[] {
  const rows = new Map<string, Record<string, string>>();
  for (const { call, engine, database, http } of figures)
    rows.set(call, {
      ...(rows.get(call) ?? { call }),
      [`${engine}: database ms`]: fixed(database[0], 2),
      [`${engine}: p99`]: fixed(database[1], 2),
      [`${engine}: HTTP ms`]: fixed(http[0], 2),
      [`${engine}: HTTP p99`]: fixed(http[1], 2),
    });
  return [...rows.values()];
}

/** One vote by a new visitor with its own commit. */
function vote(intake: VotingIntake, { hottest }: Filled): Call {
  return {
    name: 'one vote on the hottest poll',
    async find() {
      const voter = { device: newDigest(), cookie: null, userId: null };
      return intake.cast({ ballotId: hottest, kind: 'poll', optionId: 'option-1', voter });
    },
    path: () => pathOf('vote', { id: hottest }),
    body: JSON.stringify({ optionId: 'option-1' }),
  };
}

/** The calls whose cost could grow with the number of polls, votes, and members. */
function callsOf(db: Database, { closed, community: communityPolls }: Filled): Call[] {
  const context = { db, clock: systemClock };
  const deep = Math.max(2, Math.floor(closed.length / 2 / limits.historicalPageSize));
  const archive = (name: string, query: Parameters<typeof archivePage>[1]): Call => ({
    name,
    path: () => pathOf('historicalPolls', {}, query),
    find: () => archivePage(context, query),
  });
  const community = (name: string, query: { offset?: number; category?: 'Science' }): Call => ({
    name,
    path: () => pathOf('communityPolls', {}, query),
    find: () => {
      const { offset = 0, category } = query;
      const page = { limit: limits.communityPageSize, offset };
      return listPage(context, { of: { visibility: 'public' }, category }, page, undefined, null);
    },
  });
  /** A different closed weekly poll each time, spread over all of them. */
  const closedPoll = (nth: number) => closed[Math.floor(((nth * 0.618) % 1) * closed.length)]!;
  const offset = Math.floor(communityPolls / 2);
  return [
    ...historicalSorts.map((sort) => archive(`archive, ${sort}`, { sort })),
    archive('archive, newest, middle page', { page: deep }),
    ...(['newest', 'least-voted'] as const).map((sort) =>
      archive(`archive, category climate, ${sort}`, { category: 'climate', sort }),
    ),
    {
      name: 'a closed poll',
      path: (nth) => pathOf('poll', { id: closedPoll(nth) }),
      find: (nth) => pollFor(context, closedPoll(nth), null),
    },
    {
      name: 'related polls',
      path: (nth) => pathOf('relatedPolls', { category: 'climate', id: closedPoll(nth) }),
      find: (nth) => relatedPolls(db, 'climate', closedPoll(nth)),
    },
    { name: 'active polls', path: () => pathOf('activePolls'), find: () => activePollsFor(context, null) },
    {
      name: 'headline figures',
      path: () => pathOf('statistics'),
      find: () => statisticsNow(db, systemClock.now()),
    },
    community('community polls', {}),
    community('community polls from the middle on', { offset }),
    community('community polls of Science', { category: 'Science' }),
    {
      name: 'featured community polls',
      path: () => pathOf('featuredCommunityPolls'),
      find: () => featuredList(context, null),
    },
    {
      name: 'profile of the most active member',
      path: () => pathOf('profile'),
      find: () => profileOf(context, busiest),
      signedIn: true,
    },
    {
      name: 'activities of the most active member',
      path: () => pathOf('activities'),
      find: () => activityPage(context, busiest, { limit: limits.activityPageSize }),
      signedIn: true,
    },
    {
      name: 'badge tracker of the most active member',
      path: () => pathOf('badges'),
      find: () => badgeTrackerOf(db, busiest),
      signedIn: true,
    },
  ];
}
