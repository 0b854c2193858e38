import type { Database } from '#platform/database.ts';
import { isGone } from '#platform/runner.ts';
import { BuildJob } from './build-job.model.ts';
import type { JobProgress, JobSubject } from './build-job.model.ts';

/** Milliseconds without a heartbeat after which a running build counts as dead. */
const buildDeadAfterMs = 30_000;
/** The same when its process is known to have ended. */
const buildGoneAfterMs = 3_000;

/** Whether the last heartbeat is too old; for a process that is known to be gone, a few seconds suffice. */
function isDead({ heartbeat_at, runner }: Pick<BuildJob, 'heartbeat_at' | 'runner'>, now: number): boolean {
  // A heartbeat from the future was written before the clock was set back; a live runner writes a new one each second.
  const silence = Math.abs(now - (heartbeat_at ?? 0));
  if (silence > buildDeadAfterMs) return true;
  // The delay gives child processes of the dead runner time to exit.
  return silence > buildGoneAfterMs && isGone(runner ?? '');
}

/** Fails the running job if its runner is dead; false if there is none. */
export async function failDeadJob(db: Database, now: number, error: string): Promise<boolean> {
  const running = await runningJob(db);
  if (!running || !isDead(running, now)) return false;
  const { id, heartbeat_at } = running;
  // Another process may have ended it since then, or its runner may have sent a heartbeat.
  const failed = await BuildJob.query(db)
    .where({ id, status: 'running', heartbeat_at })
    .patch({ status: 'failed', finished_at: now, error });
  return failed === 1;
}

/** Begins a job and returns its id; null while one is running. */
export async function beginJob(
  db: Database,
  now: number,
  {
    runner,
    reason,
    about = [],
  }: { readonly runner: string; readonly reason: string; readonly about?: readonly JobSubject[] },
): Promise<number | null> {
  const rows = await db('build_jobs')
    .insert({ status: 'running', reason, about: JSON.stringify(about), runner, started_at: now, heartbeat_at: now })
    .onConflict(db.raw("(status) where status = 'running'") as never)
    .ignore()
    .returning<{ id: number }[]>('id');
  return rows[0]?.id ?? null;
}

interface OwnJob {
  readonly id: number;
  readonly runner: string;
}

/** A running job of this runner; no row if it no longer belongs to it. */
const ownJob = (db: Database, { id, runner }: OwnJob) => BuildJob.query(db).where({ id, runner, status: 'running' });

/** Records a heartbeat and the progress; false if the job no longer belongs to this runner. */
export async function recordHeartbeat(db: Database, job: OwnJob, now: number, progress: JobProgress): Promise<boolean> {
  return (await ownJob(db, job).patch({ heartbeat_at: now, progress })) === 1;
}

/** How a job ended: the number of files that it changed, and the first error. */
export interface JobEnd {
  readonly changed: number;
  /** With it the job counts as failed although the rest was published. */
  readonly error?: string | undefined;
}

const outcomeOf = ({ changed, error }: JobEnd) =>
  ({ status: error === undefined ? 'succeeded' : 'failed', changed, error: error ?? null }) as const;

/** Ends a job of this runner; false, without any change, if it no longer belongs to it. */
export async function finishJob(db: Database, job: OwnJob, end: JobEnd, now: number): Promise<boolean> {
  return (await ownJob(db, job).patch({ finished_at: now, ...outcomeOf(end) })) === 1;
}

/** Inserts a publish that is over; returns its id. */
export async function insertEndedJob(
  db: Database,
  {
    reason,
    about,
    startedAt,
    ...end
  }: { readonly reason: string; readonly about: readonly JobSubject[]; readonly startedAt: number } & JobEnd,
  now: number,
): Promise<number> {
  const [row] = await db('build_jobs')
    .insert({ reason, about: JSON.stringify(about), started_at: startedAt, finished_at: now, ...outcomeOf(end) })
    .returning<{ id: number }[]>('id');
  return row!.id;
}

/** Deletes a running job of this runner; false, without any change, if it no longer belongs to it. */
export async function deleteJob(db: Database, job: OwnJob): Promise<boolean> {
  return (await ownJob(db, job).delete()) === 1;
}

export async function findJob(db: Database, id: number): Promise<BuildJob | null> {
  return (await BuildJob.query(db).findById(id)) ?? null;
}

/** The newest jobs, newest first, including the queued or running one. */
export async function newestJobs(db: Database, count: number): Promise<BuildJob[]> {
  return BuildJob.query(db).orderBy('id', 'desc').limit(count);
}

/** The running job, or null. */
export async function runningJob(db: Database): Promise<BuildJob | null> {
  return (await BuildJob.query(db).findOne({ status: 'running' })) ?? null;
}

/** Jobs that are kept for the operator. */
const jobsKept = 200;

/** Deletes old jobs. */
export async function forgetJobs(db: Database, newest: number): Promise<void> {
  await BuildJob.query(db)
    .where('id', '<=', newest - jobsKept)
    .delete();
}

/** The last publish that changed pages: its id, and when it ended in milliseconds; null before the first one. */
export async function lastPublish(db: Database): Promise<{ readonly id: number; readonly at: number } | null> {
  const job = await BuildJob.query(db)
    .where('changed', '>', 0)
    .whereNotNull('finished_at')
    .orderBy('id', 'desc')
    .first();
  return job ? { id: job.id, at: Number(job.finished_at) } : null;
}
