import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inBuilds } from '#api/publishing/builds.ts';
import { projectFolder } from '#api/publishing/source-digest.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import { hasWebServer, webServers } from '#deploy/web-servers.ts';
import type { Answers } from './load.ts';
import { makePolls } from './make-polls.ts';
import { workFolder } from './new-databases.ts';
import { fixed, median, roundLine, whole } from './report.ts';
import type { Row } from './report.ts';
import { cpuBetween, cpuTimes, startSite } from './server-process.ts';
import { hasWrk, runWrk } from './wrk.ts';

const connections = 64;
const reports = 200;

interface Candidate {
  readonly name: string;
  readonly origin: string;
  readonly pid: number;
}

interface Measured extends Answers {
  readonly candidate: Candidate;
  /** Microseconds of CPU time of the server per page. */
  readonly cpu: number;
}

interface PageBenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly report: (line: string) => void;
}

/** Measures report pages per second of the site service, and of nginx with the deployment kit’s settings. */
export async function benchPages(options: PageBenchOptions): Promise<Row[]> {
  if (!hasWrk) throw new Error('The load generator wrk is not installed: apt-get install wrk');
  const folder = await workFolder();
  const cleanUps: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const env = { DATA_DIR: folder, DATABASE_URL: `sqlite:${join(folder, 'bench.sqlite')}` };
    const db = openDatabase(env.DATABASE_URL);
    await migrate(db);
    const paths = (await makePolls(db, reports, 'closed')).map((id) => `/poll/${id}`);
    await db.destroy();
    options.report(`building a site with ${reports} reports`);
    await promisify(execFile)(process.execPath, [join(projectFolder, 'api/commands/build.ts')], {
      cwd: projectFolder,
      env: { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1', ...env },
    });
    const candidates = await setUp(folder, (cleanUp) => cleanUps.push(cleanUp));
    return rowsOf(candidates, await runRounds(candidates, paths, options));
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

async function setUp(folder: string, later: (cleanUp: () => Promise<void>) => void): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const processes of [1, 2]) {
    const site = await startSite({ DATA_DIR: folder, SITE_PROCESSES: String(processes) });
    later(() => site.stop());
    candidates.push({ ...site, name: `site service, ${processes === 1 ? 'one process' : `${processes} processes`}` });
  }
  if (!hasWebServer('nginx')) return candidates;
  // Every measured page is saved, so no service stands behind it.
  const behind = {
    folder: join(folder, 'nginx'),
    builds: inBuilds(folder),
    sitePort: 9,
    apiPorts: [9, 9],
  } as const;
  const nginx = await webServers.nginx.start(behind);
  later(() => nginx.stop());
  candidates.push({ name: 'nginx, one worker per core', origin: `http://127.0.0.1:${nginx.port}`, pid: nginx.pid });
  return candidates;
}

async function runRounds(
  candidates: readonly Candidate[],
  paths: readonly string[],
  { rounds, seconds, report }: PageBenchOptions,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (let round = 0; round <= rounds; round++) {
    for (const candidate of candidates) {
      const { origin, pid, name } = candidate;
      const before = await cpuTimes([pid]);
      const result = await runWrk({ origin, connections, paths, seconds: round === 0 ? 1 : seconds });
      const cpu = cpuBetween(before, await cpuTimes([pid])) / result.accepted;
      if (result.refused > 0) throw new Error(`${name}: ${result.refused} pages did not return 200`);
      // Round 0 is the warm-up.
      if (round === 0) continue;
      measured.push({ ...result, candidate, cpu });
      report(roundLine(round, rounds, name, result));
    }
  }
  return measured;
}

function rowsOf(candidates: readonly Candidate[], measured: readonly Measured[]): Row[] {
  const of = (candidate: Candidate | undefined, figure: 'perSecond' | 'p50' | 'p99' | 'cpu') =>
    median(measured.filter((one) => one.candidate === candidate).map((one) => one[figure]));
  const nginx = of(
    candidates.find(({ name }) => name.startsWith('nginx')),
    'perSecond',
  );
  return candidates.map((candidate) => ({
    pages: candidate.name,
    'pages/s': whole(of(candidate, 'perSecond')),
    'of nginx': fixed(of(candidate, 'perSecond') / nginx, 2),
    'CPU µs per page': fixed(of(candidate, 'cpu'), 1),
    'p50 ms': fixed(of(candidate, 'p50'), 1),
    'p99 ms': fixed(of(candidate, 'p99'), 1),
  }));
}
