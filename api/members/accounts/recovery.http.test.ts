import { expect, test, vi } from 'vitest';
import { rateLimits } from '#contract/rate-limits.ts';
import { fixedClock } from '#platform/clock.ts';
import { hashPassword } from '#platform/password-hash.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { registered, signedIn, testPassword, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';

// A pass-through mock that counts calls.
vi.mock('#platform/password-hash.ts', { spy: true });

const newPassword = 'another windy day';
const isIn = async (browser: Visitor) => (await browser.fetch('/api/user')).status === 200;
const codesLeftFor = async (browser: Visitor) =>
  ((await (await browser.fetch('/api/user/security')).json()) as { recoveryCodes: number }).recoveryCodes;

eachDatabase((open, _engine, once) => {
  async function start(options: Parameters<typeof startTestApp>[1] = {}) {
    const { db } = await open();
    const app = await startTestApp(db, options);
    const recover = (code: string, more: object = {}, browser = visitor(app), address = '192.0.2.1') =>
      browser.fetch('/api/recover', {
        method: 'POST',
        json: { username: 'anna', code, newPassword, ...more },
        headers: { 'x-forwarded-for': address },
      });
    const createCodes = (browser: Visitor, password = testPassword) =>
      browser.fetch('/api/user/recovery-codes', { method: 'POST', json: { password } });
    return { db, app, recover, createCodes };
  }

  once('registering returns eight recovery codes, of which only digests are stored', async () => {
    const { db, app } = await start();
    const { recoveryCodes, ...anna } = await registered(app, 'anna');
    expect(new Set(recoveryCodes).size).toBe(8);
    for (const code of recoveryCodes) expect(code).toMatch(/^([a-z2-9]{6}-){3}[a-z2-9]{6}$/);
    const stored = JSON.stringify(await db('recovery_codes'));
    for (const code of recoveryCodes) expect(stored).not.toContain(code);
    expect(await codesLeftFor(anna)).toBe(8);
  });

  test('a recovery code sets a new password, signs in, and ends every other session', async () => {
    const { app, recover } = await start();
    const phone = await registered(app, 'anna', { email: 'anna@example.org' });
    const laptop = await signedIn(app, 'anna');
    const browser = visitor(app);
    const answer = await recover(phone.recoveryCodes[3]!, {}, browser);
    expect([answer.status, await answer.json()]).toMatchObject([200, { username: 'anna' }]);
    expect([await isIn(browser), await isIn(phone), await isIn(laptop)]).toEqual([true, false, false]);
    expect(await codesLeftFor(browser)).toBe(7);
    await signedIn(app, 'anna', newPassword);
    const old = { method: 'POST', json: { username: 'anna', password: testPassword } };
    expect((await visitor(app).fetch('/api/login', old)).status).toBe(401);
  });

  once('a code may be typed in capital letters and with spaces, and works with the email address', async () => {
    const { app, recover } = await start();
    const { recoveryCodes } = await registered(app, 'anna', { email: 'anna@example.org' });
    const typed = ` ${recoveryCodes[0]!.toUpperCase().replaceAll('-', ' ')} `;
    expect((await recover(typed, { username: 'ANNA@example.org' })).status).toBe(200);
  });

  test('a code works once, even for concurrent requests', async () => {
    const { app, recover } = await start();
    const { recoveryCodes } = await registered(app, 'anna');
    const passwords = Array.from({ length: 4 }, (_, index) => `password number ${index}`);
    const answers = await Promise.all(
      passwords.map((password) => recover(recoveryCodes[0]!, { newPassword: password })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    await signedIn(app, 'anna', passwords[answers.findIndex(({ status }) => status === 200)]);
    expect((await recover(recoveryCodes[0]!)).status).toBe(401);
  });

  test('concurrent requests with different codes leave one password and use up one code', async () => {
    const { db, app, recover } = await start();
    const { recoveryCodes } = await registered(app, 'anna');
    const passwords = ['password number 1', 'password number 2'];
    const answers = await Promise.all(
      passwords.map((password, index) => recover(recoveryCodes[index]!, { newPassword: password })),
    );
    const right = answers.filter(({ status }) => status === 200).length;
    expect(right).toBeGreaterThan(0);
    expect(await db('recovery_codes')).toHaveLength(8 - right);
  });

  test('a wrong code, the code of another member, and an unknown name get the same response after the same work', async () => {
    const { db, app, recover } = await start();
    await registered(app, 'anna');
    const ben = await registered(app, 'ben');
    vi.mocked(hashPassword).mockClear();
    let queries = 0;
    db.on('query', () => queries++);
    const answers = [];
    for (const [code, username] of [
      ['wrong', 'anna'],
      [ben.recoveryCodes[0]!, 'anna'],
      [ben.recoveryCodes[0]!, 'nobody'],
      ['a\0', 'nobody@example.org'],
    ] as const) {
      const before = queries;
      const response = await recover(code, { username });
      answers.push([response.status, await response.text(), queries - before]);
    }
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(answers[0]).toMatchObject([401, expect.stringContaining('INVALID_RECOVERY_CODE'), 2]);
    expect(hashPassword).not.toHaveBeenCalled();
    expect(await codesLeftFor(ben)).toBe(8);
  });

  once('a new password that is easy to guess is refused, and the code stays valid', async () => {
    const { app, recover } = await start();
    const { recoveryCodes } = await registered(app, 'anna', { email: 'ann.smith@example.org' });
    for (const weak of ['password1', 'annsmith99'])
      expect(await (await recover(recoveryCodes[0]!, { newPassword: weak })).json()).toMatchObject({
        errors: [{ field: 'newPassword', message: expect.stringMatching(/^Password is too easy to guess: /) }],
      });
    expect((await recover(recoveryCodes[0]!)).status).toBe(200);
  });

  once('new codes require the password and replace all earlier ones', async () => {
    const { app, recover, createCodes } = await start();
    const anna = await registered(app, 'anna');
    expect((await createCodes(anna, 'guess')).status).toBe(403);
    expect((await createCodes(visitor(app))).status).toBe(401);
    const answer = await createCodes(anna);
    expect(answer.status).toBe(201);
    const { recoveryCodes } = (await answer.json()) as { recoveryCodes: string[] };
    expect((await recover(anna.recoveryCodes[0]!)).status).toBe(401);
    expect((await recover(recoveryCodes[0]!)).status).toBe(200);
  });

  test('of codes created concurrently, one set of eight remains', async () => {
    const { db, app, recover, createCodes } = await start();
    const anna = await registered(app, 'anna');
    const answers = await Promise.all(Array.from({ length: 4 }, () => createCodes(anna)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await db('recovery_codes')).toHaveLength(8);
    const sets = (await Promise.all(answers.map((answer) => answer.json()))) as { recoveryCodes: string[] }[];
    const statuses = [];
    for (const { recoveryCodes } of sets) statuses.push((await recover(recoveryCodes[0]!)).status);
    expect(statuses.sort()).toEqual([200, 401, 401, 401]);
  });

  once('members who registered before recovery codes existed have none, and can create them', async () => {
    const { db, app, createCodes } = await start();
    const anna = await registered(app, 'anna');
    await db('recovery_codes').del();
    expect(await codesLeftFor(anna)).toBe(0);
    expect((await createCodes(anna)).status).toBe(201);
    expect(await codesLeftFor(anna)).toBe(8);
  });

  once('code guesses are limited per account and network, without locking out other networks', async () => {
    const clock = fixedClock(testNow);
    const { app, recover } = await start({ clock, config: { rateLimit: true } });
    const { recoveryCodes } = await registered(app, 'anna');
    const { points, seconds } = rateLimits.recoverNearby;
    for (let guess = 0; guess < points; guess++)
      expect((await recover(`guess ${guess}`, {}, visitor(app), `192.0.2.${guess}`)).status).toBe(401);
    expect((await recover(recoveryCodes[0]!, {}, visitor(app), '192.0.2.99')).status).toBe(429);
    expect((await recover('guess', { username: 'ben' }, visitor(app), '192.0.2.99')).status).toBe(401);
    expect((await recover(recoveryCodes[0]!, {}, visitor(app), '198.51.100.1')).status).toBe(200);
    clock.set(testNow + seconds * 1_000);
    expect((await recover(recoveryCodes[1]!, {}, visitor(app), '192.0.2.99')).status).toBe(200);
  });
});
