import { afterEach, expect, test } from 'vitest';
import { eachDatabase } from '#api/testing/databases.ts';
import { registered, signedIn, visitor } from '#api/testing/people.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

eachDatabase((open) => {
  const apps: TestApp[] = [];
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
  });
  async function start(options: Parameters<typeof startTestApp>[1] = {}) {
    const { db, url } = await open();
    const app = await startTestApp(db, options);
    apps.push(app);
    return { db, url, app };
  }

  test('somebody registers, is signed in, signs out, and signs in again', async () => {
    const { app } = await start();
    const anna = await registered(app, 'Anna', { firstName: ' Anna ', email: 'Anna@example.org' });
    expect(anna.user).toMatchObject({ username: 'Anna', firstName: 'Anna', lastName: null, email: 'Anna@example.org' });
    const asked = await anna.fetch('/api/user');
    expect([asked.status, await asked.json()]).toEqual([200, anna.user]);
    expect((await anna.fetch('/api/logout', { method: 'POST' })).status).toBe(204);
    expect(anna.cookies.size).toBe(0);
    expect((await anna.fetch('/api/user')).status).toBe(401);
    for (const name of ['anna', 'ANNA@example.org']) expect((await signedIn(app, name)).user).toEqual(anna.user);
  });

  test('a registration answers 201 with the account, and a taken name 409 with its field', async () => {
    const { app } = await start();
    await registered(app, 'anna', { email: 'anna@example.org' });
    const register = async (json: object) => {
      const response = await visitor(app).fetch('/api/register', { method: 'POST', json });
      return [response.status, await response.json()];
    };
    const password = 'long enough';
    expect(await register({ username: 'ANNA', password })).toMatchObject([
      409,
      { code: 'USERNAME_TAKEN', errors: [{ field: 'username' }] },
    ]);
    expect(await register({ username: 'bert', password, email: 'Anna@Example.org' })).toMatchObject([
      409,
      { code: 'EMAIL_TAKEN', errors: [{ field: 'email' }] },
    ]);
    expect(await register({ username: 'bert', password })).toMatchObject([201, { username: 'bert', email: null }]);
  });

  test('a wrong password and an unknown name are answered the same', async () => {
    const { app } = await start();
    await registered(app, 'anna');
    const answers = [];
    for (const username of ['anna', 'nobody', 'nobody@example.org']) {
      const json = { username, password: 'not the password' };
      const response = await visitor(app).fetch('/api/login', { method: 'POST', json });
      answers.push([response.status, await response.text()]);
    }
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(answers[0]).toEqual([401, '{"message":"Invalid username or password","code":"INVALID_CREDENTIALS"}']);
  });
});
