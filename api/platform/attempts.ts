import { createHmac } from 'node:crypto';
import { rateLimits } from '#contract/rate-limits.ts';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import { errors } from './errors.ts';
import { removeExpired } from './database.ts';

/** What an attempt counts against: a rate limit, and its subject. */
export type Attempt = readonly [limit: keyof typeof rateLimits, subject: string];

/**
 * Rate limits on password attempts and on what members write, counted in the database so that they hold across processes
 * (handbook decisions 121 and 061). Subjects are stored as keyed digests, and no longer than their window.
 */
export interface Attempts {
  /**
   * Counts one attempt against each limit; throws RATE_LIMITED, and counts nothing, when one is used up. `refusal` creates
   * another error than that of passwords from the seconds to wait.
   */
  count(attempts: readonly Attempt[], refusal?: (seconds: number) => Error): Promise<void>;
  /** The same around what it is for: it does not stay counted if `act` throws or returns false. Throws what `act` throws, too. */
  spend<T>(attempts: readonly Attempt[], act: () => Promise<T>, refusal: (seconds: number) => Error): Promise<T>;
  /** Counts one attempt against each limit; false, and counts nothing, when one is used up. */
  allow(attempts: readonly Attempt[]): Promise<boolean>;
  /** Throws RATE_LIMITED when one of the limits is used up; counts nothing. */
  refuse(attempts: readonly Attempt[]): Promise<void>;
  /**
   * Counts one attempt against each limit and makes it; returns whether it was right. Only wrong attempts stay counted, not
   * those that fail with an error.
   */
  check(attempts: readonly Attempt[], isRight: () => Promise<boolean>): Promise<boolean>;
  /** The same for one limit that refuses nothing; `usedUp` tells whether it was used up before. */
  watch(
    attempt: Attempt,
    isRight: () => Promise<boolean>,
  ): Promise<{ readonly right: boolean; readonly usedUp: boolean }>;
  /** Starts a new window with a count of one. */
  remember(attempt: Attempt): Promise<void>;
  /** The count in the current window. */
  used(attempt: Attempt): Promise<number>;
}

interface Counter {
  readonly key: string;
  readonly used: number;
  readonly resets_at: number;
}

/** The key and limit of a counter. */
interface LimitedKey {
  readonly key: string;
  readonly points: number;
  readonly seconds: number;
}

/** Milliseconds by which the clocks of two services may differ. */
const clockSkewMs = 60_000;

/** A window that ends later than this was started by a clock that was ahead and has been set back; it is over. */
const latestEnd = (now: number, seconds: number) => now + seconds * 1_000 + clockSkewMs;
const isOver = 'attempts.resets_at <= ? or attempts.resets_at > excluded.resets_at + ?';

/** Creates the counters of a database; `secret` keys the digests, and when `on` is false, nothing is refused. */
export function attemptCounters(context: {
  readonly db: Database;
  readonly clock: Clock;
  readonly secret: string;
  readonly on: boolean;
}): Attempts {
  const { db, clock, secret, on } = context;
  const keyOf = (attempt: Attempt) => createHmac('sha256', secret).update(attempt.join(' ')).digest('base64url');
  const keyed = (attempts: readonly Attempt[]): LimitedKey[] =>
    // All processes lock in one order, so that they cannot deadlock.
    attempts.map((attempt) => ({ key: keyOf(attempt), ...rateLimits[attempt[0]] })).sort(byKey);
  const read = async (wanted: readonly LimitedKey[], now: number) => {
    const ends = new Map(wanted.map(({ key, seconds }) => [key, latestEnd(now, seconds)]));
    const counters = await db('attempts')
      .whereIn('key', [...ends.keys()])
      .where('resets_at', '>', now)
      .select('key', 'used', 'resets_at');
    return counters.filter((counter) => counter.resets_at <= (ends.get(counter.key) ?? 0));
  };
  const refusal = (wanted: readonly { key: string; points: number }[], now: number) => {
    const points = new Map(wanted.map((one) => [one.key, one.points]));
    return (counters: readonly Counter[], adding: number) => {
      const full = counters.filter(({ key, used }) => used + adding > (points.get(key) ?? 0));
      return full.length === 0 ? null : Math.max(...full.map((counter) => counter.resets_at - now));
    };
  };
  // One row per statement: PostgreSQL would lock those of one update in any order, and could deadlock with an insert.
  const decrement = async (keys: readonly string[], now: number) => {
    for (const key of keys)
      await db('attempts').where({ key }).where('resets_at', '>', now).where('used', '>', 0).decrement('used', 1);
  };

  /** Counts one attempt against each limit; returns the milliseconds to wait, and counts nothing, when one is used up. */
  const take = async (attempts: readonly Attempt[]): Promise<number | null> => {
    if (!on) return null;
    const now = clock.now();
    const wanted = keyed(attempts);
    const keys = wanted.map(({ key }) => key);
    const refuse = refusal(wanted, now);

    // A refused attempt costs a read and no write.
    let wait = refuse(await read(wanted, now), 1);
    if (wait === null) {
      const rows = wanted.map(({ key, seconds }) => ({ key, used: 1, resets_at: now + seconds * 1_000 }));
      const counted = await db('attempts')
        .insert(rows)
        .onConflict('key')
        .merge({
          used: db.raw(`case when ${isOver} then 1 else attempts.used + 1 end`, [now, clockSkewMs]),
          resets_at: db.raw(`case when ${isOver} then excluded.resets_at else attempts.resets_at end`, [
            now,
            clockSkewMs,
          ]),
        })
        .returning(['key', 'used', 'resets_at']);
      wait = refuse(counted, 0);
      if (wait !== null) await decrement(keys, now);
    }
    return wait;
  };
  const count: Attempts['count'] = async (attempts, refused = errors.tooManyAttempts) => {
    const wait = await take(attempts);
    if (wait !== null) throw refused(wait / 1_000);
  };
  const allow: Attempts['allow'] = async (attempts) => (await take(attempts)) === null;
  const undo = async (attempts: readonly Attempt[]) => {
    if (!on) return;
    await decrement(
      keyed(attempts).map(({ key }) => key),
      clock.now(),
    );
  };

  /** Makes an attempt that was counted. */
  const make = async (attempts: readonly Attempt[], isRight: () => Promise<boolean>) => {
    const right = await isRight().catch(async (error: unknown) => {
      await undo(attempts);
      throw error;
    });
    if (right) await undo(attempts);
    return right;
  };

  return {
    count,
    allow,
    async spend(attempts, act, refusal) {
      await count(attempts, refusal);
      const made = await act().catch(async (error: unknown) => {
        await undo(attempts);
        throw error;
      });
      if (made === false) await undo(attempts);
      return made;
    },
    async check(attempts, isRight) {
      await count(attempts);
      return make(attempts, isRight);
    },
    async watch(attempt, isRight) {
      const usedUp = !(await allow([attempt]));
      return { right: await make(usedUp ? [] : [attempt], isRight), usedUp };
    },
    async refuse(attempts) {
      if (!on) return;
      const now = clock.now();
      const wanted = keyed(attempts);
      const wait = refusal(wanted, now)(await read(wanted, now), 1);
      if (wait !== null) throw errors.tooManyAttempts(wait / 1_000);
    },
    async remember(attempt) {
      if (!on) return;
      const rows = keyed([attempt]).map(({ key, seconds }) => ({
        key,
        used: 1,
        resets_at: clock.now() + seconds * 1_000,
      }));
      await db('attempts').insert(rows).onConflict('key').merge();
    },
    async used(attempt) {
      if (!on) return 0;
      const [counter] = await read(keyed([attempt]), clock.now());
      return counter?.used ?? 0;
    },
  };
}

/** Deletes counters whose window has ended. */
export async function sweepAttempts(db: Database, now: number): Promise<void> {
  await removeExpired(db, { table: 'attempts', key: 'key', column: 'resets_at' }, now);
}

const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
