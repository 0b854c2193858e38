import type { Publishing, SiteBuild } from '#contract/publishing.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { installationDiskSpace } from '#platform/disk-space.ts';
import { newestJobs, pinnedReleaseId } from './jobs.queries.ts';
import type { BuildJob } from './jobs.queries.ts';
import { currentReleaseId, listReleases } from './releases.ts';

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
