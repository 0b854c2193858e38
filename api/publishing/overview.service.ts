import type { Publishing, SiteBuild } from '#contract/publishing.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { installationDiskSpace } from '#platform/disk-space.ts';
import type { BuildJob } from './build-job.model.ts';
import { newestJobs, pinnedReleaseId } from './jobs.queries.ts';

import { currentReleaseId, listReleases } from './releases.service.ts';

/** Finished builds that the operator sees. */
const buildsListed = 10;

/** Builds that wait, run and have ended, and the releases in the data folder. */
export async function publishingOverview(db: Database, dataDir: string): Promise<Publishing> {
  const [jobs, pinned, disk] = await Promise.all([
    newestJobs(db, buildsListed),
    pinnedReleaseId(db),
    installationDiskSpace(db, dataDir),
  ]);
  return { builds: jobs.map(presentBuild), releases: await releasesKept(dataDir, pinned), disk };
}

/** The releases in the data folder; `pinned` is the id of the one that the database has as pinned. */
export async function releasesKept(dataDir: string, pinned: string | null): Promise<Publishing['releases']> {
  const [releases, current] = await Promise.all([listReleases(dataDir), currentReleaseId(dataDir)]);
  return releases.map(({ id, createdAt, pages, bytes }) => ({
    id,
    createdAt,
    pages,
    bytes,
    current: id === current,
    pinned: id === current && id === pinned,
  }));
}

function presentBuild({ progress, ...job }: BuildJob): SiteBuild {
  return {
    id: job.id,
    status: job.status,
    reason: job.reason,
    requestedAt: iso(job.requested_at),
    startsAt: iso(job.not_before),
    startedAt: isoOrNull(job.started_at),
    finishedAt: isoOrNull(job.finished_at),
    step: progress.step ?? null,
    done: progress.done ?? null,
    total: progress.total ?? null,
    log: (progress.log ?? []).map(({ step, at, total }) => ({ step, at: iso(at), total: total ?? null })),
    error: job.error,
    // The id of a build that runs or failed is that of a folder, not of a release.
    releaseId: job.status === 'succeeded' ? job.release_id : null,
  };
}

/** Build statistics for monitoring. */
export interface BuildFigures {
  /** The number of finished builds and their total duration in seconds, by outcome. */
  readonly ended: { readonly succeeded: number; readonly failed: number };
  readonly seconds: { readonly succeeded: number; readonly failed: number };
  readonly open: { readonly queued: number; readonly running: number };
  readonly lastSeconds: number | null;
  /** Seconds since the current release was published. */
  readonly releaseAge: number | null;
}

/** The statistics of all processes that share this database. */
export async function buildFigures(db: Database, now: number): Promise<BuildFigures> {
  const jobs = await countJobs(db);
  const count = (status: string) => jobs.get(status)?.count ?? 0;
  const seconds = (status: string) => (jobs.get(status)?.ms ?? 0) / 1_000;
  const [last, published] = [await lastBuildMs(db), await publishedAt(db)];
  return {
    ended: { succeeded: count('succeeded'), failed: count('failed') },
    seconds: { succeeded: seconds('succeeded'), failed: seconds('failed') },
    open: { queued: count('queued'), running: count('running') },
    lastSeconds: last === null ? null : last / 1_000,
    releaseAge: published === null ? null : (now - published) / 1_000,
  };
}

/** The number of jobs and their total duration in milliseconds, by status. */
async function countJobs(db: Database): Promise<ReadonlyMap<string, { count: number; ms: number }>> {
  const rows = await db('build_jobs')
    .groupBy('status')
    .select<{ status: string; count: number | string; ms: number | string | null }[]>(
      'status',
      db.raw('count(*) as count'),
      db.raw('sum(finished_at - started_at) as ms'),
    );
  return new Map(rows.map(({ status, count, ms }) => [status, { count: Number(count), ms: Number(ms ?? 0) }]));
}

/** The duration of the latest finished build; null before the first one. */
async function lastBuildMs(db: Database): Promise<number | null> {
  const row = await db('build_jobs')
    .whereNotNull('finished_at')
    .whereNotNull('started_at')
    .orderBy('id', 'desc')
    .first<{ started_at: number; finished_at: number } | undefined>('started_at', 'finished_at');
  return row ? row.finished_at - row.started_at : null;
}

/** When the current release was published; null before the first one. */
async function publishedAt(db: Database): Promise<number | null> {
  const row = await db('site_releases')
    .where('is_current', true)
    .first<{ published_at: number } | undefined>('published_at');
  return row?.published_at ?? null;
}
