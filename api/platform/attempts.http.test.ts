import { expect, test } from 'vitest';
import { rateLimits } from '#contract/rate-limits.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { testNow } from '#api/testing/test-app.ts';
import { attemptCounters, sweepAttempts } from './attempts.ts';
import type { Attempt } from './attempts.ts';
import { fixedClock } from './clock.ts';
import { openDatabase } from './database.ts';

const { points, seconds } = rateLimits.signInHere;
const anna: Attempt = ['signInHere', 'anna 192.0.2.1'];

eachDatabase((open, _engine, once) => {
  async function start() {
    const { db, url } = await open();
    const clock = fixedClock(testNow);
    const attempts = attemptCounters({ db, clock, secret: 'a secret', on: true });
    const tries = async (many: number, ...which: Attempt[]) => {
      const outcomes = await Promise.allSettled(Array.from({ length: many }, () => attempts.count(which)));
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      for (const { reason } of refused) expect(reason).toMatchObject({ code: 'RATE_LIMITED' });
      return outcomes.length - refused.length;
    };
    return { db, url, clock, attempts, tries };
  }

  test('concurrent attempts are all counted, and exactly the allowed number passes', async () => {
    const { tries } = await start();
    expect(await tries(50, anna)).toBe(points);
    expect(await tries(50, anna)).toBe(0);
    expect(await tries(1, ['signInHere', 'bert 192.0.2.1'])).toBe(1);
  });

  test('limits hold across processes', async () => {
    const { url, clock, tries } = await start();
    const db = openDatabase(url);
    const other = attemptCounters({ db, clock, secret: 'a secret', on: true });
    for (let attempt = 0; attempt < points; attempt++) await other.count([anna]);
    expect(await tries(1, anna)).toBe(0);
    await db.destroy();
  });

  test('a refusal states when to retry, and attempts are allowed again then', async () => {
    const { clock, attempts, tries } = await start();
    await tries(points, anna);
    clock.set(testNow + 60_000);
    await expect(attempts.count([anna])).rejects.toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
      headers: { 'retry-after': String(seconds - 60) },
    });
    clock.set(testNow + seconds * 1_000 - 1);
    expect(await tries(1, anna)).toBe(0);
    clock.set(testNow + seconds * 1_000);
    expect(await tries(points + 5, anna)).toBe(points);
  });

  test('an attempt refused by one limit does not use up the others', async () => {
    const { db, tries } = await start();
    for (let member = 0; member < 20; member++)
      expect(
        await tries(points + 30, ['signInHere', `member${member} 192.0.2.1`], ['signInAnywhere', `member${member}`]),
      ).toBe(points);
    expect(await db('attempts').pluck('used')).toEqual(Array.from({ length: 40 }, () => points));
  });

  once('right attempts and server errors are not counted; wrong attempts are', async () => {
    const { attempts, tries } = await start();
    const fault = new Error('no memory');
    for (let round = 0; round < points * 3; round++) {
      expect(await attempts.check([anna], () => Promise.resolve(true))).toBe(true);
      await expect(attempts.check([anna], () => Promise.reject(fault))).rejects.toBe(fault);
    }
    expect(await attempts.check([anna], () => Promise.resolve(false))).toBe(false);
    expect(await tries(points, anna)).toBe(points - 1);
    // A refused attempt was not counted, so nothing is subtracted.
    await expect(attempts.check([anna], () => Promise.resolve(true))).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(await tries(1, anna)).toBe(0);
  });

  test('counters do not reveal their subject, and are deleted after their window', async () => {
    const { db, attempts } = await start();
    await attempts.count([anna]);
    await attempts.remember(['signedInBefore', 'anna 192.0.2.1']);
    expect(await attempts.used(['signedInBefore', 'anna 192.0.2.1'])).toBe(1);
    expect(JSON.stringify(await db('attempts'))).not.toMatch(/anna|192/);
    await sweepAttempts(db, testNow + seconds * 1_000);
    expect(await db('attempts')).toHaveLength(1);
    await sweepAttempts(db, testNow + rateLimits.signedInBefore.seconds * 1_000);
    expect(await db('attempts')).toEqual([]);
  });

  once('[D1.11] when rate limits are off, nothing is refused or stored', async () => {
    const { db } = await open();
    const off = attemptCounters({ db, clock: fixedClock(testNow), secret: 'a secret', on: false });
    for (let attempt = 0; attempt < points * 2; attempt++) await off.count([anna]);
    await off.remember(anna);
    expect(await db('attempts')).toEqual([]);
  });
});
