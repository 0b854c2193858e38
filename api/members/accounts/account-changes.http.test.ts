import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { User } from './accounts.contract.ts';
import { nameFindings } from '#domain/account-rules.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { pngFile } from '#api/testing/picture-files.ts';
import { registered, signedIn, testPassword, visitor } from '#api/testing/people.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import { canBeSeen } from '#api/testing/hostile-values.ts';
import { slow } from '#api/testing/slow.ts';

// The Big List of Naughty Strings, kept next to the repository.
const naughtyFile = new URL('../../../../shared/data/naughty-strings.json', import.meta.url);
const naughtyStrings = existsSync(naughtyFile) ? (JSON.parse(readFileSync(naughtyFile, 'utf8')) as string[]) : null;

oneDatabase((open) => {
  async function start(options: Parameters<typeof startTestApp>[1] = {}) {
    const { db } = await open();
    const app = await startTestApp(db, options);
    return { db, app };
  }

  test('[S3.1 D5.12] name and picture can be changed and removed; fields that are left out stay', async () => {
    const { app } = await start();
    const anna = await registered(app, 'anna', { firstName: 'Anna', email: 'anna@example.org' });
    const change = async (json: object) => {
      const response = await anna.fetch('/api/user', { method: 'PATCH', json });
      return [response.status, await response.json()];
    };
    app.clock.set('2026-11-20T13:00:00Z');
    expect(await change({ lastName: ' Müller ' })).toEqual([
      200,
      { ...anna.user, lastName: 'Müller', updatedAt: '2026-11-20T13:00:00.000Z' },
    ]);
    const uploaded = await anna.fetch('/api/user/picture', { method: 'POST', body: await pngFile() });
    const { profileImageUrl } = (await uploaded.json()) as User;
    expect(profileImageUrl).toMatch(/^\/api\/pictures\/[\w-]{43}$/);
    expect(await change({ firstName: '' })).toMatchObject([
      200,
      { firstName: null, lastName: 'Müller', profileImageUrl, email: 'anna@example.org' },
    ]);
    expect(await change({ profileImageUrl: null })).toMatchObject([
      200,
      { lastName: 'Müller', profileImageUrl: null, email: 'anna@example.org' },
    ]);
    expect(await (await anna.fetch('/api/user')).json()).toMatchObject({ firstName: null, lastName: 'Müller' });
    expect(await change({ firstName: '👩‍🚀', lastName: '\u200b\u3164' })).toMatchObject([
      200,
      { firstName: '👩‍🚀', lastName: null },
    ]);
  });

  test.each([
    [
      { profileImageUrl: 'https://pictures.example/anna.png' },
      'Pictures are uploaded. An address can’t be used as a picture.',
    ],
    [{ firstName: 'a\u0007' }, 'First name contains characters that can’t be displayed'],
    [{ firstName: 'ann\u200ba' }, 'First name contains characters that can’t be displayed'],
    [{ firstName: 'Weathervane' }, 'First name would read like the name of this site or of the people who run it'],
    [{ firstName: 'Anna @ben' }, 'First name can’t contain @, which marks usernames'],
    [{ firstName: 'W\u0435athervane' }, 'First name mixes letters of alphabets that look alike'],
    [{ username: 'bert' }, '“username” is not expected here. Reload the page and try again.'],
    [{ password: 'another one' }, '“password” is not expected here. Reload the page and try again.'],
  ])('[D5.12] a refused change changes nothing: %j', async (json, message) => {
    const { app } = await start();
    const anna = await registered(app, 'anna', { firstName: 'Anna' });
    const response = await anna.fetch('/api/user', { method: 'PATCH', json: { lastName: 'Müller', ...json } });
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'VALIDATION_FAILED', message }]);
    expect(await (await anna.fetch('/api/user')).json()).toEqual(anna.user);
  });

  test('[D5.12] changing the password requires the current one, and a new one that is not easy to guess', async () => {
    const { app } = await start();
    const anna = await registered(app, 'anna', { firstName: 'Anna', lastName: 'Berg' });
    const change = async (json: object) => {
      const response = await anna.fetch('/api/user/password', { method: 'POST', json });
      return [response.status, response.status === 204 ? null : ((await response.json()) as object)];
    };
    expect(await change({ currentPassword: 'guess', newPassword: 'another one' })).toMatchObject([
      403,
      { code: 'WRONG_PASSWORD' },
    ]);
    expect(await change({ currentPassword: testPassword, newPassword: 'short' })).toMatchObject([
      400,
      { errors: [{ field: 'newPassword', message: 'Password must be at least 8 characters' }] },
    ]);
    const weak = (newPassword: string) => change({ currentPassword: testPassword, newPassword });
    for (const [newPassword, reason] of [
      ['letmein123', 'it’s a common password, or similar to one'],
      ['annaberg1', 'it’s similar to your name, username, email address, or the name of this site'],
    ] as const)
      expect(await weak(newPassword)).toMatchObject([
        400,
        { errors: [{ field: 'newPassword', message: `Password is too easy to guess: ${reason}` }] },
      ]);
    await signedIn(app, 'anna');
    expect(await change({ currentPassword: testPassword, newPassword: 'another one' })).toEqual([204, null]);
    await signedIn(app, 'anna', 'another one');
    const before = { method: 'POST', json: { username: 'anna', password: testPassword } };
    expect((await visitor(app).fetch('/api/login', before)).status).toBe(401);
  });

  test('changing an account requires signing in', async () => {
    const { app } = await start();
    for (const [method, path] of [
      ['GET', '/api/user'],
      ['PATCH', '/api/user'],
      ['POST', '/api/user/password'],
    ] as const) {
      const response = await visitor(app).fetch(path, { method });
      expect([response.status, await response.json()]).toMatchObject([401, { code: 'UNAUTHENTICATED' }]);
    }
  });

  test.skipIf(!naughtyStrings)(
    'every text without control characters can be a name and comes back unchanged',
    slow,
    async () => {
      const { app } = await start();
      const anna = await registered(app, 'anna');
      const names = (naughtyStrings ?? []).filter(
        (text) => Array.from(text).length <= 100 && nameFindings({ firstName: text }).length === 0,
      );
      expect(names.length).toBeGreaterThan(400);
      for (const firstName of names) {
        const response = await anna.fetch('/api/user', { method: 'PATCH', json: { firstName } });
        const { firstName: kept } = (await response.json()) as { firstName: string | null };
        const visible = canBeSeen(firstName);
        expect(kept).toBe(visible ? firstName.trim() : null);
      }
    },
  );
});
