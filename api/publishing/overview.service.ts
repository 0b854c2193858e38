import { join } from 'node:path';
import { buildFiles } from '#domain/build-files.ts';
import type { PublishedChange, Publishing, SiteBuild } from './publishing.contract.ts';
import type { Change } from '#domain/pages-of.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { installationDiskSpace } from '#platform/disk-space.ts';
import { newestAudit } from './audit.service.ts';
import { countChanges, nextRetry } from './changes.service.ts';
import { endedPublishes, lastPublish, runningPublish } from './job.service.ts';
import type { EndedPublish, JobSubject, RunningPublish } from './job.service.ts';
import { clientOf, earlierBuilds, inBuilds, pageAddresses, readPage, servedBuild, sizeOf } from './builds.ts';
import { damagedFiles, readCodeBuild } from './code-build.ts';
import { pausedSince } from './state.service.ts';

/** Finished publishes that the operator sees. */
const buildsListed = 10;

/** The titles of changed things. Passed in, because their features record changes here. */
export type TitlesOf = (changes: readonly Change[]) => Promise<(change: Change) => string | null>;

/** Publishes that run and are over, a pause, and the audit. */
export async function publishingOverview(
  db: Database,
  dataDir: string,
  titlesOf: TitlesOf = () => Promise.resolve(() => null),
): Promise<Publishing> {
  const [waiting, retryAt, running, ended, paused, audit, disk] = await Promise.all([
    countChanges(db),
    nextRetry(db),
    runningPublish(db),
    endedPublishes(db, buildsListed),
    pausedSince(db),
    newestAudit(db),
    installationDiskSpace(db, dataDir),
  ]);
  const jobs = [...(running ? [running] : []), ...ended];
  const subjects = jobs.flatMap(({ about }) => about);
  const titleOf = await titlesOf(subjects.flatMap(({ kind, keys }) => keys.map((key) => ({ kind, key }))));
  const name = (about: readonly JobSubject[]): PublishedChange[] =>
    about.map(({ keys, ...change }) => ({
      ...change,
      subjects: keys.map((key) => ({ key, title: titleOf({ kind: change.kind, key }) })),
    }));
  return {
    waiting,
    retryAt: isoOrNull(retryAt),
    pausedSince: isoOrNull(paused),
    builds: jobs.map((job) => ({ ...presentBuild(job), about: name(job.about) })),
    served: servedBuild(dataDir),
    earlier: earlierBuilds(dataDir).map(({ id, servedUntil }) => ({ id, servedUntil: iso(servedUntil) })),
    audit,
    disk,
  };
}

function presentBuild(job: RunningPublish | EndedPublish): Omit<SiteBuild, 'about'> {
  const begun = { reason: job.reason, startedAt: iso(job.startedAt) };
  if ('progress' in job) {
    const { step = null, done = null, total = null } = job.progress;
    return { ...begun, id: 0, status: 'running', finishedAt: null, step, done, total, error: null, isUnchanged: false };
  }
  const { id, finishedAt, error = null, changed } = job;
  return {
    ...{ ...begun, id, status: error === null ? 'succeeded' : 'failed', finishedAt: iso(finishedAt), error },
    ...{ step: null, done: null, total: null, isUnchanged: error === null && changed === 0 },
  };
}

/** Build statistics for monitoring. */
export interface BuildFigures {
  /** The number of finished builds and their total duration in seconds, by outcome. */
  readonly ended: { readonly succeeded: number; readonly failed: number };
  readonly seconds: { readonly succeeded: number; readonly failed: number };
  /** `queued`: changes that wait. */
  readonly open: { readonly queued: number; readonly running: number };
  readonly lastSeconds: number | null;
  /** Seconds since pages were last published. */
  readonly publishAge: number | null;
}

/** The statistics of all processes that share this database. */
export async function buildFigures(db: Database, now: number): Promise<BuildFigures> {
  const ended = await endedPublishes(db);
  const secondsOf = ({ startedAt, finishedAt }: EndedPublish) => (finishedAt - startedAt) / 1_000;
  const [succeeded, failed] = [false, true].map((hasFailed) => {
    const seconds = ended.filter(({ error }) => (error !== undefined) === hasFailed).map(secondsOf);
    return { count: seconds.length, total: seconds.reduce((sum, one) => sum + one, 0) };
  });
  const published = await lastPublish(db);
  return {
    ended: { succeeded: succeeded!.count, failed: failed!.count },
    seconds: { succeeded: succeeded!.total, failed: failed!.total },
    open: { queued: await countChanges(db), running: (await runningPublish(db)) === null ? 0 : 1 },
    lastSeconds: ended.length === 0 ? null : secondsOf(ended[0]!),
    publishAge: published === null ? null : (now - published.at) / 1_000,
  };
}

/** When pages were last published, or null before that. Rejects when the database does not respond. */
export const publishedAt = async (db: Database): Promise<string | null> =>
  isoOrNull((await lastPublish(db))?.at ?? null);

/** The served build and the problems with its files. */
export interface BuildCheck {
  readonly id: string;
  /** Pages, without the files of the code. */
  readonly pages: number;
  /** Files that are missing, and those of another size than the code build has, or of pages that can’t be read. */
  readonly missing: readonly string[];
  readonly damaged: readonly string[];
}

/** Checks the files of the served build; null before the first publish. */
export async function checkServedBuild(dataDir: string): Promise<BuildCheck | null> {
  const id = servedBuild(dataDir);
  if (id === null) return null;
  const code = await readCodeBuild(inBuilds(dataDir, id));
  if (code === null) return { id, pages: 0, missing: [join(id, buildFiles.facts)], damaged: [] };
  const client = clientOf(dataDir, id);
  const missing: string[] = [];
  const damaged: string[] = [];
  if (sizeOf(inBuilds(dataDir, id, buildFiles.fill)) === null) missing.push(buildFiles.fill);
  for (const file of damagedFiles(code)) (sizeOf(join(code.folder, file)) === null ? missing : damaged).push(file);
  const pages = pageAddresses(dataDir, code);
  damaged.push(...pages.filter((address) => readPage(client, address) === null));
  return { id, pages: pages.length, missing, damaged };
}
