import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause, setImmediate as nextTurn } from 'node:timers/promises';
import { releaseFiles } from '#contract/publishing.ts';
import type { ReleasedFile, ReleaseFacts, ReleaseManifest } from '#contract/publishing.ts';
import { reportFile, snapshotFiles } from '#contract/snapshot.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { runAstro } from './astro.ts';
import { compressRelease, digestOf, filesBelow, linkOrCopy } from './compress.ts';
import { explained } from './explained.ts';
import {
  cancelJobs,
  findRelease,
  forgetReleases,
  holdCurrentRelease,
  pinnedReleaseId,
  recordCurrentRelease,
  unpinReleases,
} from './jobs.queries.ts';
import { publishPollMs, requestBuildNow } from './publishing.service.ts';
import type { RunningBuild } from './publishing.service.ts';
import {
  currentReleaseId,
  emptyTrash,
  linkPackages,
  listReleases,
  readFacts,
  readManifest,
  readReportDigests,
  releaseFolder,
  removeLeftOvers,
  retireReleases,
  switchTo,
  totalsOf,
  writeFacts,
} from './releases.ts';
import { digestOfServer } from './server-digest.ts';
import { projectFolder, sourceDigest } from './source-digest.ts';
import { hasTakedowns } from './takedowns.queries.ts';
import { applyTakedowns, requestMissingTakedowns } from './takedowns.service.ts';

/** Releases that are kept and can be restored. */
export const releasesKept = 3;

interface BuildOptions {
  readonly clock: Clock;
  readonly config: Config;
  /** Key of the site's build, see `platform/secrets`. */
  readonly siteKey: string;
  readonly running: RunningBuild;
  /** Writes what the pages show into a folder. It is handed in, because rooms that it reads ask for builds (decision 110). */
  readonly takeSnapshot: (options: {
    readonly folder: string;
    /** Digest of everything but the record that a report's page depends on. */
    readonly pagesDigest: string;
    readonly onReports: (done: number, total: number) => void;
  }) => Promise<SnapshotFacts>;
  /** For tests. */
  readonly renderPages?: typeof runAstro;
}

/** What a snapshot holds. */
export interface SnapshotFacts {
  /** Digest of every report, by id. */
  readonly reports: ReadonlyMap<string, string>;
  readonly activePolls: number;
}

/** The newest finished release: what has not changed is taken from it. */
interface Before {
  readonly facts: ReleaseFacts;
  readonly client: string;
  readonly manifest: ReleaseManifest;
  readonly digests: ReadonlyMap<string, string>;
}

/** Folder of Astro's hashed assets inside `client`. */
const assetsPrefix = '_astro/';

/**
 * Builds and publishes one release: snapshot, Astro, compression, switch. Until the switch nothing that is served
 * changes; when anything fails, the new folder is removed and the error tells why.
 */
export async function buildRelease(options: BuildOptions): Promise<void> {
  const { clock, config, siteKey, running, takeSnapshot, renderPages = runAstro } = options;
  const { dataDir } = config;
  const { releaseId: id } = running;
  const createdAt = clock.now();
  const folder = releaseFolder(dataDir, id);
  try {
    // Whoever holds the job is the only builder, so what is half built was left by one that died.
    await removeLeftOvers(dataDir, () => Promise.resolve(id));
    await linkPackages(dataDir, projectFolder);
    const source = sourceDigest(config);
    running.report({ step: 'snapshot', done: 0, total: 1 });
    const snapshotFolder = join(dataDir, 'cache', 'snapshot');
    await rm(snapshotFolder, { recursive: true, force: true });
    const snapshot = await takeSnapshot({
      folder: snapshotFolder,
      pagesDigest: source.pages,
      onReports: (done, total) => running.report({ step: 'snapshot', done, total }),
    });
    const { reports } = snapshot;

    const before = await newestRelease(dataDir);
    const force = running.job.progress.force === true;
    let reused = before === null || force ? [] : unchangedReports(reports, before);
    const render = async () => {
      // The first unchanged report is rendered all the same: it proves that the others would come out as they were.
      const left = new Set(reused.slice(1));
      const ids = [...reports.keys()].filter((report) => !left.has(report));
      await writeReportsToRender(snapshotFolder, ids);
      running.report({ step: 'bundle', done: 0, total: 1 });
      const { signal, report: onProgress } = running;
      await renderPages({ config, siteKey, folder, snapshotFolder, signal, onProgress });
    };
    await render();
    if (before !== null && !isSameAsBefore(folder, reused[0], before)) {
      reused = [];
      await render();
    }

    const facts = await finishRelease({
      dataDir,
      id,
      createdAt,
      source: source.all,
      running,
      before,
      reports,
      reused: reused.slice(1),
    });
    running.report({ step: 'switch', done: 0, total: 1 });
    await running.publish(async (trx) => {
      await holdCurrentRelease(trx);
      if ((await pinnedReleaseId(trx)) !== null) throw new Error(publishingTexts.pinnedMeanwhile);
      // The site service reads from the release before for a moment, however old that one is.
      const served = [id, (await currentReleaseId(dataDir)) ?? id];
      await recordCurrentRelease(trx, { id, createdAt, pages: facts.pages, bytes: facts.bytes }, clock.now());
      await switchTo(dataDir, id);
      await forgetReleases(trx, await retireReleases(dataDir, releasesKept, served));
    });
    await emptyTrash(dataDir);
  } catch (error) {
    if ((await currentReleaseId(dataDir).catch(() => null)) !== id)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    throw explained(error, dataDir);
  }
}

/** Tells the build which reports to render. */
export async function writeReportsToRender(folder: string, ids: readonly string[]): Promise<void> {
  await writeFile(join(folder, snapshotFiles.reportsToRender), JSON.stringify(ids));
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

/**
 * Serves an older release that is still kept; answers null when there is none of that id. What is being built, or waits
 * to be, was asked for before and is not published any more (decision 110). A pinned release stays until it is unpinned.
 * Polls that were removed since are taken out first, also those whose removal was not recorded as a takedown.
 */
export async function bringBack(
  db: Database,
  clock: Clock,
  dataDir: string,
  id: string,
  { pin = false }: { readonly pin?: boolean } = {},
): Promise<ReleaseFacts | null> {
  if ((await readFacts(dataDir, id)) === null) return null;
  await requestMissingTakedowns({ db, clock, dataDir }, id);
  if (await hasTakedowns(db)) {
    await cancelJobs(db, clock.now(), publishingTexts.overruled);
    while (!(await applyTakedowns({ db, clock, dataDir }))) await pause(publishPollMs);
  }
  const switched = db.transaction(async (trx) => {
    // A build that switches at this moment holds its job: it is waited for here.
    await cancelJobs(trx, clock.now(), publishingTexts.overruled);
    const facts = await readFacts(dataDir, id);
    if (facts === null) throw new ReleaseGone();
    const { pages, bytes } = facts;
    const release = { id, createdAt: Date.parse(facts.createdAt), pages, bytes, pinned: pin };
    await recordCurrentRelease(trx, release, clock.now());
    await switchTo(dataDir, id);
    return facts;
  });
  return switched.catch((error: unknown) => {
    if (error instanceof ReleaseGone) return null;
    throw error;
  });
}

/** The release that no build replaces until it is unpinned; a pin of a release that is not served here is dropped. */
export async function pinnedRelease(db: Database, dataDir: string): Promise<string | null> {
  await unpinReleases(db, await currentReleaseId(dataDir));
  return pinnedReleaseId(db);
}

/** Lets builds replace the pinned release again, and asks for one; false when none was pinned. */
export async function releasePin(db: Database, clock: Clock): Promise<boolean> {
  return db.transaction(async (trx) => {
    if (!(await unpinReleases(trx))) return false;
    await requestBuildNow(trx, clock, publishingTexts.reasons.unpinned);
    return true;
  });
}

/** The release was retired while its return waited. */
class ReleaseGone extends Error {
  override readonly name = 'ReleaseGone';
}

async function newestRelease(dataDir: string): Promise<Before | null> {
  const facts = (await listReleases(dataDir))[0];
  const manifest = facts ? await readManifest(dataDir, facts.id) : null;
  if (!facts || !manifest) return null;
  const client = join(releaseFolder(dataDir, facts.id), releaseFiles.client);
  return { facts, client, manifest, digests: await readReportDigests(dataDir, facts.id) };
}

/** Reports whose page in the release before is the page that this build would make. */
function unchangedReports(reports: ReadonlyMap<string, string>, before: Before): string[] {
  return [...reports].filter(([id, digest]) => before.digests.get(id) === digest && isComplete(id)).map(([id]) => id);

  function isComplete(id: string): boolean {
    const path = reportFile(id);
    const file = before.manifest.files[path];
    return (
      file !== undefined &&
      existsSync(join(before.client, path)) &&
      (file.br === null || existsSync(join(before.client, `${path}.br`))) &&
      (file.gz === null || existsSync(join(before.client, `${path}.gz`)))
    );
  }
}

/**
 * Whether a report that should not have changed came out byte for byte as before. If not, something that the
 * digests do not know has changed, and every page must be rendered.
 */
function isSameAsBefore(folder: string, sample: string | undefined, before: Before): boolean {
  if (sample === undefined) return true;
  const path = reportFile(sample);
  const file = join(folder, releaseFiles.client, path);
  return existsSync(file) && digestOf(readFileSync(file)) === before.manifest.files[path]?.hash;
}

async function finishRelease(options: {
  dataDir: string;
  id: string;
  createdAt: number;
  source: string;
  running: RunningBuild;
  before: Before | null;
  reports: ReadonlyMap<string, string>;
  reused: readonly string[];
}): Promise<ReleaseFacts> {
  const { dataDir, id, running, before, reports, reused } = options;
  const folder = releaseFolder(dataDir, id);
  const client = join(folder, releaseFiles.client);

  const assets = existsSync(join(client, assetsPrefix)) ? filesBelow(client, assetsPrefix) : [];
  for (const older of (await listReleases(dataDir)).slice(0, releasesKept - 1))
    keepAssets(join(releaseFolder(dataDir, older.id), releaseFiles.client), client, older.ownAssets);

  const fresh = await compressRelease({
    client,
    previous: before,
    signal: running.signal,
    onProgress: (done, total) => running.report({ step: 'compress', done, total }),
  });
  const onReused = (done: number) => running.report({ step: 'reuse', done, total: reused.length });
  const files = { ...(before ? await reusePages(client, before, reused, onReused) : {}), ...fresh.files };

  const serverDigest = digestOfServer(join(folder, releaseFiles.server), id);
  const facts: ReleaseFacts = {
    id,
    createdAt: iso(options.createdAt),
    source: options.source,
    ...totalsOf(files),
    serverDigest,
    serverFrom: before?.facts.serverDigest === serverDigest ? before.facts.serverFrom : id,
    ownAssets: assets,
  };
  // A builder that was taken for dead must not make a release of a folder that others clear away.
  await running.confirm();
  await writeFacts(dataDir, facts, { files }, reports);
  return facts;
}

/** Takes unchanged reports with their compressed copies from the release before. */
async function reusePages(
  client: string,
  before: Before,
  ids: readonly string[],
  onReused: (done: number) => void,
): Promise<Record<string, ReleasedFile>> {
  const files: Record<string, ReleasedFile> = {};
  if (ids.length > 0) mkdirSync(dirname(join(client, reportFile('any'))), { recursive: true });
  for (const [place, id] of ids.entries()) {
    const path = reportFile(id);
    const file = before.manifest.files[path] as ReleasedFile;
    linkOrCopy(join(before.client, path), join(client, path));
    if (file.br !== null) linkOrCopy(join(before.client, `${path}.br`), join(client, `${path}.br`));
    if (file.gz !== null) linkOrCopy(join(before.client, `${path}.gz`), join(client, `${path}.gz`));
    files[path] = file;
    if (place % 200 !== 199) continue;
    onReused(place + 1);
    // Linking is synchronous; signs of life and signals get their turn.
    await nextTurn();
  }
  if (ids.length > 0) onReused(ids.length);
  return files;
}

/** Pages that somebody still has open ask for the assets of the release they came from. */
function keepAssets(from: string, to: string, assets: readonly string[]): void {
  for (const path of assets) {
    if (existsSync(join(to, path)) || !existsSync(join(from, path))) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true });
    linkOrCopy(join(from, path), join(to, path));
  }
}
