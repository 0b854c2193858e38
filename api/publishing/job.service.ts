import { Model } from 'objection';
import { record } from '#api/events/record.service.ts';
import type { BuildStep, PublishedChange } from '#contract/publishing.ts';
import type { Change } from '#domain/pages-of.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { isGone, newRunner } from '#platform/runner.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { priorities } from './changes.service.ts';
import type { Priority } from './changes.service.ts';

/** Milliseconds between heartbeats. */
const heartbeatMs = 1_000;
/** Milliseconds without a heartbeat after which a running job counts as dead. */
const deadAfterMs = 30_000;
/** The same when its process is known to have ended: its child processes have time to exit. */
const goneAfterMs = 3_000;
/** Jobs that stay for the operator. */
const jobsKept = 200;
/** Keys that a job keeps of changes of one kind and event. */
const keysKept = 3;

/** What a running job is doing, stored as JSON. */
export interface JobProgress {
  readonly step?: BuildStep;
  readonly done?: number;
  readonly total?: number;
}

/** Changes of one kind and event: how many, and the keys of the first. */
export interface JobSubject extends Pick<PublishedChange, 'kind' | 'event' | 'count'> {
  readonly keys: readonly string[];
}

/** A row of `build_jobs`: a publish that is running or over; times in milliseconds. */
export class BuildJob extends Model {
  static override tableName = 'build_jobs';
  static override jsonAttributes = ['progress', 'about'];

  declare id: number;
  declare status: 'running' | 'succeeded' | 'failed';
  declare reason: string;
  declare about: readonly JobSubject[];
  declare started_at: number;
  declare finished_at: number | null;
  declare heartbeat_at: number | null;
  declare runner: string | null;
  declare progress: JobProgress;
  declare error: string | null;
  /** Files that it changed. */
  declare changed: number;
}

/** How a job ended: the number of files that it changed, and the first error. */
export interface JobEnd {
  readonly changed: number;
  /** With it the job counts as failed although the rest was published. */
  readonly error?: string | undefined;
}

const outcomeOf = ({ changed, error }: JobEnd) =>
  ({ status: error === undefined ? 'succeeded' : 'failed', changed, error: error ?? null }) as const;

/** The right to publish, which one process has at a time. */
export interface Job {
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

/** Changes that a job publishes. */
type Named = readonly (Change & { readonly priority?: Priority })[];

/**
 * Begins a job that publishes changes unless one is running; null if another process has it. The job of a dead process is ended
 * first. `also` is part of the transaction that begins it.
 */
export async function holdJob(
  { db, clock, signal, onProgress }: JobContext,
  changes: Named,
  also?: (trx: Database) => Promise<void>,
): Promise<Job | null> {
  await failDeadJob(db, clock.now());
  const runner = newRunner();
  const id = await db.transaction(async (trx) => {
    const now = clock.now();
    const rows = await trx('build_jobs')
      .insert({ status: 'running', ...namesOf(changes), runner, started_at: now, heartbeat_at: now })
      .onConflict(trx.raw("(status) where status = 'running'") as never)
      .ignore()
      .returning<{ id: number }[]>('id');
    if (rows.length > 0) await also?.(trx);
    return rows[0]?.id;
  });
  if (id === undefined) return null;
  /** No row if it no longer belongs to this process. */
  const own = (trx: Database) => BuildJob.query(trx).where({ id, runner, status: 'running' });
  const end = (trx: Database, outcome: JobEnd) => own(trx).patch({ finished_at: clock.now(), ...outcomeOf(outcome) });
  let progress: JobProgress = {};
  const taken = new AbortController();
  const confirm = async (trx: Database) => {
    if ((await own(trx).patch({ heartbeat_at: clock.now(), progress })) === 1) return;
    // The process that took the job recorded the reason in it.
    const reason = (await BuildJob.query(trx).findById(id))?.error ?? publishingTexts.jobLost;
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
    async finish(outcome, work) {
      await release();
      await db.transaction(async (trx) => {
        // Throws why the job was lost.
        if ((await end(trx, outcome)) === 0) await confirm(trx);
        await BuildJob.query(trx)
          .where('id', '<=', id - jobsKept)
          .delete();
        await announce(trx, id, outcome, clock.now());
        await work?.(trx);
      });
    },
    async fail(error) {
      await release();
      // Nothing has failed that somebody must look at: the changes are still recorded, and the next start publishes them.
      const isStopped = signal?.aborted === true;
      if (isStopped) error = new Error(publishingTexts.stopped);
      const ended = await (isStopped ? own(db).delete() : end(db, { changed: 0, error: error.message }));
      if (ended === 1) return error;
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
  { changes, startedAt, ...end }: { readonly changes: Named; readonly startedAt: number } & JobEnd,
  now: number,
): Promise<void> {
  const [row] = await trx('build_jobs')
    .insert({ ...namesOf(changes), started_at: startedAt, finished_at: now, ...outcomeOf(end) })
    .returning<{ id: number }[]>('id');
  await announce(trx, row!.id, end, now);
}

/** Notifies webhooks of a publish that has changed pages. */
async function announce(trx: Database, id: number, { changed }: JobEnd, at: number): Promise<void> {
  const subject = { kind: 'site', id: '' };
  if (changed > 0) await record(trx, { type: 'site.published', at, subject, after: { publish: { id, url: '/' } } });
}

/** Fails the running job if its process is dead. */
async function failDeadJob(db: Database, now: number): Promise<void> {
  const running = await runningJob(db);
  if (running === null) return;
  const { id, heartbeat_at, runner } = running;
  // A heartbeat from the future was written before the clock was set back; a live process writes a new one each second.
  const silence = Math.abs(now - (heartbeat_at ?? 0));
  if (silence <= deadAfterMs && !(silence > goneAfterMs && isGone(runner ?? ''))) return;
  // Another process may have ended it since then, or its own may have sent a heartbeat.
  await BuildJob.query(db)
    .where({ id, status: 'running', heartbeat_at })
    .patch({ status: 'failed', finished_at: now, error: publishingTexts.runnerDied });
}

const namesOf = (changes: Named) => ({ reason: reasonOf(changes), about: JSON.stringify(aboutOf(changes)) });

/** What is published, for the log. */
export function reasonOf(changes: Named): string {
  const [first] = changes;
  if (first === undefined) return '';
  if (first.kind === 'site') return first.key;
  if (first.priority === priorities.many) return publishingTexts.manyPolls;
  return publishingTexts.changed[first.kind](changes.filter(({ kind }) => kind === first.kind).map(({ key }) => key));
}

/** The same in parts that the admin page puts into words: one per kind and event. */
function aboutOf(changes: Named): JobSubject[] {
  // All pages include whatever else changed.
  const site = changes.filter(({ kind }) => kind === 'site');
  const same = Map.groupBy(site.length > 0 ? site : changes, ({ kind, event = null }) => `${kind} ${event}`);
  return [...same.values()].map((some) => {
    const { kind, event = null } = some[0]!;
    const keys = [...new Set(some.map(({ key }) => key))];
    return { kind, event, count: keys.length, keys: keys.slice(0, keysKept) };
  });
}

/** The newest jobs, newest first, including the running one. */
export async function newestJobs(db: Database, count = jobsKept): Promise<BuildJob[]> {
  return BuildJob.query(db).orderBy('id', 'desc').limit(count);
}

/** The running job, or null. */
export async function runningJob(db: Database): Promise<BuildJob | null> {
  return (await BuildJob.query(db).findOne({ status: 'running' })) ?? null;
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
