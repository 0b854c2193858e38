import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import { isGone, newRunner } from '#platform/runner.ts';
import {
  claimJob,
  dueKinds,
  enqueueMissing,
  finishJob,
  freeLeases,
  giveBackJob,
  leaseMs,
  postponeJob,
  renewLeases,
} from './jobs.service.ts';
import type { Horizons, JobName, JobRow } from './jobs.service.ts';

/** Milliseconds between two looks at what is due, and between two renewals of leases. */
const lookMs = 2_000;
const renewMs = leaseMs / 3;
const defaultStopMs = 5_000;
/** Milliseconds for what their signals abort. */
const abortMs = 500;

/** A job as the one who does it sees it. */
export interface Job {
  readonly id: number;
  readonly key: string | null;
  readonly userId: string | null;
  readonly payload: unknown;
  /** With this one. */
  readonly attempts: number;
  /** When it was to be done first, in milliseconds. */
  readonly firstDueAt: number;
  /** Aborted when another process may do the job: this one has lost the lease, or is about to end. */
  readonly signal: AbortSignal;
  /** Ends the job in a transaction, for those who write what came of it; false if it is not this process’s any more. */
  finish(trx: Database): Promise<boolean>;
}

/** A job of which an attempt failed. */
export interface FailedJob extends Job {
  /** Has it tried again or given up, in a transaction; `lost` if it is not this process’s any more. */
  retry(trx: Database): Promise<'later' | 'given-up' | 'lost'>;
}

/** Thrown by those who know more about a failure than its stack; anything else that is thrown is logged and tried again. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  /** What the log says about it. */
  readonly facts: object;
  /** Whether another attempt is useless. */
  readonly isFinal: boolean;

  constructor(facts: object, isFinal = false) {
    super('The job failed.');
    this.facts = facts;
    this.isFinal = isFinal;
  }
}

/** Jobs that are enqueued. */
export interface QueuedKind {
  /** Does a job. It can happen again if the process dies before the job is deleted. */
  readonly run: (job: Job) => Promise<unknown>;
  /**
   * Writes what follows from a failure, in a transaction in which it calls `retry`: by default, nothing. It is called for each
   * failed attempt, and when the job is given up because its processes died.
   */
  readonly recordFailure?: (job: FailedJob, failure: JobFailure) => Promise<unknown>;
  /** Milliseconds after the first, second, and later failures until the next attempt; then the job is given up. */
  readonly retryMs: readonly number[];
  /** Lanes that one process does at once. */
  readonly lanes: number;
  /** Milliseconds that they can be enqueued ahead. */
  readonly aheadMs?: number;
  /** Called when nothing more is due. */
  readonly idle?: () => void;
  /** A job can’t be stopped midway: no other process does it until the one that began has ended. */
  readonly endsWithProcess?: boolean;
  /** What the log says about a failure. */
  readonly failed: string;
}

/** Work that one process at a time repeats, or each of them. */
export interface RepeatedKind {
  readonly inEachProcess?: boolean;
  /** Does it once. The result is the time until the next one in milliseconds, if that is sooner. */
  readonly repeat: (signal: AbortSignal) => Promise<number | undefined>;
  /** Milliseconds. */
  readonly everyMs: number;
  /** Milliseconds until the next one after an error, where others would wait too long. */
  readonly afterErrorMs?: number;
  readonly failed: string;
}

export type JobKinds = Readonly<Partial<Record<JobName, QueuedKind | RepeatedKind>>>;

interface JobsContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** In the order in which they are asked for. */
  readonly kinds: JobKinds;
  /** Milliseconds that jobs under way get to end when the service stops; then their leases are given back. */
  readonly stopMs?: number;
}

/** Does jobs in the background until stopped. Any number of processes may. */
export async function startJobs(context: JobsContext): Promise<{ stop(): Promise<void> }> {
  const runner = new JobRunner(context);
  await runner.prepare();
  return runner.start();
}

/** Does what is due now, each job once, and returns how many succeeded. */
export async function runDueJobs(context: JobsContext): Promise<number> {
  const runner = new JobRunner(context, true);
  await runner.prepare();
  return runner.runDue();
}

interface UnderWay {
  readonly row: JobRow;
  /** As `performance.now()` tells it. */
  leasedAt: number;
  readonly lost: AbortController;
}

class JobRunner {
  readonly #context: JobsContext;
  /** Repeated work is done once, as for tests. */
  readonly #isOnePass: boolean;
  readonly #horizons: Horizons;
  readonly #name = newRunner();
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<UnderWay>();
  readonly #workers = new Map<Promise<void>, JobName>();
  /** Where a job failed since the last look: the next one would probably fail, too. */
  readonly #resting = new Set<JobRow>();
  /** Claims come one after the other, so that each knows which lanes are taken. */
  #claim: Promise<unknown> = Promise.resolve();
  #succeeded = 0;

  constructor(context: JobsContext, isOnePass = false) {
    this.#context = context;
    this.#isOnePass = isOnePass;
    this.#horizons = new Map(this.#kinds().map(([name, kind]) => [name, horizonOf(kind)]));
  }

  /** Adds the rows of repeated work, and takes over from processes that ended. */
  async prepare(): Promise<void> {
    const { db, clock } = this.#context;
    const now = clock.now();
    const repeated = this.#kinds().filter(([, how]) => 'repeat' in how && !how.inEachProcess);
    await enqueueMissing(
      db,
      repeated.map(([kind]) => ({ kind, key: '', dueAt: now })),
    );
    await freeLeases(db, isGone, now);
  }

  start(): { stop(): Promise<void> } {
    this.#repeatInEachProcess();
    const looking = this.#lookUntilStopped();
    return {
      stop: async () => {
        this.#stopping.abort();
        await looking;
        const atMost = (ms: number) => Promise.race([this.#allWorkers(), pause(ms, undefined, { ref: false })]);
        await atMost(this.#context.stopMs ?? defaultStopMs);
        const left = [...this.#underWay].filter(({ row }) => !this.#endsWithProcess(row));
        await Promise.allSettled(left.map(({ row }) => this.#giveBack(row, this.#context.clock.now())));
        for (const { lost } of left) lost.abort();
        await atMost(abortMs);
      },
    };
  }

  #endsWithProcess({ kind: name }: JobRow): boolean {
    const kind = this.#context.kinds[name];
    return kind !== undefined && 'run' in kind && kind.endsWithProcess === true;
  }

  async runDue(): Promise<number> {
    this.#repeatInEachProcess();
    for (const kind of await this.#due()) this.#work(kind);
    await this.#allWorkers();
    return this.#succeeded;
  }

  async #lookUntilStopped(): Promise<void> {
    const { db, clock, log } = this.#context;
    const { signal } = this.#stopping;
    let renewedAt = performance.now();
    while (!signal.aborted) {
      this.#resting.clear();
      try {
        if (performance.now() - renewedAt >= renewMs) {
          await this.#renew();
          renewedAt = performance.now();
        }
        await freeLeases(db, isGone, clock.now());
        for (const kind of await this.#due()) this.#work(kind);
      } catch (error) {
        log.error({ err: error }, 'could not look for jobs that are due; retrying');
      }
      this.#abortExpired();
      await pause(lookMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Another process may have what could not be renewed. */
  #abortExpired(): void {
    for (const { leasedAt, lost } of this.#underWay) if (performance.now() - leasedAt >= leaseMs) lost.abort();
  }

  async #renew(): Promise<void> {
    const { db, clock } = this.#context;
    const before = [...this.#underWay];
    if (before.length === 0) return;
    const ids = before.map(({ row }) => row.id);
    const renewingAt = performance.now();
    const own = await renewLeases(db, { ids, lease: this.#name, now: clock.now() });
    for (const job of before)
      if (own.has(job.row.id)) job.leasedAt = renewingAt;
      else job.lost.abort();
  }

  async #due(): Promise<JobName[]> {
    const { db, clock } = this.#context;
    const due = await dueKinds(db, this.#horizons, clock.now());
    return this.#kinds().flatMap(([name]) => (due.has(name) ? [name] : []));
  }

  /** Starts a worker for a kind of jobs, unless it has enough; it ends when nothing more is due. */
  #work(name: JobName): void {
    const kind = this.#context.kinds[name]!;
    const count = () => [...this.#workers.values()].filter((other) => other === name).length;
    if (count() >= ('repeat' in kind ? 1 : kind.lanes)) return;
    const worker = this.#workUntilIdle(name, kind).finally(() => {
      this.#workers.delete(worker);
      if (count() === 0 && 'run' in kind) kind.idle?.();
    });
    this.#workers.set(worker, name);
  }

  async #workUntilIdle(name: JobName, kind: QueuedKind | RepeatedKind): Promise<void> {
    const { log } = this.#context;
    try {
      while (!this.#stopping.signal.aborted) {
        const job = await this.#claimNext(name);
        if (job === undefined) return;
        // Another lane may be due as well.
        this.#work(name);
        await ('repeat' in kind ? this.#repeat(kind, job) : this.#do(kind, job)).finally(() =>
          this.#underWay.delete(job),
        );
      }
    } catch (error) {
      log.error({ err: error, kind: name }, 'could not read or write a job; retrying');
    }
  }

  #claimNext(kind: JobName): Promise<UnderWay | undefined> {
    const claim = async () => {
      const { db, clock } = this.#context;
      const busy = [...[...this.#underWay].map(({ row: other }) => other), ...this.#resting];
      const claimedAt = performance.now();
      const row = await claimJob(db, {
        ...{ kind, horizonMs: this.#horizons.get(kind)!, now: clock.now(), lease: this.#name },
        without: busy.filter((other) => other.kind === kind).map(({ lane }) => lane),
      });
      if (row === undefined) return undefined;
      const job = { row, leasedAt: claimedAt, lost: new AbortController() };
      this.#underWay.add(job);
      return job;
    };
    const claimed = this.#claim.then(claim, claim);
    this.#claim = claimed;
    return claimed;
  }

  async #do(kind: QueuedKind, { row, lost }: UnderWay): Promise<void> {
    const { db, clock, log } = this.#context;
    const { id } = row;
    const most = kind.retryMs.length + 1;
    const attempts = Math.min(row.attempts, most);
    const job = {
      ...{ id, attempts, key: row.key, userId: row.user_id, firstDueAt: row.first_due_at, signal: lost.signal },
      /** Throws if it can’t be read. */
      get payload() {
        return JSON.parse(row.payload) as unknown;
      },
      finish: (trx: Database) => finishJob(trx, row),
    };
    const retry = async (trx: Database, { facts, isFinal }: JobFailure) => {
      if (!isFinal) this.#resting.add(row);
      const waitMs = isFinal ? undefined : kind.retryMs[attempts - 1];
      const isOwn =
        waitMs === undefined ? await finishJob(trx, row) : await postponeJob(trx, row, clock.now() + waitMs);
      if (!isOwn) return 'lost';
      const about = { job: id, kind: row.kind, attempt: attempts, ...facts };
      if (waitMs === undefined) log.error(about, `${kind.failed} and was given up`);
      else log.warn(about, `${kind.failed}; will retry`);
      return waitMs === undefined ? 'given-up' : 'later';
    };
    try {
      // A process that dies does not report it.
      if (row.attempts > most) throw new JobFailure({}, true);
      await kind.run(job);
      await finishJob(db, row);
      this.#succeeded += 1;
    } catch (error) {
      const failure = error instanceof JobFailure ? error : new JobFailure({ err: error });
      const failed = Object.assign(job, { retry: (trx: Database) => retry(trx, failure) });
      await (kind.recordFailure?.(failed, failure) ?? failed.retry(db));
    }
  }

  #repeatInEachProcess(): void {
    for (const [name, kind] of this.#kinds()) {
      if (!('repeat' in kind && kind.inEachProcess)) continue;
      const worker = this.#repeatUntil(this.#stopping.signal, kind).then(() => void this.#workers.delete(worker));
      this.#workers.set(worker, name);
    }
  }

  /** Repeats work while this process has its lease, without a write for each time. */
  async #repeat(kind: RepeatedKind, { row, lost }: UnderWay): Promise<void> {
    const nextAt = await this.#repeatUntil(AbortSignal.any([this.#stopping.signal, lost.signal]), kind);
    await this.#giveBack(row, nextAt);
  }

  /** Resolves to when it would have been repeated. */
  async #repeatUntil(signal: AbortSignal, kind: RepeatedKind): Promise<number> {
    const { repeat, everyMs, afterErrorMs, failed } = kind;
    const { clock, log } = this.#context;
    for (;;) {
      const soonMs = await repeat(signal).catch((error: unknown) => {
        log.error({ err: error }, `${failed}; retrying`);
        return afterErrorMs;
      });
      const waitMs = Math.min(soonMs ?? everyMs, everyMs);
      const nextAt = clock.now() + waitMs;
      if (!this.#isOnePass) await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted || this.#isOnePass) return nextAt;
    }
  }

  #giveBack(row: JobRow, dueAt: number): Promise<void> {
    return giveBackJob(this.#context.db, row, dueAt);
  }

  async #allWorkers(): Promise<void> {
    for (;;) {
      if (this.#workers.size === 0) return;
      await Promise.all(this.#workers.keys());
    }
  }

  #kinds(): [JobName, QueuedKind | RepeatedKind][] {
    return Object.entries(this.#context.kinds) as [JobName, QueuedKind | RepeatedKind][];
  }
}

function horizonOf(kind: QueuedKind | RepeatedKind): number {
  return Math.max(leaseMs, ...('repeat' in kind ? [kind.everyMs] : [kind.aheadMs ?? 0, ...kind.retryMs]));
}
