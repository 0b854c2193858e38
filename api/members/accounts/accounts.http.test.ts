import { expect, test, vi } from 'vitest';
import { hashPassword, verifyPassword } from '#platform/password-hash.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, signedIn, testPassword, visitor } from '#api/testing/people.ts';
import { useRealPasswords } from '#api/testing/real-passwords.ts';
import { slow } from '#api/testing/slow.ts';
import { startTestApp } from '#api/testing/test-app.ts';

// A pass-through mock that counts calls.
vi.mock('#platform/password-hash.ts', { spy: true });

eachDatabase((open, _engine, once) => {
  async function start(options: Parameters<typeof startTestApp>[1] = {}) {
    const { db } = await open();
    const app = await startTestApp(db, options);
    return { db, app };
  }

  test('[S4.2 S7.6 S7.8 D5.1 D5.6 D5.9] a visitor registers, is signed in, signs out, and signs in again', async () => {
    const { app } = await start();
    const anna = await registered(app, 'Anna', { firstName: ' Anna ', email: 'Anna@example.org' });
    expect(anna.user).toMatchObject({ username: 'Anna', firstName: 'Anna', lastName: null, email: 'Anna@example.org' });
    const asked = await anna.fetch('/api/user');
    expect([asked.status, await asked.json()]).toEqual([200, anna.user]);
    expect((await anna.fetch('/api/logout', { method: 'POST' })).status).toBe(204);
    // By which the account recognizes the device.
    expect([...anna.cookies.keys()]).toEqual(['wv_known']);
    expect((await anna.fetch('/api/user')).status).toBe(401);
    for (const name of ['anna', 'ANNA@example.org']) expect((await signedIn(app, name)).user).toEqual(anna.user);
  });

  once('[D5.5] a wrong password and an unknown name get the same answer', async () => {
    const { app } = await start();
    await registered(app, 'anna');
    const answers = [];
    for (const username of ['anna', 'nobody', 'nobody@example.org', 'anna\0', '\ud800', "' or '1'='1"]) {
      const json = { username, password: 'not the password' };
      const response = await visitor(app).fetch('/api/login', { method: 'POST', json });
      answers.push([response.status, await response.text()]);
    }
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(answers[0]).toEqual([401, '{"message":"Invalid username or password","code":"INVALID_CREDENTIALS"}']);
  });

  once('a password matches however a keyboard composes its accents, and is otherwise exact', async () => {
    const { app } = await start();
    const composed = ' pässwörd ';
    await registered(app, 'anna', { password: composed });
    await signedIn(app, 'anna', composed.normalize('NFD'));
    for (const other of [composed.trim(), composed.toUpperCase(), 'password'])
      expect(
        (await visitor(app).fetch('/api/login', { method: 'POST', json: { username: 'anna', password: other } }))
          .status,
      ).toBe(401);
  });

  once('passwords from before the strength rule keep working', async () => {
    const { db, app } = await start();
    await registered(app, 'anna');
    await db('users').update({ password: await hashPassword('secret') });
    await signedIn(app, 'anna', 'secret');
  });

  once('[D5.5] an unknown name takes the same work as a wrong password', async () => {
    const { app } = await start();
    await registered(app, 'anna');
    const check = vi.mocked(verifyPassword).mockClear();
    for (const username of ['anna', 'nobody', 'nobody@example.org', 'anna\0'])
      await visitor(app).fetch('/api/login', { method: 'POST', json: { username, password: 'guess' } });
    // One check each, with the parameters and length of a real hash: unlike durations, these don't vary between runs.
    const [real = '', ...nobodys] = check.mock.calls.map(([, phc]) => phc);
    const work = (phc: string) => [phc.length, ...phc.split('$').slice(0, 4)];
    expect(nobodys.map(work)).toEqual([work(real), work(real), work(real)]);
  });

  once('[S3.1 D5.4] a password is stored as an Argon2id hash', async () => {
    useRealPasswords();
    const { db, app } = await start();
    await registered(app, 'anna');
    const { password } = await db('users').first<{ password: string }>();
    expect(password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(testPassword, password)).toBe(true);
    expect(JSON.stringify(await db('users'))).not.toContain(testPassword);
  });

  test('a flood of sign-ins is refused with the time to wait, and votes are accepted meanwhile', slow, async () => {
    useRealPasswords();
    const { db, app } = await start();
    await seedPolls(db, [{ id: 'p' }]);
    await registered(app, 'anna');
    const json = { username: 'anna', password: 'guess' };
    const flood = Array.from({ length: 300 }, () => visitor(app).fetch('/api/login', { method: 'POST', json }));
    const vote = await visitor(app).fetch('/api/polls/p/vote', { method: 'POST', json: { optionId: 'o1' } });
    expect(vote.status).toBe(200);
    const answers = await Promise.all(flood);
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(300 - refused.length);
    expect(refused[0]?.headers.get('retry-after')).toBe('2');
    expect(await refused[0]?.json()).toMatchObject({ code: 'OVERLOADED' });
    // Afterwards, the queue has room again.
    await signedIn(app, 'anna');
  });
});
