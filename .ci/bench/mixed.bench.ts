import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as limits from '#contract/limits.ts';
import { pathOf } from '#contract/routes.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import { reconcile } from '#api/voting/reconcile.service.ts';
import { benchTexts } from './texts.ts';
import { runLoad } from './load.ts';
import type { LoadResult, Mixed, Sent } from './load.ts';
import { makePolls } from './make-polls.ts';
import { engines, newDatabases, workFolder } from './new-databases.ts';
import type { Engine } from './new-databases.ts';
import { median } from './report.ts';
import type { Row } from './report.ts';
import { startServer, startSite } from './server-process.ts';
import { buildSite } from './site-build.ts';

const connections = 64;
const reports = 200;
const open = 20;
const texts = benchTexts.mixed;

interface MixedBenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly only: string | null;
  readonly report: (line: string) => void;
}

/** The site service in front of an API on one engine, with its results. */
interface Target {
  readonly engine: Engine;
  readonly url: string;
  readonly origin: string;
  /** Requests per second in the last measurement, for pages alone and for the mix. */
  readonly speeds: { alone: number; mixed: number };
  readonly measured: { alone: LoadResult; mixed: LoadResult }[];
  accepted: number;
}

/** Measures pages, reads, and votes together through the site service, compared with pages alone. */
export async function benchMixed(options: MixedBenchOptions): Promise<Row[]> {
  const folder = await workFolder();
  const cleanUps: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const later = (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp);
  try {
    const { what, targets } = await setUp(folder, options, later);
    for (let round = 0; round <= options.rounds; round++)
      for (const target of targets) {
        // Round 0 is the warm-up and determines the number of requests.
        const seconds = round === 0 ? 1 : options.seconds;
        const alone = await measure(target, what.page, target.speeds.alone * seconds);
        const mixed = await measure(target, what, target.speeds.mixed * seconds);
        Object.assign(target.speeds, { alone: alone.perSecond, mixed: mixed.perSecond });
        if (round === 0) continue;
        target.measured.push({ alone, mixed });
        options.report(
          texts.line({
            round,
            rounds: options.rounds,
            engine: target.engine,
            alone: alone.perSecond,
            mixed: mixed.perSecond,
          }),
        );
      }
    return targets.flatMap(rowsOf);
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

/** One release, and a database with its polls on each engine. */
async function setUp(
  folder: string,
  { only, report }: MixedBenchOptions,
  later: (cleanUp: () => Promise<void>) => void,
): Promise<{ what: Mixed; targets: Target[] }> {
  const targets: Target[] = [];
  let what: Mixed | undefined;
  for (const engine of engines) {
    if (only !== null && engine !== only) continue;
    const url = await (await newDatabases(engine, folder, later))();
    const db = openDatabase(url);
    await migrate(db);
    const closed = await makePolls(db, reports, 'closed');
    const polls = await makePolls(db, open, 'open');
    await db.destroy();
    if (!what) {
      report(benchTexts.buildingSite(reports));
      await buildSite({ DATA_DIR: folder, DATABASE_URL: url });
      what = mixOf(closed, polls);
    }
    const api = await startServer('./api.server.ts', { DATABASE_URL: url, DATA_DIR: join(folder, 'api') });
    later(() => api.stop());
    const site = await startSite({ DATA_DIR: folder, API_ORIGIN: api.origin });
    later(() => site.stop());
    targets.push({
      engine,
      url,
      origin: site.origin,
      speeds: { alone: 2_000, mixed: 1_000 },
      measured: [],
      accepted: 0,
    });
  }
  if (!what) throw new Error(benchTexts.nothing(only ?? ''));
  return { what, targets };
}

/** The pages that readers open (reports, first pages, open polls) and their API reads. */
function mixOf(closed: readonly string[], polls: readonly string[]): Mixed {
  const page = { kind: 'pages', encoding: 'gzip' } as const;
  const reads = [
    [pathOf('activePolls')],
    [pathOf('statistics')],
    polls.map((id) => pathOf('poll', { id })),
    closed.slice(0, open).map((id) => pathOf('relatedPolls', { category: 'climate', id })),
    [1, 2, 3].map((number) => pathOf('historicalPolls', {}, { page: number, limit: limits.historicalPageSize })),
  ];
  return {
    kind: 'mixed',
    page: { ...page, paths: ['/', '/historical', ...[...closed, ...polls].map((id) => `/poll/${id}`)] },
    // Alternating, so that all five calls are equally frequent.
    read: { ...page, paths: polls.flatMap((_, n) => reads.map((paths) => paths[n % paths.length] ?? '')) },
    vote: { kind: 'votes', on: 'polls', polls, options: ['option-1', 'option-2', 'option-3'] },
  };
}

async function measure(target: Target, what: Mixed | Mixed['page'], amount: number): Promise<LoadResult> {
  const load = { origin: target.origin, connections, amount: Math.max(500, Math.ceil(amount)), what };
  const result = await runLoad(load);
  if (result.refused > 0) throw new Error(texts.refused(target.engine, result.refused));
  if (what.kind === 'pages') return result;
  target.accepted += result.of.vote.accepted;
  const db = openDatabase(target.url);
  try {
    const { recordedVotes, wrongCounters } = await reconcile(db);
    if (recordedVotes !== target.accepted || wrongCounters.length > 0)
      throw new Error(
        benchTexts.mismatch({ name: target.engine, accepted: target.accepted, recordedVotes, wrongCounters }),
      );
  } finally {
    await db.destroy();
  }
  return result;
}

function rowsOf({ engine, measured }: Target): Row[] {
  const of = (figure: (one: Target['measured'][number]) => number) => median(measured.map(figure));
  const ratio = of(({ alone, mixed }) => mixed.perSecond / alone.perSecond);
  const row = (name: string, all: boolean, answers: (one: Target['measured'][number]) => LoadResult['of'][Sent]) => ({
    [texts.columns.requests]: `${engine}: ${name}`,
    [texts.columns.perSecond]: Math.round(of((one) => answers(one).perSecond)).toLocaleString('en-US'),
    [texts.columns.ratio]: all ? ratio.toFixed(2) : '',
    [texts.columns.p50]: of((one) => answers(one).p50).toFixed(1),
    [texts.columns.p99]: of((one) => answers(one).p99).toFixed(1),
  });
  return [
    row(texts.alone, false, ({ alone }) => alone),
    row(texts.all, true, ({ mixed }) => mixed),
    row(texts.page, false, ({ mixed }) => mixed.of.page),
    row(texts.read, false, ({ mixed }) => mixed.of.read),
    row(texts.vote, false, ({ mixed }) => mixed.of.vote),
  ];
}
