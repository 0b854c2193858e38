import { expect, test } from 'vitest';
import { mailOutbox } from '#api/mail/outbox.service.ts';
import { authenticator } from '#api/testing/authenticator.ts';
import { ask } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { registered, signedIn, testPassword, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { AccountSecurity, PasskeySummary } from './account-security.contract.ts';
import * as limits from '#contract/limits.ts';
import type { PasskeyCreation, PasskeyLogin } from './passkeys.contract.ts';
import { challengeMs } from './passkey-challenges.service.ts';
import { addPasskey } from './passkeys.service.ts';
import { sweepAccounts } from './session-store.service.ts';

const publicUrl = 'http://localhost:3000';

eachDatabase((open, _engine, once) => {
  async function start() {
    const { db } = await open();
    const app = await startTestApp(db, { config: { publicUrl } });
    return { db, app, anna: await registered(app, 'anna') };
  }
  const begin = (member: Visitor, password = testPassword) =>
    ask<PasskeyCreation>(member, '/api/user/passkeys/creation', 'POST', { password });
  const add = (member: Visitor, body: object) => ask<PasskeySummary>(member, '/api/user/passkeys', 'POST', body);
  const addKey = async (member: Visitor, name = 'My key') => {
    const key = authenticator(publicUrl);
    const { body, status } = await add(member, key.create((await begin(member)).body, name));
    expect(status).toBe(201);
    return { key, id: body.id };
  };
  const challenge = async (browser: Visitor) =>
    (await ask<{ challenge: string; rpId: string }>(browser, '/api/login/passkey/challenge', 'POST')).body;
  const login = (browser: Visitor, body: PasskeyLogin) => ask(browser, '/api/login/passkey', 'POST', body);
  const passkeysOf = async (member: Visitor) =>
    (await ask<AccountSecurity>(member, '/api/user/security')).body.passkeys;

  once(
    'a member adds a passkey with the password, and signs in with it on another browser, without a name',
    async () => {
      const { app, anna } = await start();
      expect((await begin(anna, 'wrong password')).status).toBe(403);
      const { key, id } = await addKey(anna, 'Phone');
      const created = { id, name: 'Phone', createdAt: new Date(testNow).toISOString() };
      expect(await passkeysOf(anna)).toEqual([{ ...created, lastUsedAt: null }]);
      const phone = visitor(app);
      expect(await challenge(phone)).toMatchObject({ rpId: 'localhost' });
      expect(phone.cookies.has('wv_passkey')).toBe(true);
      const { status, body } = await login(phone, key.sign(await challenge(phone)));
      expect([status, body]).toMatchObject([200, { username: 'anna' }]);
      expect((await phone.fetch('/api/user')).status).toBe(200);
      expect(phone.cookies.has('wv_passkey')).toBe(false);
      expect(await passkeysOf(anna)).toEqual([{ ...created, lastUsedAt: created.createdAt }]);
    },
  );

  once('a challenge works once, for five minutes, and only in the browser or session that asked for it', async () => {
    const { db, app, anna } = await start();
    const { key } = await addKey(anna);
    const [phone, thief] = [visitor(app), visitor(app)];
    const answer = key.sign(await challenge(phone));
    await challenge(thief);
    expect((await login(thief, answer)).status).toBe(401);
    const twice = await Promise.all([login(phone, answer), login(phone, answer)]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 401]);
    const late = key.sign(await challenge(thief));
    app.clock.set(testNow + challengeMs);
    expect((await login(thief, late)).status).toBe(401);
    await sweepAccounts(db, testNow + challengeMs);
    expect(await db('passkey_challenges')).toEqual([]);
    // The same for adding: another session of the member has another challenge.
    const other = authenticator(publicUrl);
    const laptop = await signedIn(app, 'anna');
    const created = other.create((await begin(anna)).body);
    expect((await add(laptop, created)).status).toBe(400);
    const added = await Promise.all([add(anna, created), add(anna, created)]);
    expect(added.map(({ status }) => status).sort()).toEqual([201, 400]);
  });

  once(
    'a signature for another site, without a fingerprint or PIN, or with a counter that was not raised is refused',
    async () => {
      const { app, anna } = await start();
      const deviations = [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { verified: false }];
      for (const deviation of deviations) {
        const created = authenticator(publicUrl).create((await begin(anna)).body, 'Key', deviation);
        expect((await add(anna, created)).body).toMatchObject({ code: 'INVALID_PASSKEY' });
      }
      const { key } = await addKey(anna);
      const phone = visitor(app);
      expect((await login(phone, key.sign(await challenge(phone)))).status).toBe(200);
      for (const deviation of [...deviations, { counter: 1 }, { counter: 0 }])
        expect((await login(visitor(app), key.sign(await challenge(phone), deviation))).status).toBe(401);
      for (const deviation of [...deviations, { counter: 1 }, { counter: 0 }])
        expect((await login(phone, key.sign(await challenge(phone), deviation))).status).toBe(401);
      const forged = key.sign(await challenge(phone));
      expect((await login(phone, { ...forged, userHandle: 'c29tZWJvZHk' })).status).toBe(401);
      expect((await login(phone, key.sign(await challenge(phone)))).status).toBe(200);
    },
  );

  once('a member renames and removes passkeys; nobody else can, and the password keeps working', async () => {
    const { app, anna } = await start();
    const { key, id } = await addKey(anna);
    const ben = await registered(app, 'ben');
    const path = `/api/user/passkeys/${id}`;
    expect((await ask(ben, path, 'PATCH', { name: 'Mine' })).status).toBe(404);
    expect((await ask(ben, path, 'DELETE', { password: testPassword })).status).toBe(404);
    expect((await ask(anna, path, 'PATCH', { name: ' ' })).status).toBe(400);
    expect((await ask(anna, path, 'PATCH', { name: 'Old phone' })).status).toBe(204);
    expect(await passkeysOf(anna)).toMatchObject([{ name: 'Old phone' }]);
    expect((await ask(anna, path, 'DELETE', { password: 'wrong password' })).status).toBe(403);
    expect((await ask(anna, path, 'DELETE', { password: testPassword })).status).toBe(204);
    const phone = visitor(app);
    expect((await login(phone, key.sign(await challenge(phone)))).body).toMatchObject({ code: 'UNKNOWN_PASSKEY' });
    await signedIn(app, 'anna');
  });

  once(
    'a passkey of a deleted account is answered as unknown, but not without a challenge of the browser',
    async () => {
      const { app, anna } = await start();
      const { key } = await addKey(anna);
      const { username } = anna.user;
      expect((await ask(anna, '/api/user', 'DELETE', { password: testPassword, username })).status).toBe(204);
      const phone = visitor(app);
      const signed = key.sign(await challenge(phone));
      expect(await login(phone, signed)).toMatchObject({ status: 401, body: { code: 'UNKNOWN_PASSKEY' } });
      expect(await login(phone, signed)).toMatchObject({ status: 401, body: { code: 'INVALID_PASSKEY' } });
    },
  );

  once('a session that was ended before its request was read adds no passkey', async () => {
    const { db, app, anna } = await start();
    const key = authenticator(publicUrl).create((await begin(anna)).body);
    const sid = (await db('sessions').first<{ sid: string }>('sid')).sid;
    await db('sessions').del();
    const { clock } = app;
    const context = { db, clock, config: { publicUrl, siteName: '' }, mail: mailOutbox({ clock, on: false }) };
    const adding = addPasskey(context, anna.user.id, { session: sid, passkey: key });
    await expect(adding).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await db('passkeys')).toEqual([]);
  });

  test('an account has at most 20 passkeys, each authenticator once', async () => {
    const { db, anna } = await start();
    const { key } = await addKey(anna);
    const again = key.create((await begin(anna)).body);
    expect((await add(anna, again)).body).toMatchObject({ code: 'INVALID_PASSKEY' });
    const created = authenticator(publicUrl).create((await begin(anna)).body);
    const [row] = await db<{ id: string }>('passkeys');
    for (let count = 1; count < limits.passkeys; count++) await db('passkeys').insert({ ...row, id: `id-${count}` });
    expect((await add(anna, created)).status).toBe(409);
    expect((await begin(anna)).body).toMatchObject({ code: 'CONFLICT' });
  });

  once('recovering an account removes its passkeys: they may be on the lost device', async () => {
    const { app, anna } = await start();
    const { key } = await addKey(anna);
    const json = { username: 'anna', code: anna.recoveryCodes[0], newPassword: 'another windy day' };
    const browser = visitor(app);
    expect((await browser.fetch('/api/recover', { method: 'POST', json })).status).toBe(200);
    expect(await passkeysOf(browser)).toEqual([]);
    const phone = visitor(app);
    expect((await login(phone, key.sign(await challenge(phone)))).status).toBe(401);
  });
});
