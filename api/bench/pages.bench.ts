import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseFiles } from '#contract/release.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import { currentReleaseId, releaseFolder } from '#api/publishing/releases.ts';
import { benchTexts } from '#texts/bench.ts';
import { runLoad } from './load.ts';
import type { LoadResult } from './load.ts';
import { makePolls } from './make-polls.ts';
import { hasNginx, startNginx } from './nginx.ts';
import { median } from './report.ts';
import type { Row } from './report.ts';
import { startServer } from './server-process.ts';
import { buildSite } from './site-build.ts';
import { workFolder } from './work-folder.ts';

const connections = 64;
const reports = 200;

interface Candidate {
  readonly name: string;
  readonly origin: string;
  /** What the reader's browser says it can decode. */
  readonly encoding: 'gzip' | 'br' | 'identity';
  readonly isSite: boolean;
}

interface PageBenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  report(line: string): void;
}

/** Measures report pages per second of the site service beside nginx on the same release. */
export async function benchPages(options: PageBenchOptions): Promise<Row[]> {
  const folder = await workFolder();
  const cleanUps: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const env = { DATA_DIR: folder, DATABASE_URL: `sqlite:${join(folder, 'bench.sqlite')}` };
    const db = openDatabase(env.DATABASE_URL);
    await migrate(db);
    const paths = (await makePolls(db, reports, 'closed')).map((id) => `/poll/${id}`);
    await db.destroy();
    options.report(benchTexts.buildingSite(reports));
    await buildSite(env);
    const candidates = await setUp(folder, (cleanUp) => cleanUps.push(cleanUp));
    return await runRounds(candidates, paths, options);
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

async function setUp(folder: string, later: (cleanUp: () => Promise<void>) => void): Promise<Candidate[]> {
  const site = await startServer('./site.server.ts', { DATA_DIR: folder });
  later(() => site.stop());
  const candidates: Candidate[] = (['gzip', 'br', 'identity'] as const).map((encoding) => ({
    name: benchTexts.site(encoding),
    origin: site.origin,
    encoding,
    isSite: true,
  }));
  if (!hasNginx()) return candidates;
  const root = join(releaseFolder(folder, (await currentReleaseId(folder)) ?? ''), releaseFiles.client);
  for (const encoding of ['gzip', 'identity'] as const) {
    for (const workers of ['auto', 1] as const) {
      const nginx = await startNginx({ root, folder, workers, precompressed: encoding === 'gzip' });
      later(() => nginx.stop());
      candidates.push({ name: benchTexts.nginx(encoding, workers), origin: nginx.origin, encoding, isSite: false });
    }
  }
  return candidates;
}

async function runRounds(
  candidates: readonly Candidate[],
  paths: readonly string[],
  options: PageBenchOptions,
): Promise<Row[]> {
  const { rounds, seconds } = options;
  const measured: (LoadResult & { readonly candidate: Candidate })[] = [];
  const speeds = new Map<Candidate, number>();
  for (let round = 0; round <= rounds; round++) {
    for (const candidate of candidates) {
      const { name, origin, encoding } = candidate;
      const amount = Math.ceil((speeds.get(candidate) ?? 4_000) * (round === 0 ? 1 : seconds));
      const result = await runLoad({ origin, connections, amount, what: { kind: 'pages', paths, encoding } });
      if (result.refused > 0) throw new Error(benchTexts.pagesMissing(name, result.refused));
      speeds.set(candidate, result.perSecond);
      // Round 0 warms everything up and says how many pages fill the time.
      if (round === 0) continue;
      measured.push({ ...result, candidate });
      options.report(benchTexts.roundLine({ round, rounds, name, ...result }));
    }
  }
  const of = (candidate: Candidate | undefined, figure: 'perSecond' | 'p50' | 'p99') =>
    median(measured.filter((one) => one.candidate === candidate).map((one) => one[figure]));
  const best = (encoding: string) =>
    Math.max(
      ...candidates.filter((one) => !one.isSite && one.encoding === encoding).map((one) => of(one, 'perSecond')),
    );
  return candidates.map((candidate) => {
    const nginx = best(candidate.encoding === 'br' ? 'gzip' : candidate.encoding);
    return {
      [benchTexts.columns.pages]: candidate.name,
      [benchTexts.columns.pagesPerSecond]: Math.round(of(candidate, 'perSecond')).toLocaleString('en-US'),
      [benchTexts.columns.ofNginx]: nginx > 0 ? (of(candidate, 'perSecond') / nginx).toFixed(2) : '',
      [benchTexts.columns.p50]: of(candidate, 'p50').toFixed(1),
      [benchTexts.columns.p99]: of(candidate, 'p99').toFixed(1),
    };
  });
}
