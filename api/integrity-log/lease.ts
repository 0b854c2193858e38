import { claimJob, enqueueMissing, freeLeases, giveBackJob, leaseMs, renewLeases } from '#api/jobs/jobs.service.ts';
import type { JobRow } from '#api/jobs/jobs.service.ts';
import type { Database } from '#platform/database.ts';
import { isGone, newRunner } from '#platform/runner.ts';

/** The lease belongs to another process: whatever was under way must stop without a change. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('Another process is writing the vote log.');
  }
}

/**
 * The right to write the vote log, which one process has at a time: the lease of its row in `jobs`. Every transaction confirms
 * it with its first statement, so that a process that was paused for minutes changes nothing afterwards.
 */
export class Lease {
  readonly #runner = newRunner();
  #job: JobRow | undefined;

  /** Takes or renews the lease; false while another process has it. */
  async take(db: Database, now: number): Promise<boolean> {
    if (await this.#renew(db, now)) return true;
    await enqueueMissing(db, [{ kind: 'vote-log', key: '', dueAt: now }]);
    await freeLeases(db, isGone, now);
    this.#job = await claimJob(db, {
      ...{ kind: 'vote-log', horizonMs: leaseMs, now, lease: this.#runner, without: [] },
    });
    return this.#job !== undefined;
  }

  /** Renews the lease inside a transaction, as its first statement; throws {@link LeaseLost}. */
  async confirm(trx: Database, now: number): Promise<void> {
    if (!(await this.#renew(trx, now))) throw new LeaseLost();
  }

  /** Lets another process take over at once. */
  async release(db: Database): Promise<void> {
    if (this.#job) await giveBackJob(db, this.#job, 0);
  }

  async #renew(db: Database, now: number): Promise<boolean> {
    if (!this.#job) return false;
    const { id } = this.#job;
    return (await renewLeases(db, { ids: [id], lease: this.#runner, now })).has(id);
  }
}
