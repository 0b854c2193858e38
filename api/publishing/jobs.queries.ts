import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isUniqueViolation } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { BuildJob } from './build-job.model.ts';
import type { JobProgress } from './build-job.model.ts';
import { newReleaseId } from './releases.service.ts';
import { hasTakedowns } from './takedowns.queries.ts';

/** Milliseconds without a heartbeat after which a running build counts as dead. */
export const buildDeadAfterMs = 30_000;
/** The same when its process is known to have ended. */
export const buildGoneAfterMs = 3_000;

/** The maximum length of the joined reasons in characters; later ones are dropped. */
const reasonsLength = 500;

/** Queues a job or joins the queued one: reasons are joined, and the earlier start time wins. Returns the job’s id. */
export async function enqueue(
  db: Database,
  job: { reason: string; requestedAt: number; notBefore: number; progress: JobProgress },
): Promise<number> {
  // The conflict target matches the partial unique index in both databases.
  const rows = await returned<{ id: number }>(
    db,
    `insert into build_jobs (status, reason, requested_at, not_before, progress) values ('queued', ?, ?, ?, ?)
     on conflict (status) where status = 'queued' do update set
       reason = case
         when build_jobs.reason like '%' || excluded.reason || '%' or length(build_jobs.reason) > ${reasonsLength}
           then build_jobs.reason
         else build_jobs.reason || ', ' || excluded.reason end,
       not_before = case
         when excluded.not_before < build_jobs.not_before then excluded.not_before else build_jobs.not_before end,
       progress = case when excluded.progress = '{}' then build_jobs.progress else excluded.progress end
     returning id`,
    [job.reason, job.requestedAt, job.notBefore, JSON.stringify(job.progress)],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('The database did not return the id of the build job.');
  return id;
}

/** Whether a build should run now: a job is due and none is running, or the running one seems dead. */
export async function isWorkDue(db: Database, now: number): Promise<boolean> {
  // The conditions match the partial indexes: every process runs this query every second, and jobs are never deleted.
  const waiting = await BuildJob.query(db)
    .whereRaw("status = 'queued'")
    .unionAll([BuildJob.query(db).whereRaw("status = 'running'")]);
  const running = waiting.find(({ status }) => status === 'running');
  if (running) return isDead(running, now);
  if (await hasTakedowns(db)) return true;
  if ((await pinnedReleaseId(db)) !== null) return false;
  return waiting.some((job) => job.not_before <= now || job.requested_at > now);
}

/** Whether the last heartbeat is too old; for a process that is known to be gone, a few seconds suffice. */
function isDead({ heartbeat_at, runner }: Pick<BuildJob, 'heartbeat_at' | 'runner'>, now: number): boolean {
  // A heartbeat from the future was written before the clock was set back; a live runner writes a new one each second.
  const silence = Math.abs(now - (heartbeat_at ?? 0));
  if (silence > buildDeadAfterMs) return true;
  // The delay gives child processes of the dead runner time to exit.
  return silence > buildGoneAfterMs && isGone(runner ?? '');
}

/** Whether a job is running whose runner is dead. */
export async function isRunnerDead(db: Database, now: number): Promise<boolean> {
  const running = await runningJob(db);
  return running !== null && isDead(running, now);
}

/** Fails the running job if its runner is dead, and returns its previous state. */
export async function failDeadJob(db: Database, now: number, error: string): Promise<BuildJob | null> {
  const running = await runningJob(db);
  if (!running || !isDead(running, now)) return null;
  const rows = await returned<object>(
    db,
    // Another process may have ended it since then, or its runner may have sent a heartbeat.
    `update build_jobs set status = 'failed', finished_at = ?, error = ?
     where id = ? and status = 'running' and coalesce(heartbeat_at, 0) = ? returning *`,
    [now, error, running.id, running.heartbeat_at ?? 0],
  );
  return rows[0] ? BuildJob.fromDatabaseJson(rows[0]) : null;
}

/** Fails every queued or running build. */
export async function cancelJobs(trx: Database, now: number, error: string): Promise<void> {
  await BuildJob.query(trx)
    .where((job) => void job.where({ status: 'queued' }).orWhere(isBuilding))
    .patch({ status: 'failed', finished_at: now, error });
}

/** Fails the running build. */
export async function cancelRunningJob(trx: Database, now: number, error: string): Promise<void> {
  await BuildJob.query(trx).where(isBuilding).patch({ status: 'failed', finished_at: now, error });
}

/** The reason of a running job that is a takedown, not a build. */
const takedown = 'takedown';
type Query = ReturnType<typeof BuildJob.query>;

const isBuilding = (job: Query) => void job.where({ status: 'running' }).whereNot({ reason: takedown });
const isTakedown = (job: Query) => void job.where({ status: 'running', reason: takedown });

/** Occupies the slot of the running job for a takedown and returns its id; null while a job is running. */
export async function beginTakedown(db: Database, now: number, runner: string): Promise<number | null> {
  const rows = await returned<{ id: number }>(
    db,
    `insert into build_jobs (status, reason, requested_at, not_before, heartbeat_at, runner)
     values ('running', ?, ?, ?, ?, ?) on conflict (status) where status = 'running' do nothing returning id`,
    [takedown, now, now, now, runner],
  );
  return rows[0]?.id ?? null;
}

/** Begins a job and returns its id; null while one is running. */
export async function beginJob(
  db: Database,
  now: number,
  { runner, reason }: { readonly runner: string; readonly reason: string },
): Promise<number | null> {
  const rows = await returned<{ id: number }>(
    db,
    `insert into build_jobs (status, reason, requested_at, not_before, started_at, heartbeat_at, runner)
     values ('running', ?, ?, ?, ?, ?, ?) on conflict (status) where status = 'running' do nothing returning id`,
    [reason, now, now, now, now, runner],
  );
  return rows[0]?.id ?? null;
}

/** Releases the slot of the running job. */
export async function endTakedown(db: Database, job: { id: number; runner: string }): Promise<void> {
  await BuildJob.query(db).where(job).where(isTakedown).delete();
}

/** Releases the slot of a takedown whose process died. */
export async function endStaleTakedown(db: Database, now: number): Promise<void> {
  const running = await runningJob(db);
  if (running?.reason !== takedown || !isDead(running, now)) return;
  await BuildJob.query(db).where({ id: running.id, heartbeat_at: running.heartbeat_at }).where(isTakedown).delete();
}

/** Fails the queued job that is due, because the process that should have built it ended too early. */
export async function failDueJob(db: Database, now: number, error: string): Promise<void> {
  await BuildJob.query(db)
    .where({ status: 'queued' })
    .where((due) => void due.where('not_before', '<=', now).orWhere('requested_at', '>', now))
    .patch({ status: 'failed', finished_at: now, error });
}

/** When the newest build started, whatever its outcome; null before the first. */
export async function newestJobStart(db: Database): Promise<number | null> {
  // Jobs start in the order of their ids: at most one is queued, and only after the previous one has started.
  const newest = await BuildJob.query(db).whereNotNull('started_at').orderBy('id', 'desc').first();
  return newest?.started_at ?? null;
}

/**
 * Claims the queued job if it is due and no job is running; otherwise returns null. One statement, so that two
 * processes never win. The job names its release from then on, so that no process deletes the folder as a leftover.
 */
export async function claimDueJob(
  db: Database,
  now: number,
  runner: string,
  releaseId = newReleaseId(now),
): Promise<BuildJob | null> {
  try {
    const rows = await returned<object>(
      db,
      `update build_jobs set status = 'running', started_at = ?, heartbeat_at = ?, runner = ?, release_id = ?
       where status = 'queued' and (not_before <= ? or requested_at > ?)
         and not exists (select 1 from build_jobs as other where other.status = 'running')
         and not exists (select 1 from site_releases where pinned)
       returning *`,
      [now, now, runner, releaseId, now, now],
    );
    return rows[0] ? BuildJob.fromDatabaseJson(rows[0]) : null;
  } catch (error) {
    // Another process claimed a job at the same time; the unique index decided.
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

/** Records a heartbeat and the progress; false if the job no longer belongs to this runner. */
export async function recordHeartbeat(
  db: Database,
  job: { id: number; runner: string },
  now: number,
  progress: JobProgress,
): Promise<boolean> {
  const updated = await BuildJob.query(db)
    .where({ id: job.id, runner: job.runner, status: 'running' })
    .patch({ heartbeat_at: now, progress });
  return updated === 1;
}

/** Ends a job of this runner; false, without any change, if it no longer belongs to it. */
export async function finishJob(
  db: Database,
  job: { id: number; runner: string },
  end:
    | { readonly status: 'succeeded'; readonly release_id?: string | null }
    | { readonly status: 'failed'; readonly error: string },
  now: number,
): Promise<boolean> {
  const updated = await BuildJob.query(db)
    .where({ id: job.id, runner: job.runner, status: 'running' })
    .patch({ finished_at: now, ...end });
  return updated === 1;
}

export async function findJob(db: Database, id: number): Promise<BuildJob | null> {
  return (await BuildJob.query(db).findById(id)) ?? null;
}

/** The newest jobs, newest first, including the queued or running one. */
export async function newestJobs(db: Database, count: number): Promise<BuildJob[]> {
  return BuildJob.query(db).whereNot(isTakedown).orderBy('id', 'desc').limit(count);
}

/** The running job, or null. */
export async function runningJob(db: Database): Promise<BuildJob | null> {
  return (await BuildJob.query(db).findOne({ status: 'running' })) ?? null;
}

/** A row of `site_releases`. */
interface ReleaseRow {
  readonly id: string;
  readonly created_at: number;
  readonly published_at: number | null;
  readonly pages: number;
  readonly bytes: number;
  readonly is_current: boolean | 0 | 1;
  /** Whether it is pinned, so that no build replaces it. */
  readonly pinned: boolean | 0 | 1;
}

/** Records the current release, in the transaction that makes it current. */
export async function recordCurrentRelease(
  trx: Database,
  release: { id: string; createdAt: number; pages: number; bytes: number; pinned?: boolean },
  now: number,
): Promise<void> {
  await trx('site_releases').where('is_current', true).update({ is_current: false, pinned: false });
  await trx('site_releases')
    .insert({
      id: release.id,
      created_at: release.createdAt,
      published_at: now,
      pages: release.pages,
      bytes: release.bytes,
      is_current: true,
      pinned: release.pinned ?? false,
    })
    .onConflict('id')
    .merge(['published_at', 'is_current', 'pinned']);
}

/** The id of the pinned release, which no build replaces; null if there is none. */
export async function pinnedReleaseId(db: Database): Promise<string | null> {
  // Matches the partial index.
  const row = await db('site_releases').whereRaw('pinned').first<{ id: string } | undefined>('id');
  return row?.id ?? null;
}

/** Locks the choice of the current release until the transaction ends. */
export async function holdCurrentRelease(trx: Database): Promise<void> {
  await trx('site_releases').where('is_current', true).forUpdate().select('id');
}

/** Unpins any release except the one with the id `except`; false if none was pinned. */
export async function unpinReleases(db: Database, except: string | null = null): Promise<boolean> {
  const pinned = db('site_releases').where('pinned', true);
  return (await (except === null ? pinned : pinned.whereNot('id', except)).update({ pinned: false })) > 0;
}

/** Deletes the records of releases whose folders no longer exist. */
export async function forgetReleases(db: Database, kept: readonly string[]): Promise<void> {
  await db('site_releases').whereNotIn('id', kept).where('is_current', false).delete();
}

export async function findRelease(db: Database, id: string): Promise<ReleaseRow | null> {
  return (await db('site_releases').where({ id }).first<ReleaseRow | undefined>()) ?? null;
}

/** The rows of a statement with `returning`, which knex returns differently for each database. */
async function returned<T>(db: Database, sql: string, bindings: readonly (string | number)[]): Promise<T[]> {
  const answer = (await db.raw(sql, bindings)) as T[] | { rows: T[] };
  return Array.isArray(answer) ? answer : answer.rows;
}

/**
 * Identifies this process as a builder: host, process id, and a random suffix, because process ids are reused. Containers
 * may share a host name but not process ids, so the PID namespace is included.
 */
export function newRunner(): string {
  return `${hostId()}:${process.pid}:${Math.random().toString(36).slice(2, 8)}`.slice(-120);
}

/** Whether a builder’s process certainly ended; a process on another host never counts. */
function isGone(runner: string): boolean {
  const [, host, pid] = /^(.*):(\d+):[^:]*$/.exec(runner) ?? [];
  if (host === undefined || host !== hostId()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function hostId(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    // Only Linux has namespaces.
  }
  return `${hostname().slice(-60)}/${namespace}`;
}
