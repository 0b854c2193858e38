import type { Database } from '#platform/database.ts';
import { isGone, newRunner } from '#platform/runner.ts';

/** Milliseconds after which a lease that was not renewed can be taken over. */
export const leaseMs = 60_000;

const name = 'integrity.lease';

/** The lease belongs to another process: whatever was under way must stop without a change. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('Another process is writing the vote log.');
  }
}

/**
 * The right to write the vote log, which one process has at a time. Every transaction confirms it with its first
 * statement, so that a process that was paused for minutes changes nothing afterwards.
 */
export class Lease {
  readonly #runner = newRunner();

  /** Takes or renews the lease; false while another process has it. */
  async take(db: Database, now: number): Promise<boolean> {
    const row = await db('installation').where({ name }).first<{ value: string } | undefined>('value');
    const value = this.#value(now);
    if (row === undefined) {
      await db('installation').insert({ name, value }).onConflict('name').ignore();
      return (await this.#rows(db).update({ value })) === 1;
    }
    const [until, runner = ''] = [Number(row.value.split(' ')[0]), row.value.split(' ')[1]];
    // A lease far in the future was written before the clock was set back.
    const expired = until <= now || until > now + 2 * leaseMs;
    if (runner !== this.#runner && !expired && !isGone(runner)) return false;
    return (await db('installation').where({ name, value: row.value }).update({ value })) === 1;
  }

  /** Renews the lease inside a transaction, as its first statement; throws {@link LeaseLost}. */
  async confirm(trx: Database, now: number): Promise<void> {
    if ((await this.#rows(trx).update({ value: this.#value(now) })) !== 1) throw new LeaseLost();
  }

  /** Lets another process take over at once. */
  async release(db: Database): Promise<void> {
    await this.#rows(db).update({ value: `0 ${this.#runner}` });
  }

  #value(now: number): string {
    return `${now + leaseMs} ${this.#runner}`;
  }

  #rows(db: Database) {
    return db('installation').where({ name }).whereLike('value', `% ${this.#runner}`);
  }
}
