import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ImportResult } from '#contract/poll-import.ts';
import { pathOf } from '#contract/routes.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { readConfig } from '#platform/config.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import { countChanges } from '#api/publishing/changes.service.ts';
import { ensureCodeBuild } from '#api/publishing/code-build.ts';
import { projectFolder } from '#api/publishing/source-digest.ts';
import { largestFile } from '#api/testing/large-file.ts';
import { freePort } from '#api/testing/postgres.setup.ts';
import { benchTexts } from './texts.ts';
import { makePolls } from './make-polls.ts';
import { workFolder } from './new-databases.ts';
import { withBar } from './report.ts';
import type { Report, Row } from './report.ts';
import { benchPassword, descendants } from './server-process.ts';
import { watchMemory } from './site-build.ts';

const texts = benchTexts.memory;
/** What all processes together may use, in bytes, files that the kernel keeps for them included. */
const limit = 700_000_000;
/** Milliseconds between samples. */
const between = 100;
/** Pages read after the first publish. */
const reads = 500;

/** The files of control groups, in version 2 and in version 1. */
const versions = [
  {
    ...{ root: '/sys/fs/cgroup', proof: 'cgroup.controllers', limit: 'memory.max', peak: 'memory.peak' },
    ...{ anonymous: /^anon (\d+)/m, events: 'memory.events' },
  },
  {
    ...{ root: '/sys/fs/cgroup/memory', proof: 'memory.limit_in_bytes', limit: 'memory.limit_in_bytes' },
    ...{ peak: 'memory.max_usage_in_bytes', anonymous: /^total_rss (\d+)/m, events: 'memory.oom_control' },
  },
];

interface MemoryGroup {
  readonly folder: string;
  /** Bytes in use now, without files that the kernel could drop. */
  anonymous(): Promise<number>;
  /** The most bytes in use so far, files included. */
  peak(): Promise<number>;
  /** Processes that the kernel has ended because the limit was reached. */
  killed(): Promise<number>;
  remove(): Promise<void>;
}

/** Creates a control group with the limit; throws where this user can’t. */
async function newGroup(): Promise<MemoryGroup> {
  const version = versions.find(({ root, proof }) => existsSync(join(root, proof)));
  if (!version) throw new Error(texts.noGroup);
  const folder = join(version.root, `weathervane-${process.pid}`);
  try {
    // Version 2 counts in a group only what its parent passes on.
    if (version.proof === 'cgroup.controllers')
      await writeFile(join(version.root, 'cgroup.subtree_control'), '+memory').catch(() => undefined);
    await mkdir(folder);
    await writeFile(join(folder, version.limit), String(limit));
  } catch (error) {
    throw new Error(texts.noGroup, { cause: error });
  }
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const figure = async (name: string, pattern: RegExp) => Number(pattern.exec(await read(name))?.[1] ?? NaN);
  return {
    folder,
    anonymous: () => figure('memory.stat', version.anonymous),
    peak: () => figure(version.peak, /(\d+)/),
    killed: () => figure(version.events, /^oom_kill (\d+)/m),
    remove: () => rmdir(folder),
  };
}

/** Starts a command of the product in the group. */
function startIn(group: MemoryGroup, command: string, env: Readonly<Record<string, string>>): ChildProcess {
  const entering = 'echo $$ > "$1/cgroup.procs" && shift && exec "$@"';
  const program = [process.execPath, `api/commands/${command}.ts`];
  return spawn('sh', ['-c', entering, 'sh', group.folder, ...program], {
    cwd: projectFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1', ...env },
  });
}

interface MemoryBenchOptions {
  /** Closed polls. */
  readonly polls: number;
  readonly report: (line: string) => void;
}

/**
 * Runs the whole product on SQLite within the limit: the first publish, readers, an import of 50,000 rows, and its publish. Throws if a process is ended for its memory.
 */
export async function benchMemory({ polls, report }: MemoryBenchOptions): Promise<Report> {
  const folder = await workFolder();
  const group = await newGroup();
  const cleanUps: (() => Promise<unknown>)[] = [
    () => rm(folder, { recursive: true, force: true }),
    () => group.remove(),
  ];
  try {
    const url = `sqlite:${join(folder, 'bench.sqlite')}`;
    const ports = { PORT: String(await freePort()), API_PORT: String(await freePort()) };
    const env = {
      ...{ DATA_DIR: folder, DATABASE_URL: url, DEMO_DATA: 'off', RATE_LIMIT: 'off' },
      ...{ ADMIN_PASSWORD: benchPassword, PUBLIC_URL: `http://127.0.0.1:${ports.PORT}`, ...ports },
    };
    const db = openDatabase(url);
    cleanUps.push(() => db.destroy());
    await migrate(db);
    const ids = await withBar(texts.making, polls, (show) => makePolls(db, polls, 'closed', show));
    await makePolls(db, 10, 'open');

    // Before, as in an image: Vite alone takes up to 700 MB.
    const config = readConfig({ ...process.env, ...env });
    await ensureCodeBuild({ config, siteKey: Buffer.alloc(32).toString('base64') });

    const origin = env.PUBLIC_URL;
    const product = startIn(group, 'start', env);
    cleanUps.push(() => stop(product));
    const rows: Row[] = [];
    const phase = async (name: string, work: () => Promise<void>) => {
      const { row, done } = measured(group, product, name, work);
      // Also where a process was ended.
      await done.finally(() => report(texts.line(row())));
      rows.push(row());
    };
    await phase(texts.phases.first(polls), () => until(product, () => isReady(origin)));
    await phase(texts.phases.reading(reads), () => readPages(origin, ids));
    await phase(texts.phases.import, () => upload(origin));
    await phase(texts.phases.publish, () => until(product, async () => (await countChanges(db)) === 0));
    const killed = await group.killed();
    if (killed > 0) throw new Error(texts.killed(killed));
    return [...rows, texts.total(limit, await group.peak())];
  } catch (error) {
    const killed = await group.killed();
    throw killed > 0 ? new Error(texts.killed(killed), { cause: error }) : error;
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

/** Megabytes of anonymous memory of each process of the product, the largest first. */
async function byProcess(pid: number): Promise<string> {
  const figures = await Promise.all(
    [pid, ...(await descendants(pid))].map(async (one) => {
      const read = (name: string) => readFile(`/proc/${one}/${name}`, 'utf8').catch(() => '');
      const script = (await read('cmdline')).split('\0').find((word) => word.endsWith('.ts')) ?? '';
      const kilobytes = Number(/^RssAnon:\s+(\d+)/m.exec(await read('status'))?.[1] ?? 0);
      return [basename(script, '.ts'), Math.round((kilobytes * 1_024) / 1e6)] as const;
    }),
  );
  const sorted = figures.filter(([, megabytes]) => megabytes > 0).sort((a, b) => b[1] - a[1]);
  return sorted.map(([script, megabytes]) => `${script} ${megabytes}`).join(', ');
}

function measured(group: MemoryGroup, product: ChildProcess, name: string, work: () => Promise<void>) {
  const all = watchMemory(product.pid ?? 0);
  let anonymous = 0;
  let processes = '';
  let resident: number | null = null;
  let isDone = false;
  const sampling = (async () => {
    while (!isDone) {
      const now = await group.anonymous();
      if (now > anonymous) {
        anonymous = now;
        processes = await byProcess(product.pid ?? 0);
      }
      await wait(between);
    }
  })();
  const started = performance.now();
  let seconds = 0;
  const done = work().finally(async () => {
    seconds = (performance.now() - started) / 1_000;
    isDone = true;
    await sampling;
    resident = all.stop();
  });
  const megabytes = (bytes: number | null) => (bytes === null ? '' : Math.round(bytes / 1e6).toLocaleString('en-US'));
  const row = () => ({
    [texts.columns.phase]: name,
    [texts.columns.seconds]: seconds.toFixed(0),
    [texts.columns.anonymous]: megabytes(anonymous),
    [texts.columns.resident]: megabytes(resident),
    [texts.columns.processes]: processes,
  });
  return { row, done };
}

/** Waits until a condition holds; throws if the product ends first. */
async function until(product: ChildProcess, holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    if (product.exitCode !== null || product.signalCode !== null) throw new Error(texts.ended);
    await wait(250);
  }
}

async function isReady(origin: string): Promise<boolean> {
  const responds = (path: string) =>
    fetch(origin + path).then(
      ({ ok }) => ok,
      () => false,
    );
  return (await responds('/')) && (await responds('/api/health'));
}

/** Reads reports, lists, and results like visitors, eight at a time. */
async function readPages(origin: string, ids: readonly string[]): Promise<void> {
  const paths = Array.from({ length: reads }, (_, n) => {
    const id = ids[(n * 37) % ids.length]!;
    return [`/poll/${id}`, `/historical?page=${n + 1}`, `/api/polls/${id}`, `/poll/${id}.png`, `/search?q=street`][
      n % 5
    ]!;
  });
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
        const answer = await fetch(origin + path);
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(texts.refused(path, answer.status));
      }
    }),
  );
}

/** Uploads the largest file that an import accepts, as the operator’s page does. */
async function upload(origin: string): Promise<void> {
  const body = new FormData();
  body.set('csvFile', new File([new Uint8Array(largestFile())], 'polls.csv'));
  const headers = { [adminPasswordHeader]: benchPassword };
  const answer = await fetch(origin + pathOf('bulkUpload'), { method: 'POST', headers, body });
  const result = (await answer.json()) as ImportResult;
  if (answer.status !== 200 || result.rejected > 0) throw new Error(texts.refused('', answer.status));
}

async function stop(product: ChildProcess): Promise<void> {
  if (product.exitCode !== null || product.signalCode !== null) return;
  const ended = once(product, 'exit');
  product.kill('SIGTERM');
  await ended;
}
