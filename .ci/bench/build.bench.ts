import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { editPoll } from '#api/polls/managing.service.ts';
import { nextTransition } from '#api/polls/lifecycle/lifecycle.service.ts';
import { startWork } from '#api/testing/background.ts';
import { beginAudit, recordAudit } from '#api/publishing/audit.service.ts';
import { countChanges } from '#api/publishing/changes.service.ts';
import { ensureCodeBuild } from '#api/publishing/code-build.ts';
import { startPublisher } from '#api/publishing/publisher.service.ts';
import { inBuilds } from '#api/publishing/builds.ts';
import { projectFolder } from '#api/publishing/source-digest.ts';
import { systemClock as clock } from '#platform/clock.ts';
import { compileCache, readConfig } from '#platform/config.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { makePolls } from './make-polls.ts';
import { workFolder } from './new-databases.ts';
import { fixed, median, whole } from './report.ts';
import type { Row } from './report.ts';
import { cpuBetween, cpuTimes, descendants, watchMemory } from './server-process.ts';

/** Sites with more closed polls take many minutes and are published in a single round. */
const mostRepeated = 10_000;
/** Publishes before those that are measured: the renderer’s code has to be compiled. */
const warmUps = 8;
const edits = 20;
const closings = 10;
/** Milliseconds from the end of one poll to that of the next. */
const closingEveryMs = 3_000;

interface BuildBenchOptions {
  readonly rounds: number;
  /** Numbers of closed polls. */
  readonly sizes: readonly number[];
  readonly report: (line: string) => void;
}

/** Milliseconds of one publish: of CPU time of all processes, and from the commit, or a poll’s end, to the served page. */
interface Cost {
  readonly cpu: number;
  readonly wall: number;
}

interface Measured {
  /** Seconds. */
  readonly code: number;
  readonly first: number;
  /** Seconds of CPU time of all processes. */
  readonly firstCpu: number;
  readonly edit: Cost;
  readonly closing: Cost;
  /** Peaks of all processes in bytes. */
  readonly codeMemory: number;
  readonly memory: number;
  /** Bytes on disk of all pages with their code build. */
  readonly disk: number;
}

/** Measures sites of several sizes, each round of each size in a new data folder. */
export async function benchBuild({ rounds, sizes, report }: BuildBenchOptions): Promise<Row[]> {
  const measured = sizes.map((): Measured[] => []);
  const roundsOf = (polls: number) => (polls > mostRepeated ? 1 : rounds);
  for (let round = 1; round <= rounds; round++)
    for (const [place, polls] of sizes.entries()) {
      if (round > roundsOf(polls)) continue;
      const one = await measure(polls, report);
      report(
        `round ${round}/${roundsOf(polls)}  ${polls} closed polls: ${one.first.toFixed(1)} s, one edit ${one.edit.wall.toFixed(0)} ms`,
      );
      measured[place]?.push(one);
    }
  return rowsOf(sizes, measured);
}

async function measure(polls: number, report: (line: string) => void): Promise<Measured> {
  const folder = await workFolder();
  const env = {
    ...{ DATA_DIR: folder, NODE_COMPILE_CACHE: compileCache(folder) },
    DATABASE_URL: `sqlite:${join(folder, 'bench.sqlite')}`,
  };
  const config = readConfig({ ...process.env, ...env });
  Object.assign(process.env, env, { NODE_ENV: 'production' });
  const db = openDatabase(config.databaseUrl);
  const cleanUps: (() => Promise<void> | void)[] = [
    () => rm(folder, { recursive: true, force: true }),
    () => db.destroy(),
  ];
  try {
    // As npm start does.
    await promisify(execFile)(process.execPath, [join(projectFolder, 'api/commands/compile.ts')]);
    await migrate(db);
    const ids = await makePolls(db, polls, 'closed');
    const open = await makePolls(db, closings + 1, 'open');
    // The audit would begin when everything is published, and count.
    await recordAudit(db, await beginAudit(db, clock.now()), { pages: 0, missed: [], finishedAt: clock.now() });
    report(`publishing a site with ${polls} closed polls, then single changes`);
    const code = await timed(() => ensureCodeBuild({ config, siteKey: Buffer.alloc(32).toString('base64') }));
    const site = startSite(db, config);
    cleanUps.push(() => site.stop());
    const first = await timed(() => site.idle());
    const firstCpu = site.cpuUntilIdle();
    const disk = await diskUse(inBuilds(folder));
    // Not among the newest: an edit of one of those changes the archive and the feeds, too.
    const edited = ids.slice(-Math.ceil(ids.length / 2));
    const edit = (place: number) => site.published(() => editOne(db, edited[place % edited.length]!, place));
    for (let n = 0; n < warmUps; n++) await edit(n);
    const editCosts: Cost[] = [];
    for (let n = 0; n < edits; n++) editCosts.push(await edit(warmUps + n));
    const closingCosts = await closeOneByOne(db, open, site);
    return {
      ...{ code: code.seconds, codeMemory: code.memory, first: first.seconds, firstCpu },
      ...{ memory: first.memory, edit: costOf(editCosts), closing: costOf(closingCosts), disk },
    };
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

/** Seconds, and the peak memory of all processes that are started meanwhile. */
async function timed(work: () => Promise<unknown>): Promise<{ seconds: number; memory: number }> {
  const memory = watchMemory(process.pid);
  const started = performance.now();
  try {
    await work();
    return { seconds: (performance.now() - started) / 1_000, memory: memory.stop() };
  } finally {
    memory.stop();
  }
}

/** The publisher as the API service runs it. */
function startSite(db: Database, config: ReturnType<typeof readConfig>) {
  let publishedAt = NaN;
  let failure: unknown;
  const log = Object.assign(Object.create(silentLogger) as typeof silentLogger, {
    info: () => (publishedAt = Date.now()),
    error: (facts: unknown) => (failure = facts),
  });
  const publisher = startPublisher({ db, clock, config, log, nextTransition });
  const times = async () => cpuTimes((await descendants(process.pid)).slice(0, 1));
  let cpuUntilIdle = 0;
  const idle = async () => {
    while (Number.isNaN(publishedAt) || (await countChanges(db)) > 0) {
      if (failure !== undefined) throw new Error(JSON.stringify(failure));
      await wait(100);
      // What a process has taken is not known after its end.
      cpuUntilIdle = Math.max(cpuUntilIdle, cpuBetween(new Map(), await times()) || 0);
    }
  };
  return {
    /** Waits until everything is published. */
    idle,
    /** Seconds of CPU time that its processes have taken until everything was published. */
    cpuUntilIdle: () => cpuUntilIdle / 1e6,
    /** What publishing a change costs; `change` returns from when it counts, in milliseconds of the epoch. */
    async published(change: () => Promise<number>): Promise<Cost> {
      await idle();
      // The end of an earlier publish is not a part of this one.
      await wait(300);
      publishedAt = NaN;
      const before = await times();
      const from = await change();
      while (Number.isNaN(publishedAt)) {
        if (failure !== undefined) throw new Error(JSON.stringify(failure));
        await wait(1);
      }
      return { cpu: cpuBetween(before, await times()) / 1_000, wall: publishedAt - from };
    },
    stop: () => publisher.stop(),
  };
}

async function editOne(db: Database, id: string, number: number): Promise<number> {
  await editPoll({ db, clock }, id, { summary: `A new summary, number ${number}.` });
  return Date.now();
}

/** Polls that end one after the other, closed by the same timer as in the API service. */
async function closeOneByOne(db: Database, ids: readonly string[], site: ReturnType<typeof startSite>) {
  const from = Date.now() + closingEveryMs;
  for (const [n, id] of ids.entries())
    await db('ballots')
      .where({ id })
      .update({ ends_at: from + n * closingEveryMs });
  const lifecycle = await startWork({ db, clock }, 'open-and-close');
  try {
    const costs: Cost[] = [];
    for (const n of ids.keys()) {
      const endsAt = from + n * closingEveryMs;
      await site.idle();
      // On a busy machine it may end before its publish can be told from the previous one.
      if (Date.now() > endsAt - 1_000) continue;
      costs.push(
        await site.published(async () => {
          await wait(Math.max(0, endsAt - Date.now()));
          return endsAt;
        }),
      );
    }
    // The first also shows that polls have opened, which the start of a service records.
    return costs.slice(1);
  } finally {
    await lifecycle.stop();
  }
}

const costOf = (costs: readonly Cost[]): Cost => ({
  cpu: median(costs.map(({ cpu }) => cpu)),
  wall: median(costs.map(({ wall }) => wall)),
});

/** Bytes that a folder takes on disk, each file once. */
async function diskUse(folder: string): Promise<number> {
  const { stdout } = await promisify(execFile)('du', ['-s', '--block-size=1', folder]);
  return parseInt(stdout, 10);
}

function rowsOf(sizes: readonly number[], measured: readonly (readonly Measured[])[]): Row[] {
  const row = (name: string, show: (figure: number) => string, figure: (one: Measured) => number): Row => ({
    publish: name,
    ...Object.fromEntries(
      sizes.map((polls, place) => [`${whole(polls)} polls`, show(median(measured[place]!.map(figure)))]),
    ),
  });
  const tenths = (figure: number) => fixed(figure, 1);
  return [
    row('code build, s', tenths, ({ code }) => code),
    row('code build, peak memory, MB', whole, ({ codeMemory }) => codeMemory / 1e6),
    row('first publish, s', tenths, ({ first }) => first),
    row('first publish, CPU s', tenths, ({ firstCpu }) => firstCpu),
    row('first publish, peak memory, MB', whole, ({ memory }) => memory / 1e6),
    row('pages with their code build, MB on disk', whole, ({ disk }) => disk / 1e6),
    row('one edited closed poll, CPU ms', whole, ({ edit }) => edit.cpu),
    row('one edited closed poll, ms', whole, ({ edit }) => edit.wall),
    row('one closing poll with lists and feeds, CPU ms', whole, ({ closing }) => closing.cpu),
    row('one closing poll, ms from its end to the report', whole, ({ closing }) => closing.wall),
  ];
}
