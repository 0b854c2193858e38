import { expect, test } from 'vitest';
import { registeredUserSchema } from './accounts.contract.ts';
import type { RegisteredUser, User } from './accounts.contract.ts';
import { fixedClock } from '#platform/clock.ts';
import { compileSchema } from '#platform/validation.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { registered, signedIn, testPassword, visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';

const isUser = compileSchema<RegisteredUser>(registeredUserSchema, 'json');

const likeOwnData =
  'Password is too easy to guess: it’s similar to your name, username, email address, or the name of this site';
const reservedName = (field: string) => `${field} would read like the name of this site or of the people who run it`;

eachDatabase((open, _engine, once) => {
  async function start(options: Parameters<typeof startTestApp>[1] = {}) {
    const { db } = await open();
    const app = await startTestApp(db, options);
    return { db, app };
  }

  once('[S3.1 S5.5 S7.7 D5.10] registering returns the account, never anything of the password', async () => {
    const { app } = await start();
    const json = { username: 'anna', password: testPassword, email: '', firstName: '  ', lastName: 'Østergård' };
    const response = await visitor(app).fetch('/api/register', { method: 'POST', json });
    expect(response.status).toBe(201);
    const user = await response.json();
    expect(isUser(user), JSON.stringify(isUser.errors)).toBe(true);
    expect(user).toEqual({
      id: expect.stringMatching(/^[\w-]{16}$/),
      username: 'anna',
      email: null,
      firstName: null,
      lastName: 'Østergård',
      profileImageUrl: null,
      createdAt: '2026-11-20T12:00:00.000Z',
      updatedAt: '2026-11-20T12:00:00.000Z',
      recoveryCodes: expect.any(Array),
      emailToConfirm: null,
    });
  });

  test('[S3.1 D5.2] usernames are unique regardless of letter case', async () => {
    const { db, app } = await start();
    await registered(app, 'anna');
    const register = async (more: object) => {
      const json = { username: 'bert', password: testPassword, ...more };
      const response = await visitor(app).fetch('/api/register', { method: 'POST', json });
      return [response.status, await response.json()];
    };
    expect(await register({ username: 'ANNA' })).toMatchObject([
      409,
      { code: 'USERNAME_TAKEN', errors: [{ field: 'username', message: 'This username is already taken.' }] },
    ]);
    expect(await db('users')).toHaveLength(1);
    expect(await register({})).toMatchObject([201, { username: 'bert', email: null }]);
  });

  once.each([
    ['username', { username: 'ab' }, 'Username must be at least 3 characters'],
    ['username', { username: 'a'.repeat(31) }, 'Username cannot exceed 30 characters'],
    ['username', { username: 'anna b' }, 'Username can only contain letters, digits, dots, dashes, and underscores'],
    ['username', { username: 'аnna' }, 'Username can only contain letters, digits, dots, dashes, and underscores'],
    [
      'username',
      { username: 'a@b.example' },
      'Username can only contain letters, digits, dots, dashes, and underscores',
    ],
    ['username', { username: undefined }, 'Username is required'],
    ['email', { email: 'nobody' }, 'Invalid email address'],
    ['password', { password: '12345' }, 'Password must be at least 8 characters'],
    ['password', { password: 'x'.repeat(201) }, 'Password cannot exceed 200 characters'],
    ['password', { password: 'password1' }, 'Password is too easy to guess: it’s a common password, or similar to one'],
    ['password', { password: '20.11.1988' }, 'Password is too easy to guess: it’s a date or a year'],
    ['password', { password: 'anna1234' }, likeOwnData],
    ['password', { password: 'ann.smith9', email: 'ann.smith@example.org' }, likeOwnData],
    ['password', { password: 'Bergström', lastName: 'Bergström' }, likeOwnData],
    ['password', { password: 'weathervane' }, likeOwnData],
    ['firstName', { firstName: 'a\u0000b' }, 'First name contains characters that can’t be displayed'],
    ['lastName', { lastName: 'a\u001b[0m' }, 'Last name contains characters that can’t be displayed'],
    ['lastName', { lastName: 'a\ud800' }, 'Last name contains characters that can’t be displayed'],
    ['firstName', { firstName: '\u202eanna' }, 'First name contains characters that can’t be displayed'],
    ['firstName', { firstName: 'Weathervane' }, reservedName('First name')],
    ['lastName', { lastName: 'Moderator' }, reservedName('Last name')],
    ['username', { username: 'site-admin' }, reservedName('Username')],
    // 100 characters as typed, 300 after normalization.
    ['firstName', { firstName: '\ufb2c'.repeat(100) }, 'First name cannot exceed 100 characters'],
    ['isAdmin', { isAdmin: true }, '“isAdmin” is not expected here. Reload the page and try again.'],
  ])(
    '[S5.2 S5.3 S5.4 S9.9 D5.1 D5.4] a registration with an invalid %s is refused at its field: %j',
    async (field, wrong, message) => {
      const { db, app } = await start();
      const json = { username: 'anna', password: testPassword, ...wrong };
      const response = await visitor(app).fetch('/api/register', { method: 'POST', json });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'VALIDATION_FAILED', message, errors: [{ field, message }] });
      expect(await db('users')).toEqual([]);
      expect(await db('sessions')).toEqual([]);
    },
  );

  once(
    '[D5.1 D5.4] usernames of 3 to 30 letters, digits and _-., and passwords of 8 to 200 characters are accepted',
    async () => {
      const { app } = await start();
      const longest = `Ab_-.${'9'.repeat(25)}`;
      await registered(app, 'a_1', { password: '9kx-Q7 b' });
      await registered(app, longest, { password: '9kx-Q7 '.repeat(29).slice(0, 200) });
      await signedIn(app, 'a_1', '9kx-Q7 b');
      await signedIn(app, longest, '9kx-Q7 '.repeat(29).slice(0, 200));
    },
  );

  test('[D5.2] 500 concurrent registrations of one username create one account', async () => {
    const { db, app } = await start();
    const register = async (_: unknown, place: number) => {
      const json = { username: place % 2 === 0 ? 'anna' : 'ANNA', password: testPassword };
      const response = await visitor(app).fetch('/api/register', { method: 'POST', json });
      return response.status;
    };
    let waiting = 500;
    const counts: Record<number, number> = {};
    // Retry when the queue is full.
    while (waiting > 0) {
      const statuses = await Promise.all(Array.from({ length: waiting }, register));
      waiting = statuses.filter((status) => status === 503).length;
      for (const status of statuses) if (status !== 503) counts[status] = (counts[status] ?? 0) + 1;
    }
    expect(counts).toEqual({ 201: 1, 409: 499 });
    expect(await db('users')).toHaveLength(1);
    expect(await db('sessions')).toHaveLength(1);
  });

  test('[D5.3] an unconfirmed email address is not reserved, not even for concurrent registrations', async () => {
    const { db, app } = await start();
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async (_, place) => {
        const json = { username: `anna-${place}`, password: testPassword, email: 'anna@example.org' };
        return (await visitor(app).fetch('/api/register', { method: 'POST', json })).status;
      }),
    );
    expect(statuses).toEqual([201, 201, 201, 201, 201]);
    expect(await db('users').pluck('email_confirmed_at')).toEqual([null, null, null, null, null]);
  });

  test('[D5.3] only one account can confirm an email address, and registering doesn’t reveal it', async () => {
    const { db, app } = await start();
    for (const username of ['anna', 'bert']) await registered(app, username, { email: 'anna@example.org' });
    const confirm = (username: string) => db('users').where({ username }).update({ email_confirmed_at: testNow });
    await confirm('anna');
    await expect(confirm('bert')).rejects.toThrow(/unique/i);
    await registered(app, 'cleo', { email: 'Anna@Example.org' });
    expect(await db('users').whereNotNull('email_confirmed_at').pluck('username')).toEqual(['anna']);
  });

  test('[D5.3] an email address signs in to the account that confirmed it, or else to the oldest one with it', async () => {
    const clock = fixedClock(testNow);
    const { db, app } = await start({ clock });
    const signedInAs = async (username: string, password: string) => {
      const response = await visitor(app).fetch('/api/login', { method: 'POST', json: { username, password } });
      return response.status === 200 ? ((await response.json()) as User).username : response.status;
    };
    await registered(app, 'anna', { email: 'anna@example.org', password: 'password of anna' });
    expect(await signedInAs('Anna@Example.org', 'password of anna')).toBe('anna');

    clock.set(testNow + 1);
    await registered(app, 'bert', { email: 'anna@example.org', password: 'password of bert' });
    for (const name of ['anna', 'bert']) expect(await signedInAs(name, `password of ${name}`)).toBe(name);
    expect(await signedInAs('anna@example.org', 'password of anna')).toBe('anna');
    expect(await signedInAs('anna@example.org', 'password of bert')).toBe(401);

    await db('users').where({ username: 'bert' }).update({ email_confirmed_at: testNow });
    expect(await signedInAs('anna@example.org', 'password of bert')).toBe('bert');
    expect(await signedInAs('anna@example.org', 'password of anna')).toBe(401);
  });
});
