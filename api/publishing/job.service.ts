import { record } from '#api/events/record.service.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { newRunner } from '#platform/runner.ts';
import { publishingTexts } from '#texts/publishing.ts';
import {
  beginJob,
  deleteJob,
  failDeadJob,
  findJob,
  finishJob,
  forgetJobs,
  insertEndedJob,
  recordHeartbeat,
} from './jobs.queries.ts';
import type { JobEnd } from './jobs.queries.ts';
import type { JobProgress, JobSubject } from './build-job.model.ts';

/** Milliseconds between heartbeats. */
const heartbeatMs = 1_000;

/** The right to publish, which one process has at a time. */
export interface Job {
  readonly id: number;
  /** Aborts when another process took the job over or canceled it, or this one is asked to stop. */
  readonly signal: AbortSignal;
  /** Records and announces the progress, which is written to the database with the next heartbeat. */
  readonly report: (progress: JobProgress) => void;
  /** Runs a few milliseconds of work in a transaction that confirms the job; throws if it was lost. */
  readonly confirmed: (work: (trx: Database) => void | Promise<void>) => Promise<void>;
  /** Ends the job in one transaction with `work`. Throws, without any change, if the job was lost. */
  readonly finish: (end: JobEnd, work?: (trx: Database) => void | Promise<void>) => Promise<void>;
  /** Ends the job as failed, or forgets it if it was stopped; returns the error, or why the job was lost before. */
  readonly fail: (error: Error) => Promise<Error>;
  /** Stops the heartbeats; the job must have ended. */
  readonly release: () => Promise<void>;
}

interface JobContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: JobProgress) => void;
}

/**
 * Begins a job unless one is running; null if another process has it. The job of a dead process is ended first. `also` is part
 * of the transaction that begins it.
 */
export async function holdJob(
  { db, clock, signal, onProgress }: JobContext,
  reason: string,
  about: readonly JobSubject[] = [],
  also?: (trx: Database) => Promise<void>,
): Promise<Job | null> {
  await failDeadJob(db, clock.now(), publishingTexts.runnerDied);
  const runner = newRunner();
  const id = await db.transaction(async (trx) => {
    const begun = await beginJob(trx, clock.now(), { runner, reason, about });
    if (begun !== null) await also?.(trx);
    return begun;
  });
  if (id === null) return null;
  const own = { id, runner };
  let progress: JobProgress = {};
  const taken = new AbortController();
  const confirm = async (trx: Database) => {
    if (await recordHeartbeat(trx, own, clock.now(), progress)) return;
    // The process that took the job recorded the reason in it.
    const reason = (await findJob(trx, id))?.error ?? publishingTexts.jobLost;
    const error = new Error(reason === publishingTexts.runnerDied ? publishingTexts.jobLost : reason);
    taken.abort(error);
    throw error;
  };
  let heartbeat: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    // A short database outage is no reason to stop; the lease expires on its own.
    heartbeat = heartbeat.then(() => confirm(db)).catch(() => undefined);
  }, heartbeatMs);
  timer.unref();
  const release = async () => {
    clearInterval(timer);
    await heartbeat;
  };
  return {
    id,
    signal: signal ? AbortSignal.any([signal, taken.signal]) : taken.signal,
    report(next) {
      progress = next;
      onProgress?.(next);
    },
    confirmed: (work) =>
      db.transaction(async (trx) => {
        await confirm(trx);
        await work(trx);
      }),
    async finish(end, work) {
      await release();
      await db.transaction(async (trx) => {
        // Throws why the job was lost.
        if (!(await finishJob(trx, own, end, clock.now()))) await confirm(trx);
        await forgetJobs(trx, id);
        await announce(trx, id, end, clock.now());
        await work?.(trx);
      });
    },
    async fail(error) {
      await release();
      const isStopped = signal?.aborted === true;
      if (isStopped) error = new Error(publishingTexts.stopped);
      // Nothing has failed that somebody must look at: the changes are still recorded, and the next start publishes them.
      const isEnded = isStopped
        ? await deleteJob(db, own)
        : await finishJob(db, own, { changed: 0, error: error.message }, clock.now());
      if (isEnded) return error;
      return confirm(db).then(
        () => error,
        (lost: unknown) => lost as Error,
      );
    },
    release,
  };
}

/** Records a publish that was part of a longer job, in the transaction of its end. */
export async function recordEnded(
  trx: Database,
  publish: { readonly reason: string; readonly about: readonly JobSubject[]; readonly startedAt: number } & JobEnd,
  now: number,
): Promise<void> {
  await announce(trx, await insertEndedJob(trx, publish, now), publish, now);
}

/** Notifies webhooks of a publish that has changed pages. */
async function announce(trx: Database, id: number, { changed }: JobEnd, at: number): Promise<void> {
  const subject = { kind: 'site', id: '' };
  if (changed > 0) await record(trx, { type: 'site.published', at, subject, after: { publish: { id, url: '/' } } });
}
