import type { Clock } from '#platform/clock.ts';
import { beginWriting } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { errorOf } from '#platform/errors.ts';
import { publishingTexts } from '#texts/publishing.ts';
import {
  beat,
  cancelRunningJob,
  claimDueJob,
  endDeadTakedown,
  enqueue,
  failDeadJob,
  findJob,
  finishJob,
  isRunnerDead,
  newestBegin,
} from './jobs.queries.ts';
import type { BuildJob, JobProgress } from './jobs.queries.ts';
import { newRunner } from './runner.ts';
import { insertTakedowns } from './takedowns.queries.ts';

/** Milliseconds that a requested build waits for more requests. */
export const publishDebounceMs = 2_000;
/** The same where the live list shows the change anyway: a community poll was created or closed. */
export const publishListMs = 5 * 60_000;
/** Milliseconds between checks for a job that is due, or for the end of another build. */
export const publishPollMs = 1_000;

/**
 * Asks for a build of the site. Requests that come within `patienceMs` become one build; nothing is built here.
 * A transaction may pass itself: the request then commits or rolls back with it. It is the last statement there: every
 * request locks the same row, and two transactions that lock it and another row in different orders deadlock.
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
 * Has polls that were removed taken out of every release, and asks for a build. A build that runs may still show them;
 * with `restart` it is restarted, or the takedown waits for its end. To be called in the transaction that removes them.
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

/** Asks for a build that need not wait for more requests, and answers the job's id. */
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

/** When the newest build began to read the database, whatever became of it; null before the first. */
export function newestBuildBegan(db: Database): Promise<number | null> {
  return newestBegin(db);
}

/** What a build does while it holds its job. */
export interface RunningBuild {
  readonly job: BuildJob;
  /** The id that its release has to have. */
  readonly releaseId: string;
  /** Ends when the job was lost to another runner or the process is asked to stop. */
  readonly signal: AbortSignal;
  /** Notes how far the build is; written to the database with the next sign of life. */
  readonly report: (progress: Pick<JobProgress, 'step' | 'done' | 'total'>) => void;
  /** Throws when the job is no longer this runner's: nothing may be written then. */
  readonly confirm: () => Promise<void>;
  /**
   * Ends the job with success in one transaction with `switchOver`, which makes the release the one that is served. Throws,
   * and `switchOver` does not happen, when the job is no longer this runner's.
   */
  readonly publish: (switchOver: (trx: Database) => Promise<void>) => Promise<void>;
}

export type BuildOutcome =
  | { readonly status: 'nothing-due' }
  | { readonly status: 'succeeded'; readonly job: BuildJob; readonly releaseId: string }
  | { readonly status: 'failed'; readonly job: BuildJob; readonly error: Error };

/** How often a job is started again after its runner died, before it counts as failed for good. */
const deathsAllowed = 2;

/** Runs the build that is due, if nobody else does. Whichever process asks, and however many do: the claim is one statement and two unique indexes. */
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
  let beating: Promise<void> = Promise.resolve();
  const lose = async (): Promise<never> => {
    // Who took the job away has left a word in it.
    const reason = (await findJob(db, job.id))?.error ?? publishingTexts.jobLost;
    const error = new Error(reason === publishingTexts.runnerDied ? publishingTexts.jobLost : reason);
    lost.abort(error);
    throw error;
  };
  const tell = async () => {
    if (!(await beat(db, own, clock.now(), progress))) await lose();
  };
  const timer = setInterval(() => {
    // A database that is away for a moment is no reason to stop building; the claim runs out by itself.
    beating = beating.then(tell).catch(() => undefined);
  }, options.heartbeatMs ?? publishPollMs);
  timer.unref();
  const stopBeating = async () => {
    clearInterval(timer);
    await beating;
  };
  const confirm = async () => {
    await tell();
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
        await stopBeating();
        await confirm();
        await db.transaction(async (trx) => {
          if (!(await finishJob(trx, own, { status: 'succeeded' }, clock.now()))) throw new JobTaken();
          await switchOver(trx);
        });
      },
    });
    return { status: 'succeeded', job, releaseId };
  } catch (thrown) {
    await stopBeating();
    // How far it came is worth knowing, but not worth losing why it failed.
    await tell().catch(() => undefined);
    let error = errorOf(thrown);
    if (lost.signal.aborted) error = lost.signal.reason as Error;
    else if (options.signal?.aborted) error = new Error(publishingTexts.stopped);
    // Of a database that cannot be written either (a full disk) the reason must still come out.
    await finishJob(db, own, { status: 'failed', error: error.message }, clock.now()).catch(() => undefined);
    // Who stops a service does not mean to leave the site out of date; who stops the command does.
    if (options.signal?.aborted && !lost.signal.aborted && job.reason !== publishingTexts.reasons.command)
      await requestBuildNow(db, clock, job.reason, { force: job.progress.force === true });
    return { status: 'failed', job, error };
  } finally {
    await stopBeating();
  }
}

/** Leaves the transaction of a switch whose job was taken away a moment ago. */
class JobTaken extends Error {
  override readonly name = 'JobTaken';
}

/** The log with a step that begins, or with the number of things that the step turned out to have. */
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

/** Ends the job of a runner that has died and queues it again, unless it keeps dying. */
export async function reviveDeadJob(db: Database, clock: Clock): Promise<void> {
  const now = clock.now();
  await endDeadTakedown(db, now);
  if (!(await isRunnerDead(db, now))) return;
  await db.transaction(async (trx) => {
    // A transaction of SQLite that begins by reading fails when somebody writes before it does, such as a vote.
    await beginWriting(trx);
    const dead = await failDeadJob(trx, now, publishingTexts.runnerDied);
    if (!dead) return;
    const deaths = (dead.progress.deaths ?? 0) + 1;
    if (deaths > deathsAllowed) return;
    const progress: JobProgress = { deaths, ...(dead.progress.force === true && { force: true }) };
    await enqueue(trx, { reason: dead.reason, requestedAt: now, notBefore: now, progress });
  });
}
