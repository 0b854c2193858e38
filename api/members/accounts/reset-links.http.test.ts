import { expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import { isSqlite, openDatabase } from '#platform/database.ts';
import { createLogger } from '#platform/logger.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { waitForLock } from '#api/testing/wait-for-lock.ts';
import { registered, signedIn, testPassword, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testAdminPassword, testNow } from '#api/testing/test-app.ts';
import type { ResetLink } from '#api/admin/members.contract.ts';
import { headerText } from '#site/client/api.ts';
import { expireResetLinks } from './reset-links.service.ts';
import { sweepAccounts } from './session-store.service.ts';

const hour = 3_600_000;
const newPassword = 'another windy day';
const isIn = async (browser: Visitor) => (await browser.fetch('/api/user')).status === 200;

eachDatabase((open, _engine, once) => {
  async function start() {
    const { db, url } = await open();
    const clock = fixedClock(testNow);
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const log = createLogger('api', { level: 'warn', json: true, destination });
    const app = await startTestApp(db, { clock, log, config: { publicUrl: 'https://polls.example.org' } });
    const operator = (path: string, method = 'GET') =>
      app.fetch(path, { method, headers: { 'x-admin-password': headerText(testAdminPassword) } });
    const makeLink = async (id: string) => {
      const response = await operator(`/api/admin/members/${id}/reset-link`, 'POST');
      expect(response.status).toBe(201);
      return (await response.json()) as ResetLink;
    };
    const reset = ({ url }: ResetLink, password = newPassword, browser = visitor(app)) =>
      browser.fetch('/api/reset-password', {
        method: 'POST',
        json: { token: new URLSearchParams(new URL(url).hash.slice(1)).get('reset'), newPassword: password },
      });
    return { db, url, app, clock, lines, operator, makeLink, reset };
  }

  test('the operator finds members by username or email address', async () => {
    const { app, operator } = await start();
    const anna = await registered(app, 'Anna', { email: 'club@example.org', firstName: 'Anna', lastName: 'Berg' });
    const ben = await registered(app, 'ben', { email: 'Club@example.org' });
    const find = async (name: string) =>
      (await (await operator(`/api/admin/members?name=${encodeURIComponent(name)}`)).json()) as object;
    const about = ({ user }: typeof anna, name: string) => ({
      ...{ id: user.id, username: user.username, name, profileImageUrl: null },
      ...{ createdAt: user.createdAt, suspended: false, operator: false },
    });
    expect(await find(' anna ')).toEqual({ members: [about(anna, 'Anna Berg')] });
    const both = (await find('CLUB@example.org')) as { members: object[] };
    expect(both.members).toHaveLength(2);
    expect(both.members).toEqual(expect.arrayContaining([about(anna, 'Anna Berg'), about(ben, 'ben')]));
    for (const nobody of ['an', 'a\0']) expect(await find(nobody)).toEqual({ members: [] });
    expect(await (await operator('/api/admin/members')).json()).toEqual({ members: [] });
  });

  once('a reset link from the operator sets a new password, signs in, and ends every other session', async () => {
    const { db, app, lines, makeLink, reset } = await start();
    const anna = await registered(app, 'anna');
    const link = await makeLink(anna.user.id);
    expect(link).toEqual({
      url: expect.stringMatching(/^https:\/\/polls\.example\.org\/auth\/recover#reset=[\w-]{43}&username=anna$/),
      expiresAt: new Date(testNow + hour).toISOString(),
    });
    const browser = visitor(app);
    const answer = await reset(link, newPassword, browser);
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ username: 'anna' })]);
    expect([await isIn(browser), await isIn(anna)]).toEqual([true, false]);
    await signedIn(app, 'anna', newPassword);
    // The secret is neither stored nor logged; who made the link is both.
    const secret = link.url.split('=')[1]!;
    const stored = await db('reset_links');
    expect(JSON.stringify([stored, lines])).not.toContain(secret);
    expect(stored).toMatchObject([{ user_id: anna.user.id, made_by: 'page', used_at: testNow }]);
    expect(lines.filter((line) => line.includes('password reset link'))).toHaveLength(1);
    expect(await (await browser.fetch('/api/user/export')).json()).toMatchObject({
      resetLinks: [{ createdAt: new Date(testNow).toISOString(), usedAt: new Date(testNow).toISOString() }],
    });
  });

  test('a link works once, even for concurrent requests', async () => {
    const { app, makeLink, reset } = await start();
    const anna = await registered(app, 'anna');
    const link = await makeLink(anna.user.id);
    const answers = await Promise.all(Array.from({ length: 4 }, (_, index) => reset(link, `windy day ${index}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    const again = await reset(link);
    expect(await again.json()).toEqual({
      code: 'INVALID_RESET_LINK',
      message: 'This link has expired or was already used. Ask for a new one.',
    });
  });

  test('a link that is used while another one is made waits for it, and is then refused', async ({ skip }) => {
    const { db, app, clock, makeLink, reset } = await start();
    // SQLite has one writer at a time.
    skip(isSqlite(db));
    const anna = await registered(app, 'anna');
    const link = await makeLink(anna.user.id);
    let using: Promise<Response> | undefined;
    await db.transaction(async (trx) => {
      await trx('users').where({ id: anna.user.id }).forUpdate().first('id');
      using = reset(link);
      await waitForLock(db);
      await expireResetLinks(trx, anna.user.id, clock.now());
    });
    expect((await using!).status).toBe(401);
    await signedIn(app, 'anna');
  });

  test('a link is made while another process of the same SQLite database commits votes', async ({ skip }) => {
    const { db, url, app, operator } = await start();
    skip(!isSqlite(db));
    const anna = await registered(app, 'anna');
    const other = openDatabase(url);
    try {
      let making: Promise<Response> | undefined;
      await other.transaction(async (trx) => {
        await trx('installation').insert({ name: 'other', value: '' });
        const begun = new Promise<void>((done) => {
          db.on('query', ({ sql }: { sql: string }) => {
            if (sql.startsWith('BEGIN')) done();
          });
        });
        making = operator(`/api/admin/members/${anna.user.id}/reset-link`, 'POST');
        await begun;
      });
      expect((await making!).status).toBe(201);
    } finally {
      await other.destroy();
    }
  });

  once('a reset link from the operator makes the address unconfirmed, and ends the recovery codes', async () => {
    const { db, app, makeLink, reset } = await start();
    const anna = await registered(app, 'anna', { email: 'anna@example.org' });
    await db('users').update({ email_confirmed_at: testNow });
    expect((await reset(await makeLink(anna.user.id))).status).toBe(200);
    expect(await db('users').pluck('email_confirmed_at')).toEqual([null]);
    expect(await db('recovery_codes')).toEqual([]);
  });

  once('a link expires after an hour, and a refused one changes nothing', async () => {
    const { app, clock, makeLink, reset } = await start();
    const anna = await registered(app, 'anna');
    const link = await makeLink(anna.user.id);
    clock.set(testNow + hour);
    expect((await reset(link)).status).toBe(401);
    await signedIn(app, 'anna');
    expect(await isIn(anna)).toBe(true);
    const next = await makeLink(anna.user.id);
    clock.set(testNow + 2 * hour - 1);
    expect((await reset(next)).status).toBe(200);
  });

  once('a new link, and a new password, invalidate earlier links', async () => {
    const { app, clock, makeLink, reset } = await start();
    const anna = await registered(app, 'anna');
    const links = [await makeLink(anna.user.id), await makeLink(anna.user.id)];
    clock.set(testNow + 1);
    expect((await reset(links[0]!)).status).toBe(401);
    const json = { currentPassword: testPassword, newPassword: 'a third windy day' };
    expect((await anna.fetch('/api/user/password', { method: 'POST', json })).status).toBe(204);
    expect((await reset(links[1]!)).status).toBe(401);
    await signedIn(app, 'anna', 'a third windy day');
  });

  once('no link is created for an account that does not exist', async () => {
    const { db, operator } = await start();
    expect((await operator('/api/admin/members/nobody/reset-link', 'POST')).status).toBe(404);
    expect(await db('reset_links')).toEqual([]);
  });

  test('the record of a link is deleted 30 days after it ended, or with the account', async () => {
    const { db, app, makeLink } = await start();
    const anna = await registered(app, 'anna');
    await makeLink(anna.user.id);
    await sweepAccounts(db, testNow + hour + 30 * 24 * hour - 1);
    expect(await db('reset_links')).toHaveLength(1);
    await sweepAccounts(db, testNow + hour + 30 * 24 * hour);
    expect(await db('reset_links')).toEqual([]);
    const ben = await registered(app, 'ben');
    await makeLink(ben.user.id);
    const json = { username: 'ben', password: testPassword };
    expect(
      (await ben.fetch('/api/user', { method: 'DELETE', json, headers: { origin: 'https://polls.example.org' } }))
        .status,
    ).toBe(204);
    expect(await db('reset_links')).toEqual([]);
  });
});
