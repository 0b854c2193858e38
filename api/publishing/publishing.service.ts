import type { Clock } from '#platform/clock.ts';
import { beginWriting } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { errorOf } from '#platform/errors.ts';
import { publishingTexts } from '#texts/publishing.ts';
import {
  recordHeartbeat,
  cancelRunningJob,
  claimDueJob,
  endStaleTakedown,
  enqueue,
  failDeadJob,
  findJob,
  finishJob,
  isRunnerDead,
  newRunner,
  newestJobStart,
} from './jobs.queries.ts';
import type { BuildJob, JobProgress } from './build-job.model.ts';
import { insertTakedowns } from './takedowns.queries.ts';

/** Milliseconds that a requested build waits for more requests. */
export const publishDebounceMs = 2_000;
/** The same where the live list shows the change anyway: a community poll was created or closed. */
export const publishListMs = 5 * 60_000;
/** Milliseconds between checks for a job that is due, or for the end of another build. */
export const publishPollMs = 1_000;

/**
 * Requests a build of the site. Requests within `patienceMs` become one build; nothing is built here. When called with
 * a transaction, the request commits or rolls back with it. It must be the last statement there: every request locks
 * the same row, and transactions that lock it and another row in different orders deadlock.
 */
export async function requestBuild(
  db: Database,
  clock: Clock,
  reason: string,
  patienceMs: number = publishDebounceMs,
): Promise<void> {
  const now = clock.now();
  await enqueue(db, { reason, requestedAt: now, notBefore: now + patienceMs, progress: {} });
}

/**
 * Requests that deleted polls are removed from every release, and requests a build. A running build may still contain
 * them: with `restart` it is restarted, otherwise the takedown waits for its end. Call it in the transaction that
 * deletes the polls.
 */
export async function requestTakedown(
  trx: Database,
  clock: Clock,
  pollIds: readonly string[],
  { reason, restart }: { readonly reason: string; readonly restart: boolean },
): Promise<void> {
  if (pollIds.length === 0) return;
  const now = clock.now();
  await insertTakedowns(trx, pollIds, now);
  if (restart) await cancelRunningJob(trx, now, publishingTexts.pollsRemoved);
  await requestBuild(trx, clock, reason);
}

/** Requests a build without waiting for further requests and returns the job’s id. */
export async function requestBuildNow(
  db: Database,
  clock: Clock,
  reason: string,
  options: { force?: boolean } = {},
): Promise<number> {
  const now = clock.now();
  const progress: JobProgress = options.force === true ? { force: true } : {};
  return enqueue(db, { reason, requestedAt: now, notBefore: now, progress });
}

/** When the newest build started to read the database, whatever its outcome; null before the first. */
export function newestBuildStart(db: Database): Promise<number | null> {
  return newestJobStart(db);
}

/** A running build’s access to its job. */
export interface RunningBuild {
  readonly job: BuildJob;
  /** The id that its release must use. */
  readonly releaseId: string;
  /** Aborts when the job is lost to another runner or the process is asked to stop. */
  readonly signal: AbortSignal;
  /** Records the progress, which is written to the database with the next heartbeat. */
  readonly report: (progress: Pick<JobProgress, 'step' | 'done' | 'total'>) => void;
  /** Throws if the job no longer belongs to this runner, which then must not write anything. */
  readonly confirm: () => Promise<void>;
  /**
   * Ends the job successfully in one transaction with `switchOver`, which makes the release current. Throws, without
   * calling `switchOver`, if the job no longer belongs to this runner.
   */
  readonly publish: (switchOver: (trx: Database) => Promise<void>) => Promise<void>;
}

export type BuildOutcome =
  | { readonly status: 'nothing-due' }
  | { readonly status: 'succeeded'; readonly job: BuildJob; readonly releaseId: string }
  | { readonly status: 'failed'; readonly job: BuildJob; readonly error: Error };

/** How often a job is restarted after its runner died before it counts as failed. */
const deathsAllowed = 2;

/** Runs the due build unless another process does; the claim is one statement with two unique indexes. */
export async function runNextBuild(options: {
  db: Database;
  clock: Clock;
  build: (running: RunningBuild) => Promise<void>;
  signal?: AbortSignal;
  heartbeatMs?: number;
}): Promise<BuildOutcome> {
  const { db, clock, build } = options;
  await reviveDeadJob(db, clock);
  const runner = newRunner();
  const job = await claimDueJob(db, clock.now(), runner);
  if (!job) return { status: 'nothing-due' };

  const own = { id: job.id, runner };
  const releaseId = job.release_id ?? '';
  const lost = new AbortController();
  let progress: JobProgress = job.progress;
  let lastHeartbeat: Promise<void> = Promise.resolve();
  const abortLost = async (): Promise<never> => {
    // The process that took the job recorded the reason in it.
    const reason = (await findJob(db, job.id))?.error ?? publishingTexts.jobLost;
    const error = new Error(reason === publishingTexts.runnerDied ? publishingTexts.jobLost : reason);
    lost.abort(error);
    throw error;
  };
  const sendHeartbeat = async () => {
    if (!(await recordHeartbeat(db, own, clock.now(), progress))) await abortLost();
  };
  const timer = setInterval(() => {
    // A short database outage is no reason to stop building; the lease expires on its own.
    lastHeartbeat = lastHeartbeat.then(sendHeartbeat).catch(() => undefined);
  }, options.heartbeatMs ?? publishPollMs);
  timer.unref();
  const stopHeartbeat = async () => {
    clearInterval(timer);
    await lastHeartbeat;
  };
  const confirm = async () => {
    await sendHeartbeat();
    options.signal?.throwIfAborted();
  };

  try {
    await build({
      job,
      releaseId,
      signal: options.signal ? AbortSignal.any([options.signal, lost.signal]) : lost.signal,
      report(next) {
        progress = { ...progress, ...next, log: logged(progress.log ?? [], next, clock.now()) };
      },
      confirm,
      async publish(switchOver) {
        await stopHeartbeat();
        await confirm();
        await db.transaction(async (trx) => {
          if (!(await finishJob(trx, own, { status: 'succeeded' }, clock.now()))) throw new JobTaken();
          await switchOver(trx);
        });
      },
    });
    return { status: 'succeeded', job, releaseId };
  } catch (thrown) {
    await stopHeartbeat();
    // The progress is nice to have, but must not hide why the build failed.
    await sendHeartbeat().catch(() => undefined);
    let error = errorOf(thrown);
    if (lost.signal.aborted) error = lost.signal.reason as Error;
    else if (options.signal?.aborted) error = new Error(publishingTexts.stopped);
    // If the database can’t be written either (a full disk), the original reason must still be reported.
    await finishJob(db, own, { status: 'failed', error: error.message }, clock.now()).catch(() => undefined);
    // Stopping a service must not leave the site out of date; stopping the command may.
    if (options.signal?.aborted && !lost.signal.aborted && job.reason !== publishingTexts.reasons.command)
      await requestBuildNow(db, clock, job.reason, { force: job.progress.force === true });
    return { status: 'failed', job, error };
  } finally {
    await stopHeartbeat();
  }
}

/** Rolls back the transaction of a switch whose job was just taken away. */
class JobTaken extends Error {
  override readonly name = 'JobTaken';
}

/** The log with a new step, or with the total that the current step turned out to have. */
function logged(
  log: NonNullable<JobProgress['log']>,
  { step, total }: Pick<JobProgress, 'step' | 'total'>,
  at: number,
): NonNullable<JobProgress['log']> {
  const last = log.at(-1);
  if (step === undefined || (last?.step === step && last.total === total)) return log;
  const kept = last?.step === step ? log.slice(0, -1) : log;
  return [...kept, { step, at: last?.step === step ? last.at : at, ...(total !== undefined && { total }) }];
}

/** Ends the job of a dead runner and queues it again, unless it keeps dying. */
export async function reviveDeadJob(db: Database, clock: Clock): Promise<void> {
  const now = clock.now();
  await endStaleTakedown(db, now);
  if (!(await isRunnerDead(db, now))) return;
  await db.transaction(async (trx) => {
    // A SQLite transaction that starts by reading fails if another connection writes (such as a vote) before it does.
    await beginWriting(trx);
    const dead = await failDeadJob(trx, now, publishingTexts.runnerDied);
    if (!dead) return;
    const deaths = (dead.progress.deaths ?? 0) + 1;
    if (deaths > deathsAllowed) return;
    const progress: JobProgress = { deaths, ...(dead.progress.force === true && { force: true }) };
    await enqueue(trx, { reason: dead.reason, requestedAt: now, notBefore: now, progress });
  });
}
