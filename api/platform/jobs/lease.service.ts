import type { Database } from '#platform/database.ts';
import { isGone, newRunner } from '#platform/runner.ts';
import { claimJob, enqueueMissing, freeLeases, leaseMs, releaseJob, renewLeases } from './jobs.service.ts';
import type { JobName, JobRow } from './jobs.service.ts';

/** The lease belongs to another process: whatever was under way must stop without a change. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('Another process has taken this work over.');
  }
}

/**
 * The right to do work that one process does at a time: the lease of its row in `jobs`. Every transaction confirms it with its
 * first statement, so that a process that was paused for minutes changes nothing afterwards.
 */
export class Lease {
  readonly #kind: JobName;
  readonly #runner = newRunner();
  #job: JobRow | undefined;

  constructor(kind: JobName) {
    this.#kind = kind;
  }

  /** Takes or renews the lease; false while another process has it. */
  async take(db: Database, now: number): Promise<boolean> {
    if (await this.#renew(db, now)) return true;
    await enqueueMissing(db, [{ kind: this.#kind, key: '', dueAt: now }]);
    await freeLeases(db, isGone, now);
    this.#job = await claimJob(db, {
      ...{ kind: this.#kind, horizonMs: leaseMs, now, lease: this.#runner, without: [] },
    });
    return this.#job !== undefined;
  }

  /** What a process that had it before has left, unless it released the lease; JSON. */
  get left(): string {
    return this.#job?.payload ?? '{}';
  }

  /** Renews the lease inside a transaction, as its first statement, and says what is done; throws {@link LeaseLost}. */
  async confirm(trx: Database, now: number, payload?: object): Promise<void> {
    if (!(await this.#renew(trx, now, payload))) throw new LeaseLost();
  }

  /** Lets another process take over at once; false if one has. */
  async release(db: Database): Promise<boolean> {
    return this.#job !== undefined && releaseJob(db, this.#job.id, this.#runner);
  }

  async #renew(db: Database, now: number, payload?: object): Promise<boolean> {
    if (!this.#job) return false;
    const { id } = this.#job;
    return (await renewLeases(db, { ids: [id], lease: this.#runner, now, payload })).has(id);
  }
}
