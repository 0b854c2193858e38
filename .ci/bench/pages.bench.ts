import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inReleases } from '#api/publishing/store.ts';
import { freePort } from '#api/testing/postgres.setup.ts';
import { canMeasureMemory } from '#api/testing/resident-memory.ts';
import { releaseFiles } from '#contract/publishing.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import { runLoad } from './load.ts';
import type { Answers } from './load.ts';
import { makePolls } from './make-polls.ts';
import { workFolder } from './new-databases.ts';
import { median, roundLine } from './report.ts';
import type { Row } from './report.ts';
import { cpuTime, startSite } from './server-process.ts';
import { buildSite } from './site-build.ts';
import { hasWrk, runWrk } from './wrk.ts';

/** Whether nginx is installed. */
function hasNginx(): boolean {
  return spawnSync('nginx', ['-v']).status === 0;
}

/** Starts an nginx that serves a folder of finished pages with optimal settings. */
export async function startNginx(options: {
  readonly root: string;
  readonly folder: string;
  readonly workers: number | 'auto';
}): Promise<{ readonly origin: string; readonly pid: number; stop(): Promise<void> }> {
  const port = await freePort();
  const home = join(options.folder, `nginx-${port}`);
  await mkdir(home, { recursive: true });
  const config = join(home, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  await writeFile(
    config,
    `daemon off;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    worker_processes ${options.workers};
    pid ${join(home, 'pid')};
    error_log ${join(home, 'error.log')};
    events { worker_connections 1024; }
    http {
      types { text/html html; text/css css; text/javascript js; application/json json; image/svg+xml svg; }
      access_log off;
      sendfile on;
      tcp_nopush on;
      keepalive_requests 10000000;
      open_file_cache max=20000;
      gzip_static always;
      gunzip on;
      ${temporary.map((name) => `${name}_temp_path ${join(home, name)};`).join(' ')}
      server {
        listen 127.0.0.1:${port};
        root ${options.root};
        location ~ ^/poll/[^/.]+$ { rewrite ^ $uri.html break; }
      }
    }`,
  );
  const child = spawn('nginx', ['-c', config, '-p', home, '-e', join(home, 'error.log')], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(origin).then(
      () => true,
      () => false,
    );
  for (let n = 0; n < 50 && !(await answers()); n++) await wait(50);
  return {
    origin,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const connections = 64;
const reports = 200;

const counted = (processes: number) => (processes === 1 ? 'one process' : `${processes} processes`);

interface Candidate {
  readonly name: string;
  /** The value of Accept-Encoding: reports are stored with gzip only. */
  readonly encoding: 'gzip' | 'identity';
  readonly isSite: boolean;
  /** Measures one round. */
  readonly measure: (seconds: number) => Promise<Measured>;
}

interface Measured extends Answers {
  /** Microseconds of CPU time of the server per page. */
  readonly cpu: number;
}

interface PageBenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  report(line: string): void;
}

/** Measures report pages per second of the site service and of nginx on the same release. */
export async function benchPages(options: PageBenchOptions): Promise<Row[]> {
  const folder = await workFolder();
  const cleanUps: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const env = { DATA_DIR: folder, DATABASE_URL: `sqlite:${join(folder, 'bench.sqlite')}` };
    const db = openDatabase(env.DATABASE_URL);
    await migrate(db);
    const paths = (await makePolls(db, reports, 'closed')).map((id) => `/poll/${id}`);
    await db.destroy();
    options.report(`building a site with ${reports} reports`);
    await buildSite(env);
    options.report(
      hasWrk
        ? 'wrk generates the load'
        : 'wrk is not installed (apt-get install wrk), so the benchmark generates the load itself, which limits fast servers',
    );
    return await runRounds(await setUp(folder, paths, (cleanUp) => cleanUps.push(cleanUp)), options);
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

async function setUp(
  folder: string,
  paths: readonly string[],
  later: (cleanUp: () => Promise<void>) => void,
): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  const add = (
    isSite: boolean,
    server: { readonly origin: string; readonly pid: number; stop(): Promise<void> },
    nameOf: (encoding: Candidate['encoding']) => string,
  ) => {
    later(() => server.stop());
    for (const encoding of ['gzip', 'identity'] as const)
      candidates.push({ name: nameOf(encoding), encoding, isSite, measure: loaded(server, paths, encoding) });
  };
  for (const processes of [1, 2]) {
    const newSite = () => startSite({ DATA_DIR: folder, SITE_PROCESSES: String(processes) });
    add(true, await newSite(), (encoding) => `site service, ${encoding}, ${counted(processes)}`);
    candidates.push({
      name: `site service, gzip, ${counted(processes)}, first second after a start`,
      encoding: 'gzip',
      isSite: true,
      async measure() {
        const started = await newSite();
        try {
          return await loaded(started, paths, 'gzip')(1);
        } finally {
          await started.stop();
        }
      },
    });
  }
  if (!hasNginx()) return candidates;
  const root = inReleases(folder, releaseFiles.current, releaseFiles.client);
  for (const workers of ['auto', 1] as const)
    add(
      false,
      await startNginx({ root, folder, workers }),
      (encoding) => `nginx, ${encoding}, ${workers === 'auto' ? 'one worker per core' : 'one worker'}`,
    );
  return candidates;
}

/** Measures a server with wrk, or with our own generator, whose CPU time limits fast servers. */
function loaded(
  { origin, pid }: { readonly origin: string; readonly pid: number },
  paths: readonly string[],
  encoding: string,
): Candidate['measure'] {
  const load = { origin, connections, paths, encoding };
  let speed = 4_000;
  const run = async (seconds: number): Promise<Answers> => {
    if (hasWrk) return runWrk({ ...load, seconds });
    const amount = Math.ceil(speed * seconds);
    const result = await runLoad({ origin, connections, amount, what: { kind: 'pages', paths, encoding } });
    speed = result.perSecond;
    return result;
  };
  return async (seconds) => {
    const before = await cpuTime(pid);
    const result = await run(seconds);
    return { ...result, cpu: ((await cpuTime(pid)) - before) / result.accepted };
  };
}

async function runRounds(candidates: readonly Candidate[], options: PageBenchOptions): Promise<Row[]> {
  const { rounds, seconds } = options;
  const measured: (Measured & { readonly candidate: Candidate })[] = [];
  for (let round = 0; round <= rounds; round++) {
    for (const candidate of candidates) {
      const result = await candidate.measure(round === 0 ? 1 : seconds);
      if (result.refused > 0) throw new Error(`${candidate.name}: ${result.refused} pages did not return 200`);
      // Round 0 is the warm-up.
      if (round === 0) continue;
      measured.push({ ...result, candidate });
      options.report(roundLine(round, rounds, candidate.name, result));
    }
  }
  const of = (candidate: Candidate | undefined, figure: 'perSecond' | 'p50' | 'p99' | 'cpu') =>
    median(measured.filter((one) => one.candidate === candidate).map((one) => one[figure]));
  const best = (encoding: string) =>
    Math.max(
      ...candidates.filter((one) => !one.isSite && one.encoding === encoding).map((one) => of(one, 'perSecond')),
    );
  return candidates.map((candidate) => {
    const nginx = best(candidate.encoding);
    return {
      [`pages, load by ${hasWrk ? 'wrk' : 'the benchmark itself'}`]: candidate.name,
      'pages/s': Math.round(of(candidate, 'perSecond')).toLocaleString('en-US'),
      'of best nginx': nginx > 0 ? (of(candidate, 'perSecond') / nginx).toFixed(2) : '',
      'CPU µs per page': canMeasureMemory ? of(candidate, 'cpu').toFixed(1) : '',
      'p50 ms': of(candidate, 'p50').toFixed(1),
      'p99 ms': of(candidate, 'p99').toFixed(1),
    };
  });
}
