import type { BuildStep } from '#contract/publishing.ts';
import { isUniqueViolation } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { newReleaseId } from './releases.ts';
import { isGone } from './runner.ts';
import { hasTakedowns } from './takedowns.queries.ts';

/** Milliseconds without a heartbeat after which a running build counts as dead. */
export const buildDeadAfterMs = 30_000;
/** The same when its process is known to have ended. */
export const buildGoneAfterMs = 3_000;

/** What a job says about itself while it waits and runs; kept as JSON. */
export interface JobProgress {
  /** Drop the incremental cache first. */
  readonly force?: boolean;
  /** How often its runner died. */
  readonly deaths?: number;
  readonly step?: BuildStep;
  readonly done?: number;
  readonly total?: number;
  /** The steps that were begun, and when. */
  readonly log?: readonly { readonly step: BuildStep; readonly at: number; readonly total?: number }[];
}

/** A row of `build_jobs`. Moments in milliseconds. */
export interface BuildJob {
  readonly id: number;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed';
  readonly reason: string;
  readonly requested_at: number;
  /** A job that was asked for in the future is due all the same: the clock has been put back since. */
  readonly not_before: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  readonly heartbeat_at: number | null;
  readonly runner: string | null;
  readonly progress: JobProgress;
  readonly error: string | null;
  readonly release_id: string | null;
}

type Row = Omit<BuildJob, 'progress'> & { readonly progress: string };

const present = (row: Row): BuildJob => ({ ...row, progress: JSON.parse(row.progress) as JobProgress });

/** Longest text of joined reasons, in characters; later ones are told by the release anyway. */
const reasonsLength = 500;

/**
 * Puts a job into the queue or joins the one that waits there: reasons add up, the earlier of both times counts.
 * Answers the job's id.
 */
export async function enqueue(
  db: Database,
  job: { reason: string; requestedAt: number; notBefore: number; progress: JobProgress },
): Promise<number> {
  // The conflict target names the partial unique index, which both databases understand in the same words.
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

/** Whether somebody should run a build now: a job is due and none runs, or the one that runs seems dead. */
export async function isWorkDue(db: Database, now: number): Promise<boolean> {
  // Each state in the words of its partial index: every process asks this every second, and jobs are never removed.
  const waiting: Row[] = await db('build_jobs')
    .whereRaw("status = 'queued'")
    .select('*')
    .unionAll([db('build_jobs').whereRaw("status = 'running'").select('*')]);
  const running = waiting.find(({ status }) => status === 'running');
  if (running) return isDead(running, now);
  if (await hasTakedowns(db)) return true;
  if ((await pinnedReleaseId(db)) !== null) return false;
  return waiting.some((job) => job.not_before <= now || job.requested_at > now);
}

/** Whether the runner shows no life: for long, or for a moment when its process is known to be gone. */
function isDead({ heartbeat_at, runner }: Pick<Row, 'heartbeat_at' | 'runner'>, now: number): boolean {
  // A sign of life from the future is one from before the clock was put back: whoever lives gives a new one each second.
  const silence = Math.abs(now - (heartbeat_at ?? 0));
  if (silence > buildDeadAfterMs) return true;
  // The moment is for what the dead process had started: it ends by itself.
  return silence > buildGoneAfterMs && isGone(runner ?? '');
}

/** Whether a job runs whose runner is dead. */
export async function isRunnerDead(db: Database, now: number): Promise<boolean> {
  const running = await runningJob(db);
  return running !== null && isDead(running, now);
}

/** Fails the running job when its runner is dead, and answers it as it was. */
export async function failDeadJob(db: Database, now: number, error: string): Promise<BuildJob | null> {
  const running = await runningJob(db);
  if (!running || !isDead(running, now)) return null;
  const rows = await returned<Row>(
    db,
    // Another process may have ended it since our look, and its runner may have shown life.
    `update build_jobs set status = 'failed', finished_at = ?, error = ?
     where id = ? and status = 'running' and coalesce(heartbeat_at, 0) = ? returning *`,
    [now, error, running.id, running.heartbeat_at ?? 0],
  );
  return rows[0] ? present(rows[0]) : null;
}

/** Fails every build that waits or runs. */
export async function cancelJobs(trx: Database, now: number, error: string): Promise<void> {
  await trx('build_jobs')
    .where((job) => void job.where({ status: 'queued' }).orWhere(isBuilding))
    .update({ status: 'failed', finished_at: now, error });
}

/** Fails the build that runs. */
export async function cancelRunningJob(trx: Database, now: number, error: string): Promise<void> {
  await trx('build_jobs').where(isBuilding).update({ status: 'failed', finished_at: now, error });
}

/** A running job with this reason is no build: removed polls are being taken out of the releases. */
const takedown = 'takedown';
type Query = ReturnType<Database>;

const isBuilding = (job: Query) => void job.where({ status: 'running' }).whereNot({ reason: takedown });
const isTakedown = (job: Query) => void job.where({ status: 'running', reason: takedown });

/** Takes the place of the running job for a takedown, and answers its id; null while something runs. */
export async function beginTakedown(db: Database, now: number, runner: string): Promise<number | null> {
  const rows = await returned<{ id: number }>(
    db,
    `insert into build_jobs (status, reason, requested_at, not_before, heartbeat_at, runner)
     values ('running', ?, ?, ?, ?, ?) on conflict (status) where status = 'running' do nothing returning id`,
    [takedown, now, now, now, runner],
  );
  return rows[0]?.id ?? null;
}

/** Leaves the place of the running job. */
export async function endTakedown(db: Database, job: { id: number; runner: string }): Promise<void> {
  await db('build_jobs').where(job).where(isTakedown).del();
}

/** Clears the place that a takedown has left when its process died. */
export async function endDeadTakedown(db: Database, now: number): Promise<void> {
  const running = await runningJob(db);
  if (running?.reason !== takedown || !isDead(running, now)) return;
  await db('build_jobs').where({ id: running.id, heartbeat_at: running.heartbeat_at }).where(isTakedown).del();
}

/** Fails the job that waits and is due: the process that should have built it did not come so far. */
export async function failDueJob(db: Database, now: number, error: string): Promise<void> {
  await db('build_jobs')
    .where({ status: 'queued' })
    .where((due) => void due.where('not_before', '<=', now).orWhere('requested_at', '>', now))
    .update({ status: 'failed', finished_at: now, error });
}

/** When the newest build began, whatever became of it; null before the first. */
export async function newestBegin(db: Database): Promise<number | null> {
  // Jobs begin in the order of their ids: one waits at most, and it is not there before the one that waited has begun.
  const newest = await db('build_jobs')
    .whereNotNull('started_at')
    .orderBy('id', 'desc')
    .first<{ started_at: number } | undefined>('started_at');
  return newest?.started_at ?? null;
}

/**
 * Takes the job that waits, when it is due and nobody builds; null otherwise. One statement, so that two never win. The
 * job names its release from then on, so that nobody takes a folder for left over that is being built.
 */
export async function claimDueJob(
  db: Database,
  now: number,
  runner: string,
  releaseId = newReleaseId(now),
): Promise<BuildJob | null> {
  try {
    const rows = await returned<Row>(
      db,
      `update build_jobs set status = 'running', started_at = ?, heartbeat_at = ?, runner = ?, release_id = ?
       where status = 'queued' and (not_before <= ? or requested_at > ?)
         and not exists (select 1 from build_jobs as other where other.status = 'running')
         and not exists (select 1 from site_releases where pinned)
       returning *`,
      [now, now, runner, releaseId, now, now],
    );
    return rows[0] ? present(rows[0]) : null;
  } catch (error) {
    // Another process claimed a job between our look and our write: the unique index decided.
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

/** Tells that the runner lives and how far it is; false when the job is no longer its own. */
export async function beat(
  db: Database,
  job: { id: number; runner: string },
  now: number,
  progress: JobProgress,
): Promise<boolean> {
  const updated = await db('build_jobs')
    .where({ id: job.id, runner: job.runner, status: 'running' })
    .update({ heartbeat_at: now, progress: JSON.stringify(progress) });
  return updated === 1;
}

/** Ends a job of this runner; false, and nothing happens, when it is no longer its own. */
export async function finishJob(
  db: Database,
  job: { id: number; runner: string },
  end: { status: 'succeeded' } | { status: 'failed'; error: string },
  now: number,
): Promise<boolean> {
  const updated = await db('build_jobs')
    .where({ id: job.id, runner: job.runner, status: 'running' })
    .update({ finished_at: now, ...end });
  return updated === 1;
}

export async function findJob(db: Database, id: number): Promise<BuildJob | null> {
  const row = await db('build_jobs').where({ id }).first<Row | undefined>();
  return row ? present(row) : null;
}

/** The newest jobs, newest first: the one that waits or runs is among them. */
export async function newestJobs(db: Database, count: number): Promise<BuildJob[]> {
  const rows = await db('build_jobs').whereNot(isTakedown).orderBy('id', 'desc').limit(count).select<Row[]>('*');
  return rows.map(present);
}

/** The job that runs, or null. */
export async function runningJob(db: Database): Promise<BuildJob | null> {
  const row = await db('build_jobs').where({ status: 'running' }).first<Row | undefined>();
  return row ? present(row) : null;
}

/** A row of `site_releases`. */
export interface ReleaseRow {
  readonly id: string;
  readonly created_at: number;
  readonly published_at: number | null;
  readonly pages: number;
  readonly bytes: number;
  readonly is_current: boolean | 0 | 1;
  /** No build replaces it. */
  readonly pinned: boolean | 0 | 1;
}

/** Records that a release is the one that is served, in the transaction that makes it so. */
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

/** The release that no build replaces; null when there is none. */
export async function pinnedReleaseId(db: Database): Promise<string | null> {
  // In the words of the partial index.
  const row = await db('site_releases').whereRaw('pinned').first<{ id: string } | undefined>('id');
  return row?.id ?? null;
}

/** Waits for whoever changes which release is served, until the transaction ends. */
export async function holdCurrentRelease(trx: Database): Promise<void> {
  await trx('site_releases').where('is_current', true).forUpdate().select('id');
}

/** Lets builds replace a pinned release again, but for the one with the id of `except`; false when none was pinned. */
export async function unpinReleases(db: Database, except: string | null = null): Promise<boolean> {
  const pinned = db('site_releases').where('pinned', true);
  return (await (except === null ? pinned : pinned.whereNot('id', except)).update({ pinned: false })) > 0;
}

/** Forgets the releases whose folders are gone. */
export async function forgetReleases(db: Database, kept: readonly string[]): Promise<void> {
  await db('site_releases').whereNotIn('id', kept).where('is_current', false).delete();
}

export async function findRelease(db: Database, id: string): Promise<ReleaseRow | null> {
  return (await db('site_releases').where({ id }).first<ReleaseRow | undefined>()) ?? null;
}

/** Rows of a statement with `returning`, which knex answers in another shape for each database. */
async function returned<T>(db: Database, sql: string, bindings: readonly (string | number)[]): Promise<T[]> {
  const answer = (await db.raw(sql, bindings)) as T[] | { rows: T[] };
  return Array.isArray(answer) ? answer : answer.rows;
}
