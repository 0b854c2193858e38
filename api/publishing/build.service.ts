import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { limits } from '#contract/limits.ts';
import { releaseFiles } from '#contract/release.ts';
import type { ReleaseFacts } from '#contract/release.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { compressRelease, filesBelow, linkOrCopy } from './compress.ts';
import { findRelease, forgetReleases, recordCurrentRelease } from './jobs.queries.ts';
import type { RunningBuild } from './publishing.service.ts';
import {
  currentReleaseId,
  linkPackages,
  listReleases,
  newReleaseId,
  prune,
  readFacts,
  readManifest,
  releaseFolder,
  switchTo,
  writeFacts,
} from './releases.ts';
import { writeSnapshot } from './snapshot.service.ts';
import { projectFolder, sourceDigest } from './source-digest.ts';

interface BuildOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Config;
  /** Key of the site's build, see `platform/secrets`. */
  readonly siteKey: string;
  readonly running: RunningBuild;
}

/** Folder of Astro's hashed assets inside `client`. */
const assetsPrefix = '_astro/';

/**
 * Builds and publishes one release: snapshot, Astro, compression, switch. Until the switch nothing that is served
 * changes; when anything fails, the new folder is removed and the error tells why. Answers the release's id.
 */
export async function buildRelease(options: BuildOptions): Promise<string> {
  const { db, clock, config, running } = options;
  const { dataDir } = config;
  // Whoever holds the job is the only builder, so what is half built was left by one that died.
  await prune(dataDir, limits.releasesKept);
  await linkPackages(dataDir, projectFolder);
  const createdAt = clock.now();
  const id = newReleaseId(createdAt);
  const folder = releaseFolder(dataDir, id);
  try {
    const source = sourceDigest(config);
    running.report({ step: 'snapshot', done: 0, total: 1 });
    const snapshotFolder = join(dataDir, 'cache', 'snapshot');
    await rm(snapshotFolder, { recursive: true, force: true });
    const snapshot = await writeSnapshot({ db, clock, folder: snapshotFolder, pagesDigest: source.pages });

    const total = snapshot.reports + snapshot.activePolls;
    running.report({ step: 'pages', done: 0, total });
    await runAstro({
      ...options,
      folder,
      snapshotFolder,
      onPages: (done) => running.report({ step: 'pages', done: Math.min(done, total), total }),
    });

    const facts = await finishRelease({ dataDir, id, createdAt, source: source.all, running });
    running.report({ step: 'switch', done: 0, total: 1 });
    await running.confirm();
    await switchTo(dataDir, id);
    await recordCurrentRelease(db, { id, createdAt, pages: facts.pages, bytes: facts.bytes }, clock.now());
    await forgetReleases(db, await prune(dataDir, limits.releasesKept));
    running.report({ step: 'switch', done: 1, total: 1 });
    return id;
  } catch (error) {
    if ((await currentReleaseId(dataDir)) !== id) await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Why a build is needed before the site can be trusted to be up to date; null when it is. */
export async function reasonToBuild(db: Database, config: Config): Promise<string | null> {
  const id = await currentReleaseId(config.dataDir);
  const facts = id === null ? null : await readFacts(config.dataDir, id);
  if (facts === null) return publishingTexts.reasons.noRelease;
  if (facts.source !== sourceDigest(config).all) return publishingTexts.reasons.sourceChanged;
  // The data folder was moved to another database, or the database to another data folder.
  if ((await findRelease(db, facts.id)) === null) return publishingTexts.reasons.otherDatabase;
  return null;
}

/** Serves an older release that is still kept; throws when there is none of that id. */
export async function bringBack(db: Database, clock: Clock, dataDir: string, id: string): Promise<ReleaseFacts> {
  const facts = await readFacts(dataDir, id);
  if (facts === null) throw new Error(publishingTexts.noSuchRelease(id));
  await switchTo(dataDir, id);
  const release = { id, createdAt: Date.parse(facts.createdAt), pages: facts.pages, bytes: facts.bytes };
  await recordCurrentRelease(db, release, clock.now());
  return facts;
}

async function runAstro(
  options: BuildOptions & { folder: string; snapshotFolder: string; onPages(done: number): void },
): Promise<void> {
  const { config, running, siteKey, folder, snapshotFolder } = options;
  const child = spawn(process.execPath, [fileURLToPath(new URL('run-astro-build.ts', import.meta.url))], {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NO_COLOR: '1',
      ASTRO_TELEMETRY_DISABLED: '1',
      ASTRO_KEY: siteKey,
      ASTRO_CACHE_DIR: join(config.dataDir, 'cache', 'astro'),
      SNAPSHOT_DIR: snapshotFolder,
      RELEASE_DIR: folder,
      RELEASE_FORCE: running.job.progress.force === true ? '1' : '0',
      ...pageEnvironment(config),
    },
  });
  const stop = () => child.kill('SIGKILL');
  running.signal.addEventListener('abort', stop, { once: true });

  let pages = 0;
  let tail = '';
  let reported: string | undefined;
  const read = (chunk: string) => {
    pages += chunk.split('├─').length - 1;
    tail = (tail + chunk).slice(-4_000);
  };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    read(chunk);
    options.onPages(pages);
  });
  child.stderr?.setEncoding('utf8').on('data', read);
  child.on('message', (message: { error?: string }) => {
    reported = message.error;
  });
  const code = await new Promise<number | null>((ended, failed) => {
    child.once('error', failed);
    child.once('close', ended);
  });
  running.signal.removeEventListener('abort', stop);
  running.signal.throwIfAborted();
  if (code !== 0)
    throw new Error(publishingTexts.astroFailed(reported ?? tail.trim().split('\n').slice(-8).join('\n')));
}

/** The settings that pages print, in the words of the environment, so that defaults are the same everywhere. */
export function pageEnvironment(config: Config): Record<string, string> {
  return {
    SITE_NAME: config.siteName,
    PUBLIC_URL: config.publicUrl,
    SUPPORT_EMAIL: config.supportEmail,
    ANALYTICS_SCRIPT: config.analyticsScript ?? '',
    ANALYTICS_SITE: config.analyticsSite ?? '',
    ADS_SCRIPT: config.adsScript ?? '',
    API_ORIGIN: config.apiOrigin,
  };
}

async function finishRelease(options: {
  dataDir: string;
  id: string;
  createdAt: number;
  source: string;
  running: RunningBuild;
}): Promise<ReleaseFacts> {
  const { dataDir, id, running } = options;
  const folder = releaseFolder(dataDir, id);
  const client = join(folder, releaseFiles.client);
  const releases = await listReleases(dataDir);

  const assets = existsSync(join(client, assetsPrefix)) ? filesBelow(client, assetsPrefix) : [];
  for (const older of releases.slice(0, limits.releasesKept - 1))
    keepAssets(join(releaseFolder(dataDir, older.id), releaseFiles.client), client, older.ownAssets);

  const before = releases[0];
  const manifest = before ? await readManifest(dataDir, before.id) : null;
  const files = await compressRelease({
    client,
    previous:
      before && manifest ? { client: join(releaseFolder(dataDir, before.id), releaseFiles.client), manifest } : null,
    signal: running.signal,
    onProgress: (done, total) => running.report({ step: 'compress', done, total }),
  });

  const serverDigest = digestOfServer(join(folder, releaseFiles.server), id);
  const entries = Object.entries(files.files);
  const facts: ReleaseFacts = {
    id,
    createdAt: new Date(options.createdAt).toISOString(),
    source: options.source,
    pages: entries.filter(([path]) => path.endsWith('.html')).length,
    bytes: entries.reduce((sum, [, { size }]) => sum + size, 0),
    serverDigest,
    serverFrom: before?.serverDigest === serverDigest ? before.serverFrom : id,
    ownAssets: assets,
  };
  await writeFacts(dataDir, facts, files);
  return facts;
}

/** Pages that somebody still has open ask for the assets of the release they came from. */
function keepAssets(from: string, to: string, assets: readonly string[]): void {
  for (const path of assets) {
    if (existsSync(join(to, path)) || !existsSync(join(from, path))) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true });
    linkOrCopy(join(from, path), join(to, path));
  }
}

/**
 * Digest of the code that renders on demand. The release's own folder is baked into it, and by that into the hashes
 * in the names of its chunks; both say nothing about what the code does.
 */
function digestOfServer(folder: string, id: string): string {
  const plain = (text: string) => text.replaceAll(id, '').replace(/_[\w-]{8}\.mjs/g, '.mjs');
  const files = (existsSync(folder) ? filesBelow(folder, '') : []).map(
    (path) => `\0${plain(path)}\0${plain(readFileSync(join(folder, path), 'utf8'))}`,
  );
  return createHash('sha256').update(files.sort().join('')).digest('base64url').slice(0, 27);
}
