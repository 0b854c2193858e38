import { rm } from 'node:fs/promises';
import * as limits from '#contract/limits.ts';
import { pathOf } from '#domain/path-of.ts';
import { deviceIdHeader, historicalSorts } from '#contract/vocabulary.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import { newDigest } from '#api/testing/votes.ts';
import { busiest, databaseBytes, expectCounted, fillDatabase } from './fill.ts';
import type { Filled } from './fill.ts';
import { engines, newDatabases, workFolder } from './new-databases.ts';
import type { Engine } from './new-databases.ts';
import { fixed, median } from './report.ts';
import type { Row } from './report.ts';
import { signIn, startServer } from './server-process.ts';

/** Requests per measurement. */
const repetitions = 50;
/** The time limit for any call in milliseconds. */
const most = 10;

interface ScaleBenchOptions {
  readonly rounds: number;
  readonly only: string | null;
  readonly polls: number;
  readonly report: (line: string) => void;
}

/** A measured call. */
interface Call {
  readonly name: string;
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
  readonly median: number;
  readonly p99: number;
}

/** Measures calls and a vote over HTTP on a large database. */
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
  for (const { engine, call, median: ms } of figures.filter((one) => one.median >= most))
    options.report(`TOO SLOW: ${engine}: ${call} took ${fixed(ms, 2)} ms; the limit is ${most}.`);
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
  const figures: Figures[] = [];
  for (const call of callsOf(filled)) {
    const name = `${engine}: ${call.name}`;
    const request = async (nth: number) => {
      const device = { [deviceIdHeader]: `device_${newDigest()}`, 'content-type': 'application/json' };
      const headers = call.signedIn ? { cookie } : device;
      const body = call.body === undefined ? {} : { method: 'POST', body: call.body };
      const answer = await fetch(api.origin + call.path(nth), { headers, ...body });
      const found = (await answer.json()) as { polls?: unknown[] } | unknown[];
      if (answer.status !== 200) throw new Error(`${name} returned ${answer.status}.`);
      if ((Array.isArray(found) ? found : found.polls)?.length === 0)
        throw new Error(`${name}: nothing was found, so nothing was measured.`);
    };
    const one = { call: call.name, engine, ...(await timed(request, rounds)) };
    report(`${name.padEnd(52)} ${fixed(one.median, 2)} ms`);
    figures.push(one);
  }
  await expectCounted(engine, db, filled.votes + repetitions * (rounds + 1));
  return figures;
}

/** The medians of all rounds’ medians and p99. */
async function timed(work: (nth: number) => Promise<void>, rounds: number): Promise<Pick<Figures, 'median' | 'p99'>> {
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
  return { median: median(all.map(median)), p99: median(all.map(p99)) };
}

/** A row for each call, with the figures of each database side by side. */
function rowsOf(figures: readonly Figures[]): Row[] {
  const rows = new Map<string, Record<string, string>>();
  for (const { call, engine, median: ms, p99 } of figures)
    rows.set(call, {
      ...(rows.get(call) ?? { call }),
      [`${engine}: ms`]: fixed(ms, 2),
      [`${engine}: p99`]: fixed(p99, 2),
    });
  return [...rows.values()];
}

/** The calls whose cost could grow with the number of polls, votes, and members. */
function callsOf({ closed, community: communityPolls, hottest }: Filled): Call[] {
  const deep = Math.max(2, Math.floor(closed.length / 2 / limits.historicalPageSize));
  const archive = (name: string, query: Record<string, string | number>): Call => ({
    name: `archive, ${name}`,
    path: () => pathOf('historicalPolls', {}, query),
  });
  const community = (name: string, query: Record<string, string | number>): Call => ({
    name: `community polls${name}`,
    path: () => pathOf('communityPolls', {}, query),
  });
  /** A different closed weekly poll each time, spread over all of them. */
  const closedPoll = (nth: number) => closed[Math.floor(((nth * 0.618) % 1) * closed.length)]!;
  return [
    ...historicalSorts.map((sort) => archive(sort, { sort })),
    archive('newest, middle page', { page: deep }),
    ...['newest', 'least-voted'].map((sort) => archive(`category climate, ${sort}`, { category: 'climate', sort })),
    { name: 'a closed poll', path: (nth) => pathOf('poll', { id: closedPoll(nth) }) },
    { name: 'related polls', path: (nth) => pathOf('relatedPolls', { category: 'climate', id: closedPoll(nth) }) },
    { name: 'active polls', path: () => pathOf('activePolls') },
    { name: 'headline figures', path: () => pathOf('statistics') },
    community('', {}),
    community(' from the middle on', { offset: Math.floor(communityPolls / 2) }),
    community(' of Science', { category: 'Science' }),
    { name: 'featured community polls', path: () => pathOf('featuredCommunityPolls') },
    { name: 'profile of the most active member', path: () => pathOf('profile'), signedIn: true },
    { name: 'activities of the most active member', path: () => pathOf('activities'), signedIn: true },
    { name: 'badge tracker of the most active member', path: () => pathOf('badges'), signedIn: true },
    {
      name: 'one vote on the hottest poll',
      path: () => pathOf('vote', { id: hottest }),
      body: JSON.stringify({ optionId: 'option-1' }),
    },
  ];
}
