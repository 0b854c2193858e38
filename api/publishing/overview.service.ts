import { statSync } from 'node:fs';
import type { PublishedChange, Publishing, SiteBuild, SiteRelease } from '#contract/publishing.ts';
import type { Change } from '#domain/pages-of.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { installationDiskSpace } from '#platform/disk-space.ts';
import { newestAudit } from './audit.queries.ts';
import type { BuildJob, JobSubject } from './build-job.model.ts';
import { merged } from './change-names.ts';
import { countChanges, nextRetry } from './changes.service.ts';
import { jobsOfReleases, newestJobs, pinnedReleaseId } from './jobs.queries.ts';
import { releasesKept } from './releases.ts';
import { currentHead, readRecord, recordFile, releaseIds } from './store.ts';

/** Finished publishes that the operator sees. */
const buildsListed = 10;
/** Changed addresses that the operator sees of each release. */
const addressesListed = 20;
/** Jobs that are read for what releases are about: the reports of a large category are published in many. */
const jobsRead = 200;

/** The titles of changed things. Passed in, because their features record changes here. */
export type TitlesOf = (changes: readonly Change[]) => Promise<(change: Change) => string | null>;

/** Publishes that run and are over, the releases in the data folder, and the audit. */
export async function publishingOverview(
  db: Database,
  dataDir: string,
  titlesOf: TitlesOf = () => Promise.resolve(() => null),
): Promise<Publishing> {
  const [waiting, retryAt, jobs, pinned, audit, disk] = await Promise.all([
    countChanges(db),
    nextRetry(db),
    newestJobs(db, buildsListed),
    pinnedReleaseId(db),
    newestAudit(db),
    installationDiskSpace(db, dataDir),
  ]);
  const releases = listReleases(dataDir, pinned);
  const ids = releases.map(({ id }) => id);
  const published = Map.groupBy(await jobsOfReleases(db, ids, jobsRead), (job) => job.release_id);
  const subjects = [...jobs, ...[...published.values()].flat()].flatMap(({ about }) => about);
  const titleOf = await titlesOf(subjects.flatMap(({ kind, keys }) => keys.map((key) => ({ kind, key }))));
  const name = (about: readonly JobSubject[]): PublishedChange[] =>
    about.map(({ keys, ...change }) => ({
      ...change,
      subjects: keys.map((key) => ({ key, title: titleOf({ kind: change.kind, key }) })),
    }));
  return {
    waiting,
    retryAt: isoOrNull(retryAt),
    builds: jobs.map((job) => ({ ...presentBuild(job), about: name(job.about) })),
    releases: releases.map((release) => ({
      ...release,
      about: name(merged((published.get(release.id) ?? []).flatMap((job) => job.about))),
    })),
    audit,
    disk,
  };
}

type ReleaseFacts = Omit<SiteRelease, 'about' | 'current' | 'pinned'>;
/** By the path of the record. A record may list thousands of changes, and is only rewritten while it is the newest. */
const releaseFacts = new Map<string, { readonly writtenAt: number; readonly facts: ReleaseFacts | null }>();

/** The releases in the data folder, newest first; `pinned` is the id of the one that the database has as pinned. */
export function listReleases(dataDir: string, pinned: string | null): Omit<SiteRelease, 'about'>[] {
  const current = currentHead(dataDir)?.release;
  const kept = releaseIds(dataDir).slice(0, releasesKept);
  const paths = kept.map((id) => recordFile(dataDir, id));
  for (const path of releaseFacts.keys()) if (!paths.includes(path)) releaseFacts.delete(path);
  return kept.flatMap((id, index) => {
    const facts = factsOfRelease(dataDir, id, paths[index]!);
    return facts === null ? [] : [{ ...facts, current: id === current, pinned: id === current && id === pinned }];
  });
}

/** Null if the record is missing or damaged. */
function factsOfRelease(dataDir: string, release: string, path: string): ReleaseFacts | null {
  const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const known = releaseFacts.get(path);
  if (known?.writtenAt === writtenAt) return known.facts;
  const record = readRecord(dataDir, release);
  let facts: ReleaseFacts | null = null;
  if (record !== null) {
    const { id, createdAt, tree, reason, milliseconds, pages, bytes, changes } = record;
    const first = changes.slice(0, addressesListed);
    facts = {
      ...{ id, createdAt, reason, milliseconds, pages, bytes },
      changed: id === tree ? null : changes.length,
      addresses: first.map(({ address, after }) => ({ address, removed: after === null })),
    };
  }
  releaseFacts.set(path, { writtenAt, facts });
  return facts;
}

function presentBuild({ progress, ...job }: BuildJob): Omit<SiteBuild, 'about'> {
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
