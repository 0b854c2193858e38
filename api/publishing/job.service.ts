import { LeaseLost, Lease } from '#platform/jobs/lease.service.ts';
import { record } from '#api/events/record.service.ts';
import type { BuildStep, PublishedChange } from './publishing.contract.ts';
import type { Change } from '#domain/pages-of.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { priorities } from './changes.service.ts';
import type { ChangeRow } from './changes.service.ts';

/** Milliseconds between renewals of the lease, which say how far the job is. */
const renewMs = 1_000;
/** Publishes that statistics are made of. */
const publishesCounted = 200;
/** Keys that a publish keeps of changes of one kind and event. */
const keysListed = 3;

/** What a running job is doing. */
export interface JobProgress {
  readonly step?: BuildStep;
  readonly done?: number;
  readonly total?: number;
}

/** Changes of one kind and event: how many, and the keys of the first. */
export interface JobSubject extends Pick<PublishedChange, 'kind' | 'event' | 'count'> {
  readonly keys: readonly string[];
}

/** What is published since when, in milliseconds. */
interface Begun {
  readonly startedAt: number;
  readonly reason: string;
  readonly about: readonly JobSubject[];
}

/** How a job ended: the number of files that it changed, and the first error. */
export interface JobEnd {
  readonly changed: number;
  /** With it the job counts as failed although the rest was published. */
  readonly error?: string | undefined;
}

/** A publish that is over, as an event says it. */
export interface EndedPublish extends Begun, JobEnd {
  readonly id: number;
  readonly finishedAt: number;
}

/** The publish that runs: the payload of the job `publisher`. */
export interface RunningPublish extends Begun {
  readonly progress: JobProgress;
  readonly runner: string;
}

/** The right to publish, which one process has at a time. */
export interface PublishJob {
  /** Aborts when another process took the job over, or this one is asked to stop. */
  readonly signal: AbortSignal;
  /** Records and announces the progress, which is written to the database with the next renewal. */
  readonly report: (progress: JobProgress) => void;
  /** Runs a few milliseconds of work in a transaction that confirms the job; throws if it was lost. */
  readonly confirmed: (work: (trx: Database) => void | Promise<void>) => Promise<void>;
  /** Ends the job in one transaction with `work`. Throws, without any change, if the job was lost. */
  readonly finish: (end: JobEnd, work?: (trx: Database) => void | Promise<void>) => Promise<void>;
  /** Ends the job as failed, or forgets it if it was stopped; returns the error, or why the job was lost before. */
  readonly fail: (error: Error) => Promise<Error>;
  /** Stops the renewals; the job must have ended. */
  readonly release: () => Promise<void>;
}

interface JobContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: JobProgress) => void;
}

/** Changes that a job publishes. */
type Named = readonly (Change & Partial<Pick<ChangeRow, 'queue'>>)[];

/**
 * Begins a job that publishes what `claim` returns in the transaction that begins it; null if that is nothing, or while another
 * process publishes.
 */
export async function holdJob(
  { db, clock, signal, onProgress }: JobContext,
  claim: (trx: Database) => Named | Promise<Named>,
): Promise<PublishJob | null> {
  const lease = new Lease('publisher');
  let progress: JobProgress = {};
  const begun = await db.transaction(async (trx) => {
    const now = clock.now();
    if (!(await lease.take(trx, now))) return null;
    // A process that ended without a word.
    const left = JSON.parse(lease.left) as Partial<Begun>;
    if ('startedAt' in left)
      await recordEnd(trx, left as Begun, { changed: 0, error: publishingTexts.runnerDied }, now);
    const changes = await claim(trx);
    if (changes.length === 0) {
      await lease.release(trx);
      return null;
    }
    const about = begin(changes, now);
    await lease.confirm(trx, now, { ...about, progress });
    return about;
  });
  if (begun === null) return null;
  const lost = new AbortController();
  const confirm = (trx: Database) =>
    lease.confirm(trx, clock.now(), { ...begun, progress }).catch((error: unknown) => {
      if (!(error instanceof LeaseLost)) throw error;
      lost.abort(new Error(publishingTexts.jobLost));
      throw lost.signal.reason;
    });
  let renewal: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    // A short database outage is no reason to stop; the lease expires on its own.
    renewal = renewal.then(() => confirm(db)).catch(() => undefined);
  }, renewMs);
  timer.unref();
  const release = async () => {
    clearInterval(timer);
    await renewal;
  };
  const confirmed: PublishJob['confirmed'] = (work) =>
    db.transaction(async (trx) => {
      await confirm(trx);
      await work(trx);
    });
  return {
    signal: signal ? AbortSignal.any([signal, lost.signal]) : lost.signal,
    report(next) {
      progress = next;
      onProgress?.(next);
    },
    confirmed,
    async finish(outcome, work) {
      await release();
      await confirmed(async (trx) => {
        await lease.release(trx);
        await recordEnd(trx, begun, outcome, clock.now());
        await work?.(trx);
      });
    },
    async fail(error) {
      await release();
      // Nothing has failed that somebody must look at: the changes are still recorded, and the next start publishes them.
      const isStopped = signal?.aborted === true;
      const told = isStopped ? new Error(publishingTexts.stopped) : error;
      return confirmed(async (trx) => {
        await lease.release(trx);
        if (!isStopped) await recordEnd(trx, begun, { changed: 0, error: error.message }, clock.now());
      }).then(
        () => told,
        (reason: unknown) => {
          if (lost.signal.aborted) return lost.signal.reason as Error;
          throw reason;
        },
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
  await recordEnd(trx, begin(changes, startedAt), end, now);
}

/** Webhooks hear of a publish that has changed pages. */
async function recordEnd(trx: Database, begun: Begun, { changed, error }: JobEnd, at: number): Promise<void> {
  const { startedAt, reason, about } = begun;
  const event = { at, subject: { kind: 'site', id: '' }, after: { startedAt, reason, about, changed, error } };
  if (changed > 0)
    await record(trx, { ...event, type: 'site.published', told: { publish: { id: startedAt, url: '/' } } });
  else await record(trx, { ...event, type: error === undefined ? 'site.unchanged' : 'site.failed' });
}

const begin = (changes: Named, startedAt: number): Begun => ({
  ...{ startedAt, reason: reasonOf(changes), about: aboutOf(changes) },
});

/** What is published, for the log. */
export function reasonOf(changes: Named): string {
  const [first] = changes;
  if (first === undefined) return '';
  if (first.kind === 'site') return first.key;
  if (first.queue === priorities.many) return publishingTexts.manyPolls;
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
    return { kind, event, count: keys.length, keys: keys.slice(0, keysListed) };
  });
}

/** As the index `events_of_publishes` has it. */
const ofPublishes = "(type = 'site.published' or type = 'site.unchanged' or type = 'site.failed')";
const publishEvents = (db: Database) =>
  db('events').whereRaw(ofPublishes).orderBy('id', 'desc').select('id', 'at', 'after');

/** The newest publishes that are over, newest first. */
export async function endedPublishes(db: Database, count = publishesCounted): Promise<EndedPublish[]> {
  const rows = await publishEvents(db).limit(count);
  return rows.map(({ id, at, after }) => ({ ...(JSON.parse(after!) as Begun & JobEnd), id, finishedAt: at }));
}

/** Deletes the publishes that nothing counts anymore. */
export async function sweepPublishes(db: Database): Promise<void> {
  const [oldest] = await publishEvents(db).offset(publishesCounted).limit(1);
  if (oldest !== undefined) await db('events').whereRaw(ofPublishes).where('id', '<=', oldest.id).del();
}

/** The publish that runs, or null. */
export async function runningPublish(db: Database): Promise<RunningPublish | null> {
  const row = await db('jobs').where({ kind: 'publisher', key: '' }).first('payload', 'lease');
  const said = JSON.parse(row?.payload ?? '{}') as Partial<RunningPublish>;
  return 'startedAt' in said ? { ...(said as RunningPublish), runner: row?.lease ?? '' } : null;
}

/** The last publish that changed pages: its id, and when it ended in milliseconds; null before the first one. */
export async function lastPublish(db: Database): Promise<{ readonly id: number; readonly at: number } | null> {
  const [row] = await publishEvents(db).where('type', 'site.published').limit(1);
  return row ? { id: row.id, at: row.at } : null;
}

/** The publishes that failed since the last one that succeeded, newest first. */
export async function failedPublishes(db: Database): Promise<EndedPublish[]> {
  const ended = await endedPublishes(db);
  const succeeded = ended.findIndex(({ error }) => error === undefined);
  return succeeded === -1 ? ended : ended.slice(0, succeeded);
}
