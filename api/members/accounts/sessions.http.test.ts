import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AccountSecurity } from './account-security.contract.ts';
import { fixedClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { registered, signedIn, testPassword, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testKey, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { sweepAccounts } from './session-store.service.ts';

const day = 86_400_000;
const isIn = async (browser: Visitor) => (await browser.fetch('/api/user')).status === 200;
const securityOf = async (browser: Visitor) =>
  (await (await browser.fetch('/api/user/security')).json()) as AccountSecurity;
const cookie = (browser: Visitor) => browser.cookies.get('wv_session');
/** The cookies of a browser at an earlier time. */
const copyOf = (app: TestApp, browser: Visitor): Visitor => {
  const copy = visitor(app);
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  return copy;
};
/** A signature as earlier releases made it. */
const sha1 = (data: string, key = testKey) => createHmac('sha1', key).update(data).digest('base64url');
const setCookies = (response: Response) =>
  new Map(response.headers.getSetCookie().map((line) => [line.split('=')[0] ?? '', line.toLowerCase()]));

eachDatabase((open, _engine, once) => {
  async function start(options: Parameters<typeof startTestApp>[1] = {}) {
    const { db, url } = await open();
    const app = await startTestApp(db, options);
    return { db, url, app };
  }

  once('[D5.7] scripts can’t read the session cookie, and other sites can’t send it', async () => {
    const { app } = await start();
    const json = { username: 'anna', password: testPassword };
    const cookies = setCookies(await visitor(app).fetch('/api/register', { method: 'POST', json }));
    expect([...cookies.keys()].sort()).toEqual(['wv_account', 'wv_known', 'wv_session', 'wv_session.sig']);
    expect(cookies.get('wv_known')).toMatch(/; path=\/; max-age=\d+; httponly; samesite=strict$/);
    for (const name of ['wv_session', 'wv_session.sig']) {
      expect(cookies.get(name)).toMatch(/; path=\/; expires=.*; samesite=lax; httponly$/);
    }
    expect(cookies.get('wv_account')).toBe(`wv_account=1; path=/; max-age=${30 * 86_400}; samesite=lax`);
  });

  once('[D5.7] with an https public address, account cookies are never sent over plain HTTP', async () => {
    const { app } = await start({ config: { publicUrl: 'https://polls.example.org' } });
    const anna = visitor(app);
    const json = { username: 'anna', password: testPassword };
    const origin = 'https://polls.example.org';
    const answers = [
      await anna.fetch('/api/register', { method: 'POST', json, headers: { origin } }),
      await anna.fetch('/api/login', { method: 'POST', json, headers: { origin } }),
    ];
    expect(await isIn(anna)).toBe(true);
    const left = copyOf(app, anna);
    answers.push(await anna.fetch('/api/logout', { method: 'POST', headers: { origin } }));
    answers.push(await left.fetch('/api/user'));
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 204, 401]);
    for (const answer of answers) {
      const lines = [...setCookies(answer).values()];
      expect(lines).toHaveLength(answer === answers[0] ? 4 : 3);
      for (const line of lines) expect(line).toContain('; secure');
    }
  });

  once(
    '[D5.7] on https, the session cookie is bound to this host, and one from an earlier release is renamed when it is used',
    async () => {
      const config = { publicUrl: 'https://polls.example.org' };
      const { app } = await start({ config });
      const anna = await registered(app, 'anna');
      const names = ['__Host-wv_session', '__Host-wv_session.sig', 'wv_account'];
      expect([...anna.cookies.keys()].sort()).toEqual(['__Host-wv_known', ...names]);
      const id = anna.cookies.get('__Host-wv_session')!;
      const former = visitor(app);
      former.cookies.set('wv_session', id);
      former.cookies.set('wv_session.sig', sha1(`wv_session=${id}`));
      const forged = copyOf(app, former);
      forged.cookies.set('wv_session.sig', sha1(`wv_session=${id}`, 'another key'));
      expect(await isIn(forged)).toBe(false);
      const renamed = await former.fetch('/api/user');
      expect(renamed.status).toBe(200);
      for (const name of ['__Host-wv_session', '__Host-wv_session.sig'])
        expect(setCookies(renamed).get(name.toLowerCase()) ?? setCookies(renamed).get(name)).toMatch(
          /; path=\/; expires=.*; samesite=lax; secure; httponly$/,
        );
      expect([...former.cookies.keys()].sort()).toEqual(names);
      expect(await isIn(former)).toBe(true);
      expect(setCookies(await former.fetch('/api/user')).size).toBe(0);
    },
  );

  once(
    '[D5.7] session cookies are signed with SHA-256; a SHA-1 signature from an earlier release is replaced',
    async () => {
      const { app } = await start();
      const anna = await registered(app, 'anna');
      const signature = anna.cookies.get('wv_session.sig');
      expect(signature).toMatch(/^[\w-]{43}$/);
      const earlier = copyOf(app, anna);
      earlier.cookies.set('wv_session.sig', sha1(`wv_session=${cookie(anna)}`));
      expect(await isIn(earlier)).toBe(true);
      expect(earlier.cookies.get('wv_session.sig')).toBe(signature);
    },
  );

  once('[D5.6] the session id changes at sign-in, and the previous one is invalid', async () => {
    const { db, app } = await start();
    const anna = await registered(app, 'anna');
    const before = copyOf(app, anna);
    const json = { username: 'anna', password: testPassword };
    expect((await anna.fetch('/api/login', { method: 'POST', json })).status).toBe(200);
    expect(cookie(anna)).not.toBe(cookie(before));
    expect([await isIn(anna), await isIn(before)]).toEqual([true, false]);
    expect(await db('sessions')).toHaveLength(1);
  });

  once('a session id planted in a browser is never accepted', async () => {
    const { app } = await start();
    await registered(app, 'anna');
    const mallory = await registered(app, 'mallory');
    // The signature is valid: it is the attacker's own session.
    const anna = copyOf(app, mallory);
    const json = { username: 'anna', password: testPassword };
    await anna.fetch('/api/login', { method: 'POST', json });
    expect(await (await anna.fetch('/api/user')).json()).toMatchObject({ username: 'anna' });
    expect(cookie(anna)).not.toBe(cookie(mallory));
    expect(await isIn(mallory)).toBe(false);
  });

  once('[D5.7] a modified cookie is not accepted', async () => {
    const { app } = await start();
    const anna = await registered(app, 'anna');
    const id = cookie(anna) ?? '';
    for (const [name, value] of [
      ['wv_session', `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`],
      ['wv_session', ''],
      ['wv_session.sig', 'AAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ] as const) {
      const changed = copyOf(app, anna);
      changed.cookies.set(name, value);
      expect(await isIn(changed)).toBe(false);
    }
    const unsigned = copyOf(app, anna);
    unsigned.cookies.delete('wv_session.sig');
    expect(await isIn(unsigned)).toBe(false);
    expect(await isIn(anna)).toBe(true);
  });

  once(
    '[D1.9] a cookie signed with an older key stays valid, and new ones are signed with the newest key',
    async () => {
      const { url, app } = await start();
      const anna = await registered(app, 'anna');
      const rotated = openDatabase(url);
      const both = await startTestApp(rotated, { keys: ['a newer key', testKey] });
      const old = copyOf(both, anna);
      const signedAnew = setCookies(await old.fetch('/api/user'));
      // With the full lifetime: without an expiry, the browser would drop it on exit.
      expect(signedAnew.get('wv_session.sig')).toMatch(/; path=\/; expires=.*; samesite=lax; httponly$/);
      const ben = await registered(both, 'ben');
      await both.close();
      const newest = await startTestApp(rotated, { keys: ['a newer key'] });
      const stillIn = await Promise.all([ben, old, anna].map((browser) => isIn(copyOf(newest, browser))));
      expect(stillIn).toEqual([true, true, false]);
      await newest.close();
      await rotated.destroy();
    },
  );

  test('[S3.12] the sessions in a leaked table can’t be used', async () => {
    const { db, app } = await start();
    const anna = await registered(app, 'anna');
    const [row] = await db('sessions');
    expect(row).toMatchObject({ user_id: anna.user.id, expire: testNow + 30 * day });
    expect(Object.keys(row as object)).toEqual(expect.arrayContaining(['sid', 'sess', 'expire']));
    expect(JSON.parse((row as { sess: string }).sess)).toBeTypeOf('object');
    expect(JSON.stringify(row)).not.toContain(cookie(anna));
    const { password } = (await db('users').first())!;
    expect(JSON.stringify(row)).not.toContain(password);
  });

  test('[S3.12 D5.7] a session lasts 30 days from its last use, and using it writes at most once a day', async () => {
    const clock = fixedClock(testNow);
    const { db, app } = await start({ clock });
    const anna = await registered(app, 'anna');
    const expires = async () => ((await db('sessions').first()) as { expire: number }).expire - testNow;

    clock.set(testNow + day - 1);
    expect(setCookies(await anna.fetch('/api/user')).size).toBe(0);
    expect(await expires()).toBe(30 * day);
    clock.set(testNow + day);
    const renewed = setCookies(await anna.fetch('/api/user'));
    expect([...renewed.keys()].sort()).toEqual(['wv_account', 'wv_session', 'wv_session.sig']);
    expect(await expires()).toBe(31 * day);
    expect(setCookies(await anna.fetch('/api/user')).size).toBe(0);

    clock.set(testNow + 31 * day - 1);
    expect(await isIn(copyOf(app, anna))).toBe(true);
    clock.set(testNow + 61 * day - 1);
    expect(await isIn(anna)).toBe(false);
    expect([...anna.cookies.keys()]).toEqual(['wv_known']);
  });

  once('a session ends 90 days after signing in, however often it is used', async () => {
    const clock = fixedClock(testNow);
    const { db, app } = await start({ clock });
    const anna = await registered(app, 'anna');
    for (let days = 20; days <= 80; days += 20) {
      clock.set(testNow + days * day);
      expect(await isIn(anna)).toBe(true);
    }
    clock.set(testNow + 90 * day - 1);
    expect(await isIn(anna)).toBe(true);
    // Renewed at most once a day, even if the expiry stays the same.
    expect(setCookies(await anna.fetch('/api/user')).size).toBe(0);
    expect(await db('sessions').first()).toMatchObject({ expire: testNow + 90 * day });
    clock.set(testNow + 90 * day);
    expect(await isIn(anna)).toBe(false);
  });

  test('sessions that began before their times were stored stay valid, and end 90 days after their last renewal', async () => {
    const clock = fixedClock(testNow);
    const { db, app } = await start({ clock });
    const anna = await registered(app, 'anna');
    await db('sessions').update({ created_at: null, last_used_at: null, device: null });
    clock.set(testNow + 2 * day);
    expect(await isIn(anna)).toBe(true);
    expect(await db('sessions').first()).toMatchObject({ created_at: testNow, last_used_at: testNow + 2 * day });
  });

  once('members see where they are signed in, but no credentials', async () => {
    const clock = fixedClock(testNow);
    const { db, app } = await start({ clock });
    const anna = await registered(app, 'anna');
    clock.set(testNow + day);
    const phone = visitor(app);
    const json = { username: 'anna', password: testPassword };
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' };
    await phone.fetch('/api/login', { method: 'POST', json, headers });
    await registered(app, 'ben');
    const { sessions } = await securityOf(phone);
    expect(sessions).toEqual([
      expect.objectContaining({ device: 'Firefox on Linux', current: true }),
      expect.objectContaining({
        ...{ device: null, current: false },
        ...{ createdAt: new Date(testNow).toISOString(), lastUsedAt: new Date(testNow).toISOString() },
      }),
    ]);
    for (const secret of [cookie(anna), cookie(phone)]) expect(JSON.stringify(sessions)).not.toContain(secret);
    expect(JSON.stringify(await db('sessions'))).not.toContain('145.0');
  });

  once('a member ends one session, or all others, with the password', async () => {
    const { app } = await start();
    const phone = await registered(app, 'anna');
    const [laptop, tablet, club] = [
      await signedIn(app, 'anna'),
      await signedIn(app, 'anna'),
      await signedIn(app, 'anna'),
    ];
    const ben = await registered(app, 'ben');
    const end = async (json: object) => (await phone.fetch('/api/user/sessions/end', { method: 'POST', json })).status;
    const own = async (browser: Visitor) => (await securityOf(browser)).sessions.find(({ current }) => current)?.id;
    const states = () => Promise.all([phone, laptop, tablet, club, ben].map(isIn));

    expect(await end({ password: 'guess', id: await own(laptop) })).toBe(403);
    expect(await end({ password: 'guess' })).toBe(403);
    // The session of another member is not theirs to end.
    expect(await end({ password: testPassword, id: await own(ben) })).toBe(204);
    expect(await states()).toEqual([true, true, true, true, true]);
    expect(await end({ password: testPassword, id: await own(laptop) })).toBe(204);
    expect(await states()).toEqual([true, false, true, true, true]);
    expect(await end({ password: testPassword })).toBe(204);
    expect(await states()).toEqual([true, false, false, false, true]);
  });

  once('[S7.8 D5.6] signing out ends only this session, and a copy of its cookie is invalid', async () => {
    const { app } = await start();
    const phone = await registered(app, 'anna');
    const laptop = await signedIn(app, 'anna');
    const stolen = copyOf(app, phone);
    expect((await phone.fetch('/api/logout', { method: 'POST' })).status).toBe(204);
    expect([...phone.cookies.keys()]).toEqual(['wv_known']);
    expect([await isIn(stolen), await isIn(laptop)]).toEqual([false, true]);
    expect((await phone.fetch('/api/logout', { method: 'POST' })).status).toBe(204);
  });

  test('renewing a session that was ended concurrently does not restore it', async () => {
    const clock = fixedClock(testNow);
    const { db, app } = await start({ clock });
    const anna = await registered(app, 'anna');
    const stolen = copyOf(app, anna);
    clock.set(testNow + 2 * day);
    await Promise.all([anna.fetch('/api/logout', { method: 'POST' }), stolen.fetch('/api/user')]);
    expect(await db('sessions')).toEqual([]);
    expect(await isIn(stolen)).toBe(false);
  });

  once('changing the password ends every other session and gives the current one a new id', async () => {
    const { db, app } = await start();
    const phone = await registered(app, 'anna');
    const laptop = await signedIn(app, 'anna');
    const before = copyOf(app, phone);
    const json = { currentPassword: testPassword, newPassword: 'another one' };
    expect((await phone.fetch('/api/user/password', { method: 'POST', json })).status).toBe(204);
    expect(cookie(phone)).not.toBe(cookie(before));
    expect([await isIn(phone), await isIn(before), await isIn(laptop)]).toEqual([true, false, false]);
    expect(await db('sessions')).toHaveLength(1);
    await signedIn(app, 'anna', 'another one');
    const again = { username: 'anna', password: testPassword };
    expect((await visitor(app).fetch('/api/login', { method: 'POST', json: again })).status).toBe(401);
  });

  once('a session opened with an earlier password is invalid, whenever it was stored', async () => {
    const { db, app } = await start();
    const anna = await registered(app, 'anna');
    const [session] = await db('sessions');
    const json = { currentPassword: testPassword, newPassword: 'another one' };
    const thief = copyOf(app, anna);
    await anna.fetch('/api/user/password', { method: 'POST', json });
    // A sign-in with the old password whose session is written after the change.
    await db('sessions').insert(session!);
    expect(await isIn(thief)).toBe(false);
  });

  test('of two concurrent password changes, one succeeds', async () => {
    const { app } = await start();
    const phone = await registered(app, 'anna');
    const laptop = await signedIn(app, 'anna');
    const change = (browser: Visitor, newPassword: string) =>
      browser.fetch('/api/user/password', { method: 'POST', json: { currentPassword: testPassword, newPassword } });
    const answers = await Promise.all([change(phone, 'phone password'), change(laptop, 'laptop password')]);
    const made = answers.findIndex(({ status }) => status === 204);
    // The slower one fails because the password has changed or its session has ended.
    expect([401, 403]).toContain(answers[1 - made]?.status);
    await signedIn(app, 'anna', ['phone password', 'laptop password'][made]);
  });

  test('[D5.7] sessions are valid on every process, and signing out on one signs out on all', async () => {
    const { url, app } = await start();
    const second = openDatabase(url);
    const other = await startTestApp(second);
    const anna = await registered(app, 'anna');
    const there = copyOf(other, anna);
    expect(await isIn(there)).toBe(true);
    await there.fetch('/api/logout', { method: 'POST' });
    expect(await isIn(anna)).toBe(false);
    await other.close();
    await second.destroy();
  });

  test('expired sessions are deleted, others stay', async () => {
    const clock = fixedClock(testNow);
    const { db, app } = await start({ clock });
    await registered(app, 'anna');
    clock.set(testNow + day);
    const bert = await registered(app, 'bert');
    await sweepAccounts(db, testNow + 30 * day);
    expect(await db('sessions').pluck('user_id')).toEqual([bert.user.id]);
  });

  once('requests of visitors without an account don’t query sessions', async () => {
    const { db, app } = await start();
    const asked: string[] = [];
    db.on('query', ({ sql }: { sql: string }) => asked.push(sql));
    const anyone = visitor(app);
    anyone.cookies.set('wv_voter', 'anything');
    await anyone.fetch('/api/statistics');
    expect(asked.filter((sql) => /sessions|users/.test(sql))).toEqual([]);
    expect(asked).not.toEqual([]);
  });

  once('[D5.8] signing in from another site is refused', async () => {
    const { app } = await start();
    await registered(app, 'anna');
    const json = { username: 'anna', password: testPassword };
    const from = async (headers: Record<string, string>) => {
      const browser = visitor(app);
      const { status } = await browser.fetch('/api/login', { method: 'POST', json, headers });
      return [status, browser.cookies.size];
    };
    expect(await from({ origin: 'https://elsewhere.example' })).toEqual([403, 0]);
    expect(await from({ 'sec-fetch-site': 'cross-site' })).toEqual([403, 0]);
    expect(await from({ 'sec-fetch-site': 'same-site' })).toEqual([403, 0]);
    expect(await from({ origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' })).toEqual([200, 4]);
  });

  once('[S7.26 D5.11] /api/login redirects to the sign-in page and keeps a return path on this site', async () => {
    const { app } = await start();
    const ask = async (query: string) => {
      const { status, headers } = await visitor(app).fetch(`/api/login${query}`);
      expect(status).toBe(302);
      return headers.get('location');
    };
    expect(await ask('')).toBe('/auth');
    expect(await ask('?next=/community-polls/abc%3Fx=1')).toBe('/auth?next=%2Fcommunity-polls%2Fabc%3Fx%3D1');
    for (const evil of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '%2F%2Fevil.example',
      '%2F%5Cevil.example',
      '%2F%09%2Fevil.example',
      '/.//evil.example',
      'javascript:alert(1)',
      '//evil.example&next=/profile',
    ])
      expect(await ask(`?next=${evil}`)).toBe('/auth');
  });
});
