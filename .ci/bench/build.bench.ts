import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate, openDatabase } from '#platform/database.ts';
import { benchTexts } from './texts.ts';
import { makePolls } from './make-polls.ts';
import { withBar, median } from './report.ts';
import type { Row } from './report.ts';
import { buildSite } from './site-build.ts';
import { workFolder } from './new-databases.ts';

const texts = benchTexts.build;
/** Sites with more closed polls take many minutes and are built in a single round. */
const mostRepeated = 10_000;

interface BuildBenchOptions {
  readonly rounds: number;
  /** Numbers of closed polls. */
  readonly sizes: readonly number[];
  readonly report: (line: string) => void;
}

/** The first build of a site and the rebuild after one changed poll, in seconds and megabytes. */
interface Builds {
  readonly whole: number;
  readonly again: number;
  /** The higher peak memory of both; null if it can’t be measured. */
  readonly megabytes: number | null;
}

/** Measures sites of several sizes, each round of each size in a new data folder. */
export async function benchBuild({ rounds, sizes, report }: BuildBenchOptions): Promise<Row[]> {
  const measured = sizes.map((): Builds[] => []);
  const roundsOf = (polls: number) => (polls > mostRepeated ? 1 : rounds);
  for (let round = 1; round <= rounds; round++)
    for (const [place, polls] of sizes.entries()) {
      if (round > roundsOf(polls)) continue;
      const builds = await buildTwice(polls, report);
      report(texts.line({ round, rounds: roundsOf(polls), polls, ...builds }));
      measured[place]?.push(builds);
    }
  return sizes.map((polls, place) => rowOf(polls, measured[place] ?? []));
}

async function buildTwice(polls: number, report: (line: string) => void): Promise<Builds> {
  const folder = await workFolder();
  const env = { DATA_DIR: folder, DATABASE_URL: `sqlite:${join(folder, 'bench.sqlite')}` };
  try {
    const db = openDatabase(env.DATABASE_URL);
    await migrate(db);
    const [first = ''] = await withBar(texts.making, polls, (show) => makePolls(db, polls, 'closed', show));
    await makePolls(db, 3, 'open');
    report(texts.building(polls));
    const whole = await buildSite(env);
    await db('polls').where('id', first).update({ summary: 'A new summary.', updated_at: Date.now() });
    await db.destroy();
    const again = await buildSite(env);
    const peaks = [whole.peak, again.peak].filter((peak) => peak !== null);
    const megabytes = peaks.length === 0 ? null : Math.round(Math.max(...peaks) / 1_000_000);
    return { whole: whole.seconds, again: again.seconds, megabytes };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function rowOf(polls: number, builds: readonly Builds[]): Row {
  const peaks = builds.map(({ megabytes }) => megabytes).filter((peak) => peak !== null);
  return {
    [texts.columns.polls]: polls.toLocaleString('en-US'),
    [texts.columns.rounds]: String(builds.length),
    [texts.columns.whole]: median(builds.map(({ whole }) => whole)).toFixed(1),
    [texts.columns.again]: median(builds.map(({ again }) => again)).toFixed(1),
    [texts.columns.memory]: peaks.length === 0 ? '' : Math.max(...peaks).toLocaleString('en-US'),
  };
}
