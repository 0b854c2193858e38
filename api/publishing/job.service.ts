import type { ReleaseRecord } from '#contract/publishing.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { publishingTexts } from '#texts/publishing.ts';
import {
  beginJob,
  failDeadJob,
  findJob,
  finishJob,
  forgetReleases,
  holdCurrentRelease,
  newRunner,
  pinnedReleaseId,
  recordCurrentRelease,
  recordHeartbeat,
} from './jobs.queries.ts';
import { keptReleases } from './releases.ts';

/** Milliseconds between heartbeats. */
const heartbeatMs = 1_000;

/** The right to change releases, which one process has at a time. */
export interface Job {
  readonly id: number;
  /** Aborts when another process took the job over or canceled it, or this one is asked to stop. */
  readonly signal: AbortSignal;
  /** Why the job was lost; null while it is held. */
  readonly lost: () => Error | null;
  /** Runs a few synchronous milliseconds of work in a transaction that confirms the job; throws if it was lost. */
  readonly portion: (work: () => void) => Promise<void>;
  /**
   * Ends the job in one transaction with `work`, which makes a release the current one, and with `also`. With `error`, the
   * job counts as failed although the rest was published.
   */
  readonly finish: (
    release: ReleaseRecord | null,
    error: Error | null,
    work: () => void,
    also: (trx: Database) => Promise<void>,
  ) => Promise<void>;
  readonly fail: (error: Error) => Promise<void>;
  /** Stops the heartbeats; the job must have ended. */
  readonly release: () => Promise<void>;
}

interface JobContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly dataDir: string;
  readonly signal?: AbortSignal;
}

/** Begins a job unless one is running; null if another process has it. The job of a dead process is ended first. */
export async function holdJob({ db, clock, dataDir, signal }: JobContext, reason: string): Promise<Job | null> {
  await failDeadJob(db, clock.now(), publishingTexts.runnerDied);
  const runner = newRunner();
  const id = await beginJob(db, clock.now(), { runner, reason });
  if (id === null) return null;
  const own = { id, runner };
  const taken = new AbortController();
  const confirm = async (trx: Database) => {
    if (await recordHeartbeat(trx, own, clock.now(), {})) return;
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
    lost: () => {
      if (taken.signal.aborted) return taken.signal.reason as Error;
      return signal?.aborted === true ? new Error(publishingTexts.stopped) : null;
    },
    portion: (work) =>
      db.transaction(async (trx) => {
        await confirm(trx);
        work();
      }),
    async finish(record, error, work, also) {
      await release();
      await confirm(db);
      await db.transaction(async (trx) => {
        const end =
          error === null
            ? ({ status: 'succeeded', release_id: record?.id ?? null } as const)
            : ({ status: 'failed', error: error.message } as const);
        if (!(await finishJob(trx, own, end, clock.now()))) throw new Error(publishingTexts.jobLost);
        await also(trx);
        if (record !== null) {
          await holdCurrentRelease(trx);
          if ((await pinnedReleaseId(trx)) !== null) throw new Error(publishingTexts.pinnedMeanwhile);
          const { id: releaseId, pages, bytes } = record;
          const createdAt = Date.parse(record.createdAt);
          await recordCurrentRelease(trx, { id: releaseId, createdAt, pages, bytes }, clock.now());
          await forgetReleases(
            trx,
            keptReleases(dataDir).map((one) => one.id),
          );
        }
        work();
      });
    },
    async fail(error) {
      await release();
      await finishJob(db, own, { status: 'failed', error: error.message }, clock.now());
    },
    release,
  };
}
