import type { Publishing, SiteBuild } from '#contract/publishing.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { installationDiskSpace } from '#platform/disk-space.ts';
import { newestAudit } from './audit.queries.ts';
import type { BuildJob } from './build-job.model.ts';
import { countChanges } from './changes.service.ts';
import { newestJobs, pinnedReleaseId } from './jobs.queries.ts';
import { keptReleases } from './releases.ts';
import { currentHead } from './store.ts';

/** Finished publishes that the operator sees. */
const buildsListed = 10;
/** Changed addresses that the operator sees of each release. */
const addressesListed = 20;

/** Publishes that run and are over, the releases in the data folder, and the audit. */
export async function publishingOverview(db: Database, dataDir: string): Promise<Publishing> {
  const [waiting, jobs, pinned, audit, disk] = await Promise.all([
    countChanges(db),
    newestJobs(db, buildsListed),
    pinnedReleaseId(db),
    newestAudit(db),
    installationDiskSpace(db, dataDir),
  ]);
  return { waiting, builds: jobs.map(presentBuild), releases: listReleases(dataDir, pinned), audit, disk };
}

/** The releases in the data folder, newest first; `pinned` is the id of the one that the database has as pinned. */
export function listReleases(dataDir: string, pinned: string | null): Publishing['releases'] {
  const current = currentHead(dataDir)?.release;
  return keptReleases(dataDir).map(({ id, createdAt, tree, reason, milliseconds, pages, bytes, changes }) => ({
    ...{ id, createdAt, reason, milliseconds, pages, bytes },
    changed: id === tree ? null : changes.length,
    addresses: changes.slice(0, addressesListed).map(({ address }) => address),
    current: id === current,
    pinned: id === current && id === pinned,
  }));
}

function presentBuild({ progress, ...job }: BuildJob): SiteBuild {
  return {
    id: job.id,
    status: job.status,
    reason: job.reason,
    startedAt: iso(job.started_at),
    finishedAt: isoOrNull(job.finished_at),
    step: progress.step ?? null,
    done: progress.done ?? null,
    total: progress.total ?? null,
    error: job.error,
    releaseId: job.release_id,
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
    open: { queued: await countChanges(db), running: count('running') },
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
