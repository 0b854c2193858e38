import { expect, test, vi } from 'vitest';
import { rateLimits } from '#contract/rate-limits.ts';
import type { Attempt } from '#platform/attempts.ts';
import { attemptCounters } from '#platform/attempts.ts';
import { fixedClock } from '#platform/clock.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { mailOutbox } from '#api/mail/outbox.service.ts';
import { registered, testPassword, visitor } from '#api/testing/people.ts';
import { useRealPasswords } from '#api/testing/real-passwords.ts';
import { slow } from '#api/testing/slow.ts';
import { startTestApp, testKey, testNow } from '#api/testing/test-app.ts';
import { confirmPassword, login, register, registrationCrowd } from './accounts.service.ts';
import { passwordQueue, passwordsAtOnce, passwordsWaiting } from './passwords.service.ts';

const {
  signInHere,
  signInAnywhere,
  signInNearby,
  signInFromAddress,
  signInFromSubnet,
  registerFromAddress,
  registerFromSubnet,
  registerFromSubnetDaily,
  passwordCheck,
} = rateLimits;

oneDatabase((open) => {
  /** An API with limits, where Anna has registered. */
  async function start() {
    const { db } = await open();
    const clock = fixedClock(testNow);
    const app = await startTestApp(db, { clock, config: { rateLimit: true } });
    const anna = await registered(app, 'anna', { email: 'anna@example.org' });
    const signIn = async (password: string, address = '192.0.2.1', username = 'anna') => {
      const response = await visitor(app).fetch('/api/login', {
        method: 'POST',
        json: { username, password },
        headers: { 'x-forwarded-for': address },
      });
      return response.status;
    };
    /** Uses up limits without sending the requests. */
    const attempts = attemptCounters({ db, clock, secret: testKey, on: true });
    const useUp = async (times: number, ...attempt: Attempt) => {
      for (let time = 0; time < times; time++) await attempts.count([attempt]);
    };
    return { db, app, clock, anna, attempts, signIn, useUp };
  }

  test('ten wrong passwords from one address block that address for a while, and no other', async () => {
    const { app, clock, signIn } = await start();
    for (let guess = 0; guess < signInHere.points; guess++) expect(await signIn(`guess ${guess}`)).toBe(401);
    // Not even the right password is accepted: a guesser must not learn it.
    expect(await signIn(testPassword)).toBe(429);
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

  test('a used-up limit of a username does not tell which email address belongs to it', async () => {
    const { signIn } = await start();
    for (let guess = 0; guess < signInHere.points; guess++) expect(await signIn(`guess ${guess}`)).toBe(401);
    expect(await signIn('guess')).toBe(429);
    for (const other of ['anna@example.org', 'nobody@example.org'])
      expect(await signIn('guess', '192.0.2.1', other)).toBe(401);
  });

  test('guesses for an unknown name are limited the same', async () => {
    const { signIn } = await start();
    for (let guess = 0; guess < signInHere.points; guess++)
      expect(await signIn('guess', '192.0.2.1', 'nobody')).toBe(401);
    expect(await signIn('guess', '192.0.2.1', 'Nobody')).toBe(429);
  });

  test('concurrent guesses are all counted', async () => {
    const { signIn } = await start();
    const statuses = await Promise.all(Array.from({ length: 60 }, (_, guess) => signIn(`guess ${guess}`)));
    expect(statuses.filter((status) => status === 401)).toHaveLength(signInHere.points);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60 - signInHere.points);
  });

  test('a member who signs in often is never limited', async () => {
    const { signIn } = await start();
    for (let time = 0; time < signInHere.points + 3; time++) expect(await signIn(testPassword)).toBe(200);
  });

  test('after guesses from many addresses, unknown ones need a second step, never those the owner has used', async () => {
    const { clock, signIn, useUp } = await start();
    expect(await signIn(testPassword, '198.51.100.7')).toBe(200);
    await useUp(signInAnywhere.points, 'signInAnywhere', 'anna');
    expect(await signIn(testPassword, '203.0.113.9')).toBe(403);
    expect(await signIn('a slip', '198.51.100.7')).toBe(401);
    expect(await signIn(testPassword, '198.51.100.7')).toBe(200);
    clock.set(testNow + signInAnywhere.seconds * 1_000);
    expect(await signIn(testPassword, '203.0.113.9')).toBe(200);
  });

  test('one address can’t try many names', async () => {
    const { signIn, useUp } = await start();
    await useUp(signInFromAddress.points, 'signInFromAddress', '192.0.2.1');
    expect(await signIn('guess', '192.0.2.1', 'somebody-else')).toBe(429);
    expect(await signIn('guess', '192.0.2.2', 'somebody-else')).toBe(401);
  });

  test('one network can’t try many names from many addresses; other networks and known members are not affected', async () => {
    const { signIn, useUp } = await start();
    expect(await signIn(testPassword, '2001:db8:7:1::1')).toBe(200);
    await useUp(signInFromSubnet.points, 'signInFromSubnet', '2001:db8:7::/48');
    await useUp(signInFromSubnet.points, 'signInFromSubnet', '192.0.2.0/24');
    expect(await signIn('guess', '2001:db8:7:ff::1', 'somebody-else')).toBe(429);
    expect(await signIn('guess', '192.0.2.77', 'somebody-else')).toBe(429);
    expect(await signIn('guess', '2001:db8:8:ff::1', 'somebody-else')).toBe(401);
    expect(await signIn('guess', '192.0.3.77', 'somebody-else')).toBe(401);
    expect(await signIn(testPassword, '2001:db8:7:1::2')).toBe(200);
  });

  test(
    'during a flood of guesses, a member signs in at known addresses, and anywhere right after it',
    slow,
    async () => {
      useRealPasswords();
      const { signIn } = await start();
      expect(await signIn(testPassword, '198.51.100.7')).toBe(200);
      const flood = { size: passwordsAtOnce + passwordsWaiting + 8, goesOn: true, answers: new Set<number>() };
      const guess = async (address: string) => {
        while (flood.goesOn) flood.answers.add(await signIn('guess', address, `somebody at ${address}`));
      };
      const guesses = Array.from({ length: flood.size }, (_, place) => guess(`2001:db8:${place.toString(16)}::1`));
      await vi.waitFor(() => expect(flood.answers).toContain(503), { timeout: 20_000 });
      // From a new address the right password is refused, more often than passwords may be wrong.
      const strange = Promise.all(Array.from({ length: 40 }, () => signIn(testPassword, '203.0.113.9')));
      expect(await signIn(testPassword, '198.51.100.7')).toBe(200);
      flood.goesOn = false;
      await Promise.all(guesses);
      expect((await strange).filter((status) => status === 503).length).toBeGreaterThan(signInHere.points);
      expect(await signIn(testPassword, '198.51.100.7')).toBe(200);
      expect(await signIn(testPassword, '203.0.113.9')).toBe(200);
    },
  );

  test('guesses from one network lock a member out neither at the registration address nor at a new one', async () => {
    const { app, signIn } = await start();
    const home = { 'x-forwarded-for': '192.0.2.77' };
    const json = { username: 'newcomer', password: testPassword };
    expect((await visitor(app).fetch('/api/register', { method: 'POST', json, headers: home })).status).toBe(201);
    const answers = new Map<number, number>();
    for (let guess = 0; guess <= signInAnywhere.points; guess++) {
      const status = await signIn('guess', `2001:db8:9:${guess.toString(16)}::1`, 'newcomer');
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
    expect(answers.get(401)).toBe(signInNearby.points);
    expect(answers.get(429)).toBe(signInAnywhere.points + 1 - signInNearby.points);
    expect(await signIn(testPassword, '198.51.100.8', 'newcomer')).toBe(200);
    expect(await signIn(testPassword, '192.0.2.77', 'newcomer')).toBe(200);
  });

  test('an account’s registration address is known, whatever limits others have used up', async () => {
    const { app, useUp, signIn } = await start();
    await useUp(signInAnywhere.points, 'signInAnywhere', 'anna');
    expect(await signIn(testPassword, '198.51.100.8')).toBe(403);
    const own = await visitor(app).fetch('/api/login', {
      method: 'POST',
      json: { username: 'anna', password: testPassword },
    });
    expect(own.status).toBe(200);
  });

  test('a sign-in refused by a full password queue is not counted; known members have reserved places', async () => {
    const { db, app, clock, attempts, signIn } = await start();
    expect(await signIn(testPassword, '198.51.100.7')).toBe(200);
    const ben = await registered(app, 'ben');
    const passwords = passwordQueue();
    const matches = vi.fn<typeof passwords.matches>((...call) => passwords.matches(...call));
    const mail = mailOutbox({ clock, on: false });
    const config = { earlyAdopterUntil: null, siteName: '' };
    const context = { db, clock, attempts, passwords: { ...passwords, matches }, mail, config };
    const { promise: opened, resolve: open } = Promise.withResolvers<boolean>();
    const visitors = Array.from({ length: passwordsAtOnce + passwordsWaiting }, () =>
      passwords.matches('guess', null, { attempt: () => opened }),
    );
    const counted = async () => (await db('attempts').pluck('used')).reduce((sum, used) => sum + used, 0);
    const before = await counted();
    const person = { username: 'anna', password: testPassword };
    const at = (address: string) => ({ address, voter: null, device: 'a device', deviceName: null });
    const busy = { status: 503, code: 'OVERLOADED' };
    for (let time = 0; time <= signInHere.points; time++)
      await expect(login(context, person, at('203.0.113.9'))).rejects.toMatchObject(busy);
    await expect(register(context, { ...person, username: 'carl' }, at('203.0.113.9'))).rejects.toMatchObject(busy);
    expect(await counted()).toBe(before);

    matches.mockClear();
    const members = [login(context, person, at('198.51.100.7')), confirmPassword(context, ben.user.id, testPassword)];
    await vi.waitFor(() => expect(matches).toHaveBeenCalledTimes(members.length), { timeout: 20_000 });
    open(true);
    await Promise.all(members);
    expect((await login(context, person, at('203.0.113.9'))).user.username).toBe('anna');
    await Promise.all(visitors);
  });

  test('a password that could not be checked is never counted as wrong', async () => {
    const { db, clock, anna, attempts, signIn } = await start();
    const account = { id: anna.user.id };
    const { password } = await db('users').where(account).first<{ password: string }>();
    const context = { db, clock, attempts, passwords: passwordQueue(), mail: mailOutbox({ clock, on: false }) };
    const confirm = () => confirmPassword(context, anna.user.id, testPassword);
    await db('users').where(account).update({ password: 'a damaged hash' });
    for (let time = 0; time <= signInHere.points; time++) {
      expect(await signIn(testPassword)).toBe(500);
      await expect(confirm()).rejects.toThrow('not an Argon2id PHC string');
    }
    await db('users').where(account).update({ password });
    expect(await signIn(testPassword)).toBe(200);
    expect((await confirm()).id).toBe(anna.user.id);
  });

  test('a classroom of 40 can register behind one address, a flood can’t; attempts with taken names count', async () => {
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

  test('limits count visitors behind a trusted proxy, and an untrusted proxy as one visitor', async () => {
    const { db } = await open();
    const statuses = async (trustedProxies: readonly string[], ends: number) => {
      const app = await startTestApp(db, { config: { rateLimit: true, trustedProxies } });
      const json = { username: `nobody-${ends}`, password: 'guess' };
      const all: number[] = [];
      for (let place = 0; place <= signInHere.points; place++) {
        const headers = { 'x-forwarded-for': `203.0.113.${place}, 10.0.0.${ends}` };
        all.push((await visitor(app).fetch('/api/login', { method: 'POST', json, headers })).status);
      }
      return all.at(-1);
    };
    expect(await statuses([], 2)).toBe(429);
    expect(await statuses(['10.0.0.0/24'], 3)).toBe(401);
  });

  test('[D2.16] registrations from many addresses of one /48 or /24 share a limit; other networks are not affected', async () => {
    const { db, app, useUp } = await start();
    let made = 0;
    const register = async (address: string) => {
      const json = { username: `reader-${(made += 1)}`, password: testPassword };
      const headers = { 'x-forwarded-for': address };
      return (await visitor(app).fetch('/api/register', { method: 'POST', json, headers })).status;
    };
    for (const [subnet, limit, { points }, addresses] of [
      [
        '2001:db8:7::/48',
        'registerFromSubnet',
        registerFromSubnet,
        ['2001:db8:7:1::1', '2001:db8:7:2::1', '2001:db8:7:3::1'],
      ],
      ['198.51.100.0/24', 'registerFromSubnet', registerFromSubnet, ['198.51.100.1', '198.51.100.2', '198.51.100.3']],
      ['192.0.2.0/24', 'registerFromSubnetDaily', registerFromSubnetDaily, ['192.0.2.1', '192.0.2.2', '192.0.2.3']],
    ] as const) {
      await useUp(points - 2, limit, subnet);
      const statuses: number[] = [];
      for (const address of addresses) statuses.push(await register(address));
      expect(statuses).toEqual([201, 201, 429]);
    }
    expect(await register('2001:db8:8::1')).toBe(201);
    expect(await register('198.51.101.1')).toBe(201);
    expect(await db('users').where('username', 'like', 'reader-%')).toHaveLength(8);
  });

  test('accounts registered after fifty others of their network on a day are marked as one of many', async () => {
    const { db, app, useUp } = await start();
    const registerFrom = async (username: string, address: string) => {
      const json = { username, password: testPassword };
      await visitor(app).fetch('/api/register', { method: 'POST', json, headers: { 'x-forwarded-for': address } });
      const marked = await db('users').where({ username }).pluck('registered_in_crowd');
      return marked.map(Boolean);
    };
    await useUp(registrationCrowd - 1, 'registerFromSubnetDaily', '192.0.2.0/24');
    expect(await registerFrom('the-fiftieth', '192.0.2.1')).toEqual([false]);
    expect(await registerFrom('the-next', '192.0.2.2')).toEqual([true]);
    expect(await registerFrom('elsewhere', '198.51.100.1')).toEqual([false]);
  });

  test('a stolen session can’t be used to guess the password', async () => {
    const { anna } = await start();
    const change = async (currentPassword: string) => {
      const json = { currentPassword, newPassword: 'another one' };
      return (await anna.fetch('/api/user/password', { method: 'POST', json })).status;
    };
    for (let guess = 0; guess < passwordCheck.points; guess++) expect(await change(`guess ${guess}`)).toBe(403);
    expect(await change(testPassword)).toBe(429);
  });
});
