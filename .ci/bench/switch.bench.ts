import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { keptReleases, returnTo } from '#api/publishing/releases.ts';
import { residentMemory } from '#api/testing/resident-memory.ts';
import { publishTexts, publishTree, unguarded } from '#api/testing/test-releases.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import { runLoad, startLoad } from './load.ts';
import type { LoadResult } from './load.ts';
import { makePolls } from './make-polls.ts';
import { workFolder } from './new-databases.ts';
import { median } from './report.ts';
import type { Row } from './report.ts';
import { cpuTime, startServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';
import type { SiteFigures } from './site.server.ts';
import { benchTexts } from './texts.ts';

const texts = benchTexts.switch;
const voters = 8;
const readers = 4;
/** Reports that are read meanwhile: enough to need every part of the manifest again after a switch. */
const readReports = 20_000;
const switchEveryMs = 500;

interface SwitchBenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly reports: number;
  readonly report: (line: string) => void;
}

/** What happens while votes come in: releases that are served in turn. */
interface Situation {
  readonly name: string;
  readonly releases: readonly string[];
  readonly measured: Measured[];
  /** Milliseconds of CPU time of the site service per switch while nothing else is requested: a stall takes no more. */
  cpuMs: number;
}

interface Measured {
  /** From the replaced head to the new release in the site service, in milliseconds; NaN without switches. */
  readonly switched: number;
  readonly stall: number;
  readonly votes: LoadResult['of']['vote'];
  readonly bytes: number;
}

/**
 * Measures votes through the site service while the release is switched, against votes without a switch. The releases
 * are of short generated reports: what a switch costs depends on their number.
 */
export async function benchSwitch(options: SwitchBenchOptions): Promise<Row[]> {
  const { rounds, reports, report } = options;
  const folder = await workFolder();
  const cleanUps: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const url = `sqlite:${join(folder, 'bench.sqlite')}`;
    const db = openDatabase(url);
    await migrate(db);
    const polls = await makePolls(db, 20, 'open');
    await db.destroy();
    report(texts.making(reports));
    const situations = await makeReleases(folder, reports);
    const api = await startServer('./api.server.ts', { DATABASE_URL: url, DATA_DIR: join(folder, 'api') });
    cleanUps.push(() => api.stop());
    const site = await startServer('./site.server.ts', { DATA_DIR: folder, API_ORIGIN: api.origin });
    cleanUps.push(() => site.stop());
    const { now: atStart } = await residentMemory(site.pid);
    const start = { atStart, ...(await site.ask<SiteFigures>()) };
    for (const situation of situations) situation.cpuMs = await cpuPerSwitch(folder, situation.releases, site);
    let speed = 500;
    for (let round = 0; round <= rounds; round++)
      for (const situation of situations) {
        // Round 0 is the warm-up and determines the number of votes.
        const amount = Math.ceil(speed * (round === 0 ? 2 : options.seconds));
        const measured = await measure(folder, site, { polls, reports, amount }, situation);
        speed = measured.votes.perSecond;
        if (round === 0) continue;
        situation.measured.push(measured);
        report(texts.line({ round, rounds, name: situation.name, ...measured, p99: measured.votes.p99 }));
      }
    return rowsOf(situations, reports, start);
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

/** A release, one with a changed report, and one of another code build, in which every part of the manifest differs. */
async function makeReleases(folder: string, reports: number): Promise<Situation[]> {
  const site = (version: string) => {
    const pages: Record<string, string> = { '/': `The home page of ${version}.`, '/404': 'Lost.' };
    for (let n = 1; n <= reports; n++)
      pages[`/poll/closed-poll-${n}`] = `Report ${n} of ${version}. ${'Short. '.repeat(100)}`;
    return pages;
  };
  const other = await publishTree(folder, site('an older code build'), { code: 'older' });
  const first = await publishTree(folder, site('this code build'));
  const changed = await publishTexts(folder, { '/': 'Changed.', '/poll/closed-poll-1': 'Changed.' });
  const situation = (name: string, ...releases: string[]): Situation => ({ name, releases, measured: [], cpuMs: NaN });
  return [
    situation(texts.none),
    situation(texts.oneReport, first, changed),
    situation(texts.codeBuild, other, changed),
  ];
}

async function cpuPerSwitch(folder: string, releases: readonly string[], site: ServerProcess): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 10 && releases.length > 0; n++) {
    const before = await cpuTime(site.pid);
    await switchTo(folder, releases[n % releases.length]!, site);
    times.push(((await cpuTime(site.pid)) - before) / 1_000);
  }
  return median(times);
}

async function measure(
  folder: string,
  site: ServerProcess,
  load: { readonly polls: readonly string[]; readonly reports: number; readonly amount: number },
  { releases }: Situation,
): Promise<Measured> {
  const { origin } = site;
  const paths = Array.from({ length: readReports }, (_, n) => `/poll/closed-poll-${((n * 37) % load.reports) + 1}`);
  const pages = await startLoad({
    ...{ origin, connections: readers, amount: 500_000 },
    what: { kind: 'pages', paths, encoding: 'gzip' },
  });
  await site.ask<SiteFigures>();
  let isOver = false;
  const votes = runLoad({
    ...{ origin, connections: voters, amount: load.amount },
    what: { kind: 'votes', on: 'polls', polls: load.polls, options: ['option-1', 'option-2', 'option-3'] },
  }).finally(() => (isOver = true));
  const switched: number[] = [];
  for (let n = 0; !isOver; n++) {
    const id = releases[n % releases.length];
    if (id !== undefined) switched.push(await switchTo(folder, id, site));
    await Promise.race([wait(switchEveryMs), votes]);
  }
  const { of, refused } = await votes;
  pages.stop();
  const read = await pages.result;
  if (refused + read.refused > 0) throw new Error(texts.refused(refused + read.refused));
  const { stallMs } = await site.ask<SiteFigures>();
  const { now: bytes } = await residentMemory(site.pid);
  return { switched: median(switched), stall: stallMs, votes: of.vote, bytes };
}

/** Serves a release; returns the milliseconds until the site service served it. */
async function switchTo(folder: string, id: string, site: ServerProcess): Promise<number> {
  let replacedAt = NaN;
  const guard = {
    ...unguarded,
    finish: (work: () => void) =>
      unguarded.finish(() => {
        work();
        replacedAt = performance.timeOrigin + performance.now();
      }),
  };
  if ((await returnTo(folder, id, () => guard)) === null) throw new Error(texts.notKept(keptReleases(folder).length));
  for (;;) {
    const { release, switchedAt } = await site.ask<SiteFigures>({ keepStall: true });
    if (release === id) return Math.max(0, switchedAt - replacedAt);
    await wait(10);
  }
}

function rowsOf(
  situations: readonly Situation[],
  reports: number,
  { startMs, startCpuMs, atStart }: SiteFigures & { readonly atStart: number },
): Row[] {
  const { columns } = texts;
  const fixed = (figure: number) => (Number.isNaN(figure) ? '' : figure.toFixed(1));
  const row = (name: string, figures: readonly number[], ratio: string, bytes: number): Row => {
    const [ms, cpu, stall, p99] = figures.map(fixed) as [string, string, string, string];
    return {
      [columns.switches(reports)]: name,
      [columns.ms]: ms,
      [columns.cpu]: cpu,
      [columns.stall]: stall,
      [columns.p99]: p99,
      [columns.ofWithout]: ratio,
      [columns.memory]: Math.round(bytes / 1_000_000).toLocaleString('en-US'),
    };
  };
  const of = ({ measured }: Situation, figure: (one: Measured) => number) => median(measured.map(figure));
  const p99 = (situation: Situation) => of(situation, ({ votes }) => votes.p99);
  return [
    row(texts.start, [startMs, startCpuMs, NaN, NaN], '', atStart),
    ...situations.map((one) => {
      const figures = [of(one, ({ switched }) => switched), one.cpuMs, of(one, ({ stall }) => stall), p99(one)];
      const ratio = (p99(one) / p99(situations[0] ?? one)).toFixed(2);
      return row(
        one.name,
        figures,
        ratio,
        of(one, ({ bytes }) => bytes),
      );
    }),
  ];
}
