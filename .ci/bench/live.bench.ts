import { readFile, rm } from 'node:fs/promises';
import * as limits from '#contract/limits.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import { reconcile } from '#api/voting/reconcile.service.ts';
import { benchTexts } from './texts.ts';
import { openPages } from './live-load.ts';
import type { LiveResult } from './live-load.ts';
import { runLoad, startLoad } from './load.ts';
import { makePolls } from './make-polls.ts';
import { engines, newDatabases, workFolder } from './new-databases.ts';
import type { Engine } from './new-databases.ts';
import { median } from './report.ts';
import type { Row } from './report.ts';
import { startServer, startSite } from './server-process.ts';

const texts = benchTexts.live;
const voters = 64;
/** File descriptors of a service besides pages’ connections. */
const otherFiles = 300;

interface LiveBenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly only: string | null;
  /** The number of open pages and how long they poll, in seconds. */
  readonly pages: number;
  readonly pagesSeconds: number;
  readonly report: (line: string) => void;
}

/** One round: votes per second without and with the pages, and the pages’ result. */
interface Measured extends LiveResult {
  readonly without: number;
  readonly beside: number;
}

/** Measures open poll pages, each polling every 30 seconds, besides votes at full rate, through the site service. */
export async function benchLive(options: LiveBenchOptions): Promise<Row[]> {
  await checkOpenFiles(options);
  const folder = await workFolder();
  const cleanUps: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const later = (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp);
  try {
    const rows: Row[] = [];
    for (const engine of engines) {
      if (options.only !== null && engine !== options.only) continue;
      rows.push(await measureEngine(engine, folder, options, later));
    }
    return rows;
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

/** The limit of this process also applies to the services it starts. */
async function checkOpenFiles({ pages, report }: LiveBenchOptions): Promise<void> {
  const needed = pages + voters + otherFiles;
  const processLimits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const limit = /^Max open files +(\d+)/m.exec(processLimits)?.[1];
  if (limit !== undefined && Number(limit) < needed) throw new Error(texts.tooFewFiles(Number(limit), needed));
  report(texts.files(limit ?? '?', needed));
}

async function measureEngine(
  engine: Engine,
  folder: string,
  options: LiveBenchOptions,
  later: (cleanUp: () => Promise<void>) => void,
): Promise<Row> {
  const { rounds, seconds, pages, pagesSeconds } = options;
  const url = await (await newDatabases(engine, folder, later))();
  const db = openDatabase(url);
  later(() => db.destroy());
  await migrate(db);
  const polls = await makePolls(db, 20, 'open');
  const api = await startServer('./api.server.ts', { DATABASE_URL: url, DATA_DIR: folder });
  later(() => api.stop());
  const site = await startSite({ DATA_DIR: folder, API_ORIGIN: api.origin });
  later(() => site.stop());
  const { origin } = site;

  let accepted = 0;
  const votes = (amount: number) => ({
    origin,
    connections: voters,
    amount: Math.ceil(amount),
    what: { kind: 'votes', on: 'polls', polls, options: ['option-1', 'option-2', 'option-3'] } as const,
  });
  const measured: Measured[] = [];
  let speed = (await runLoad(votes(2_000))).perSecond;
  accepted += 2_000;
  for (let round = 1; round <= rounds; round++) {
    const without = await runLoad(votes(Math.max(200, speed * seconds)));
    speed = without.perSecond;
    const live = await openPages({
      origin,
      polls,
      pages,
      cycleMs: limits.pollRefetchMs,
      forMs: pagesSeconds * 1_000,
    });
    try {
      // More than can be accepted in that time; the rest is not sent.
      const running = await startLoad(votes(speed * pagesSeconds * 2));
      const result = await live.begin();
      running.stop();
      const beside = await running.result;
      accepted += without.accepted + beside.accepted;
      const one = { ...result, without: without.perSecond, beside: beside.perSecond };
      options.report(texts.line({ round, rounds, engine, ...one }));
      measured.push(one);
    } finally {
      live.close();
    }
    const { recordedVotes, wrongCounters } = await reconcile(db);
    if (recordedVotes !== accepted || wrongCounters.length > 0)
      throw new Error(benchTexts.mismatch({ name: engine, accepted, recordedVotes, wrongCounters }));
  }
  return rowOf(engine, options, measured);
}

function rowOf(engine: Engine, { pages, pagesSeconds }: LiveBenchOptions, measured: readonly Measured[]): Row {
  const of = (figure: (one: Measured) => number) => median(measured.map(figure));
  const late = Math.max(...measured.map(({ latest }) => latest));
  return {
    [texts.columns.engine(pages)]: engine,
    [texts.columns.due]: of(({ due }) => due / pagesSeconds).toFixed(1),
    [texts.columns.answered]: of(({ answered }) => answered / pagesSeconds).toFixed(1),
    [texts.columns.p50]: of(({ p50 }) => p50).toFixed(1),
    [texts.columns.p99]: of(({ p99 }) => p99).toFixed(1),
    [texts.columns.late]: ((limits.pollRefetchMs + late) / 1_000).toFixed(2),
    [texts.columns.without]: Math.round(of(({ without }) => without)).toLocaleString('en-US'),
    [texts.columns.beside]: Math.round(of(({ beside }) => beside)).toLocaleString('en-US'),
    [texts.columns.ratio]: of(({ without, beside }) => beside / without).toFixed(2),
  };
}
