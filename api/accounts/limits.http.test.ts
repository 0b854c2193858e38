import { afterEach, expect, test } from 'vitest';
import { serverLimits } from '#contract/server-limits.ts';
import type { Attempt } from '#platform/attempts.ts';
import { attemptCounters } from '#platform/attempts.ts';
import { fixedClock } from '#platform/clock.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { registered, testPassword, visitor } from '#api/testing/people.ts';
import { startTestApp, testKey, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

const { signInHere, signInAnywhere, signInFromAddress, registerFromAddress, registerFromSubnet, passwordCheck } =
  serverLimits.rate;

eachDatabase((open) => {
  const apps: TestApp[] = [];
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
  });

  /** An API with its limits on, in which Anna registered. */
  async function start() {
    const { db } = await open();
    const clock = fixedClock(testNow);
    const app = await startTestApp(db, { clock, config: { rateLimit: true } });
    apps.push(app);
    const anna = await registered(app, 'anna', { email: 'anna@example.org' });
    const signIn = async (password: string, address = '192.0.2.1', username = 'anna') => {
      const response = await visitor(app).fetch('/api/login', {
        method: 'POST',
        json: { username, password },
        headers: { 'x-forwarded-for': address },
      });
      return response.status;
    };
    /** Uses up limits the way that many requests would, without their work. */
    const attempts = attemptCounters({ db, clock, secret: testKey, on: true });
    const useUp = async (times: number, ...attempt: Attempt) => {
      for (let time = 0; time < times; time++) await attempts.count([attempt]);
    };
    return { db, app, clock, anna, signIn, useUp };
  }

  test('ten wrong passwords from one address close that way in for a while, and no other', async () => {
    const { app, clock, signIn } = await start();
    for (let guess = 0; guess < signInHere.points; guess++) expect(await signIn(`guess ${guess}`)).toBe(401);
    // Not even the right one: a guesser must not learn it.
    expect(await signIn(testPassword)).toBe(429);
    expect(await signIn(testPassword, '192.0.2.1', 'ANNA@example.org')).toBe(429);
    expect(await signIn(testPassword, '192.0.2.2')).toBe(200);
    const refused = await visitor(app).fetch('/api/login', {
      method: 'POST',
      json: { username: 'anna', password: testPassword },
      headers: { 'x-forwarded-for': '192.0.2.1' },
    });
    expect(refused.headers.get('retry-after')).toBe(String(signInHere.seconds));
    expect(await refused.json()).toEqual({
      code: 'RATE_LIMITED',
      message: 'Too many attempts. Please try again in 15 minutes.',
    });
    clock.set(testNow + signInHere.seconds * 1_000);
    expect(await signIn(testPassword)).toBe(200);
  });

  test('a name that nobody has is limited the same', async () => {
    const { signIn } = await start();
    for (let guess = 0; guess < signInHere.points; guess++)
      expect(await signIn('guess', '192.0.2.1', 'nobody')).toBe(401);
    expect(await signIn('guess', '192.0.2.1', 'Nobody')).toBe(429);
  });

  test('guesses that arrive together are all counted', async () => {
    const { signIn } = await start();
    const statuses = await Promise.all(Array.from({ length: 60 }, (_, guess) => signIn(`guess ${guess}`)));
    expect(statuses.filter((status) => status === 401)).toHaveLength(signInHere.points);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60 - signInHere.points);
  });

  test('somebody who signs in often is never stopped', async () => {
    const { signIn } = await start();
    for (let time = 0; time < signInHere.points + 3; time++) expect(await signIn(testPassword)).toBe(200);
  });

  test('guesses from everywhere close the account to strangers, never to where its owner was before', async () => {
    const { clock, anna, signIn, useUp } = await start();
    expect(await signIn(testPassword, '198.51.100.7')).toBe(200);
    await useUp(signInAnywhere.points, 'signInAnywhere', anna.user.id);
    expect(await signIn(testPassword, '203.0.113.9')).toBe(429);
    expect(await signIn('a slip', '198.51.100.7')).toBe(401);
    expect(await signIn(testPassword, '198.51.100.7')).toBe(200);
    clock.set(testNow + signInAnywhere.seconds * 1_000);
    expect(await signIn(testPassword, '203.0.113.9')).toBe(200);
  });

  test('one address cannot try many names', async () => {
    const { signIn, useUp } = await start();
    await useUp(signInFromAddress.points, 'signInFromAddress', '192.0.2.1');
    expect(await signIn('guess', '192.0.2.1', 'somebody-else')).toBe(429);
    expect(await signIn('guess', '192.0.2.2', 'somebody-else')).toBe(401);
  });

  test('a classroom of 40 can register behind one address, a flood cannot; names that are taken count', async () => {
    const { db, app, useUp } = await start();
    const register = async (username: string) => {
      const json = { username, password: testPassword };
      const headers = { 'x-forwarded-for': '192.0.2.1' };
      return (await visitor(app).fetch('/api/register', { method: 'POST', json, headers })).status;
    };
    const pupils = await Promise.all(Array.from({ length: 40 }, (_, pupil) => register(`pupil-${pupil}`)));
    expect(new Set(pupils)).toEqual(new Set([201]));
    expect(await register('anna')).toBe(409);
    await useUp(registerFromAddress.points - 41, 'registerFromAddress', '192.0.2.1');
    expect(await register('anna')).toBe(429);
    expect(await register('one-more')).toBe(429);
    expect(await db('users').where({ username: 'one-more' })).toEqual([]);
  });

  test('one who registers from many addresses of a /48 or /24 gets no further than its share, other networks do', async () => {
    const { db, app, useUp } = await start();
    let made = 0;
    const register = async (address: string) => {
      const json = { username: `reader-${(made += 1)}`, password: testPassword };
      const headers = { 'x-forwarded-for': address };
      return (await visitor(app).fetch('/api/register', { method: 'POST', json, headers })).status;
    };
    for (const [subnet, addresses] of [
      ['2001:db8:7::/48', ['2001:db8:7:1::1', '2001:db8:7:2::1', '2001:db8:7:3::1']],
      ['198.51.100.0/24', ['198.51.100.1', '198.51.100.2', '198.51.100.3']],
    ] as const) {
      await useUp(registerFromSubnet.points - 2, 'registerFromSubnet', subnet);
      const statuses: number[] = [];
      for (const address of addresses) statuses.push(await register(address));
      expect(statuses).toEqual([201, 201, 429]);
    }
    expect(await register('2001:db8:8::1')).toBe(201);
    expect(await register('198.51.101.1')).toBe(201);
    expect(await db('users').where('username', 'like', 'reader-%')).toHaveLength(6);
  });

  test('a session that was taken over cannot be used to guess the password', async () => {
    const { anna } = await start();
    const change = async (currentPassword: string) => {
      const json = { currentPassword, newPassword: 'another one' };
      return (await anna.fetch('/api/user/password', { method: 'POST', json })).status;
    };
    for (let guess = 0; guess < passwordCheck.points; guess++) expect(await change(`guess ${guess}`)).toBe(403);
    expect(await change(testPassword)).toBe(429);
  });
});
