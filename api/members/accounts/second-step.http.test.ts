import { expect, test } from 'vitest';
import { authenticator } from '#api/testing/authenticator.ts';
import { ask } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { secretIn } from '#api/testing/mail-server.ts';
import { startMailing } from '#api/testing/mailing.ts';
import { registered, testPassword, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testKey, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import type { AccountSecurity } from './account-security.contract.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { signInWaitMinutes } from '#contract/limits.ts';
import type { NotificationPage } from '#api/members/notifications/notifications.contract.ts';
import type { PasskeyCreation } from './passkeys.contract.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { attemptCounters } from '#platform/attempts.ts';
import { fixedClock } from '#platform/clock.ts';
import { removeOldDevices } from './known-devices.service.ts';

const minute = 60_000;
const publicUrl = 'http://localhost:3000';

eachDatabase((open, _engine, once) => {
  /** Signs in from an address; a browser keeps its cookies. */
  const signIn = async (
    browser: Visitor,
    address: string,
    { password = testPassword, username = 'anna', ...more }: Readonly<Record<string, unknown>> = {},
  ) => {
    const response = await browser.fetch('/api/login', {
      method: 'POST',
      json: { username, password, ...more },
      headers: { 'x-forwarded-for': address, 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/145.0' },
    });
    return { status: response.status, body: (await response.json()) as ErrorBody };
  };
  const isIn = async (browser: Visitor) => (await browser.fetch('/api/user')).status === 200;
  const securityOf = async (member: Visitor) => (await ask<AccountSecurity>(member, '/api/user/security')).body;

  /** Anna has an account, and passwords are guessed until new devices need a second step. */
  async function start({ mail = false } = {}) {
    const { db } = await open();
    const mailing = mail ? await startMailing(db, { rateLimit: true }) : null;
    const clock = mailing?.clock ?? fixedClock(testNow);
    const app: TestApp = mailing?.app ?? (await startTestApp(db, { clock, config: { rateLimit: true } }));
    const anna = await registered(app, 'anna', { email: 'anna@example.org' });
    if (mailing) {
      const token = secretIn(await mailing.mailTo('anna@example.org'), 'confirm');
      expect((await ask(visitor(app), '/api/confirm-email', 'POST', { token })).status).toBe(200);
    }
    const attempts = attemptCounters({ db, clock, secret: testKey, on: true });
    const guess = async () => {
      for (let time = 0; time < rateLimits.signInAnywhere.points; time++)
        await attempts.allow([['signInAnywhere', 'anna']]);
    };
    await guess();
    return { db, clock, app, anna, mailing, guess, attempts };
  }

  once(
    'after wrong passwords from 150 networks, a known device and a passkey sign in, and a right password on a new network gets a second step',
    async () => {
      const { db } = await open();
      const app = await startTestApp(db, { config: { rateLimit: true, publicUrl } });
      const anna = await registered(app, 'anna');
      const key = authenticator(publicUrl);
      const { body: creation } = await ask<PasskeyCreation>(anna, '/api/user/passkeys/creation', 'POST', {
        password: testPassword,
      });
      expect((await ask(anna, '/api/user/passkeys', 'POST', key.create(creation, 'Phone'))).status).toBe(201);
      const answers = new Set<string>();
      for (let network = 0; network < 150; network++) {
        const { status, body } = await signIn(visitor(app), `2001:db8:${network.toString(16)}::1`, {
          password: 'guess',
        });
        answers.add(JSON.stringify([status, body]));
      }
      // The last guesser learns as little as the first one, and as about a name that nobody has.
      const unknown = await signIn(visitor(app), '198.51.100.3', { username: 'nobody', password: 'guess' });
      expect([...answers]).toEqual([JSON.stringify([401, unknown.body])]);

      await anna.fetch('/api/logout', { method: 'POST' });
      expect((await signIn(anna, '203.0.113.7')).status).toBe(200);
      const phone = visitor(app);
      const { body: asked } = await ask<{ challenge: string; rpId: string }>(
        phone,
        '/api/login/passkey/challenge',
        'POST',
      );
      expect((await ask(phone, '/api/login/passkey', 'POST', key.sign(asked))).status).toBe(200);
      const stranger = visitor(app);
      expect(await signIn(stranger, '203.0.113.8')).toMatchObject({
        status: 403,
        body: {
          code: 'SECOND_STEP_REQUIRED',
          secondStep: {
            until: new Date(testNow + signInWaitMinutes * minute).toISOString(),
            mail: false,
            mailed: false,
          },
        },
      });
      expect(await isIn(stranger)).toBe(false);
    },
  );

  once('guesses at the address of a known device don’t lock it out', async () => {
    const { app, anna } = await start();
    for (let time = 0; time < rateLimits.signInHere.points; time++)
      await signIn(visitor(app), '203.0.113.7', { password: 'guess' });
    expect((await signIn(visitor(app), '203.0.113.7')).status).toBe(429);
    expect((await signIn(anna, '203.0.113.7')).status).toBe(200);
    // The device itself has as many tries as an address.
    for (let time = 0; time < rateLimits.signInHere.points; time++)
      expect((await signIn(anna, '203.0.113.7', { password: 'guess' })).status).toBe(401);
    expect((await signIn(anna, '203.0.113.9')).status).toBe(429);
  });

  once('a code mailed to the confirmed address is a second step, five tries long and for ten minutes', async () => {
    const { app, clock, mailing } = await start({ mail: true });
    const { deliver, server } = mailing!;
    const laptop = visitor(app);
    expect((await signIn(laptop, '203.0.113.7')).body.secondStep).toMatchObject({ mail: true, mailed: false });
    expect((await signIn(laptop, '203.0.113.7', { mailCode: true })).body.secondStep).toMatchObject({ mailed: true });
    const receive = async () => {
      await deliver();
      const mail = server.received.at(-1)!;
      expect(mail.to).toEqual(['anna@example.org']);
      return /Your code is (\d{6})/.exec(mail.text)![1]!;
    };
    const code = await receive();
    const wrong = code === '000000' ? '000001' : '000000';
    // It belongs to the device that asked for it, and is nothing without the password.
    expect((await signIn(visitor(app), '203.0.113.7', { code })).body.code).toBe('EMAIL_CODE_EXPIRED');
    expect((await signIn(laptop, '203.0.113.7', { code, password: 'guess' })).status).toBe(401);
    for (let left = 4; left > 0; left--)
      expect((await signIn(laptop, '203.0.113.7', { code: wrong })).body.code).toBe('EMAIL_CODE_WRONG');
    expect((await signIn(laptop, '203.0.113.7', { code: wrong })).body.code).toBe('EMAIL_CODE_EXPIRED');
    expect((await signIn(laptop, '203.0.113.7', { code })).body.code).toBe('EMAIL_CODE_EXPIRED');

    await signIn(laptop, '203.0.113.7', { mailCode: true });
    const late = await receive();
    clock.set(clock.now() + 10 * minute);
    expect((await signIn(laptop, '203.0.113.7', { code: late })).body.code).toBe('EMAIL_CODE_EXPIRED');
    await signIn(laptop, '203.0.113.7', { mailCode: true });
    expect((await signIn(laptop, '203.0.113.7', { code: await receive() })).status).toBe(200);
    expect(await isIn(laptop)).toBe(true);
    // The device is known from now on, on every network.
    await laptop.fetch('/api/logout', { method: 'POST' });
    expect((await signIn(laptop, '198.51.100.77')).status).toBe(200);
  });

  once('a site without mail, or an account without a confirmed address, offers no code', async () => {
    const { app } = await start();
    const { body } = await signIn(visitor(app), '203.0.113.7', { mailCode: true });
    expect(body.secondStep).toMatchObject({ mail: false, mailed: false });
  });

  once('a recovery code is a second step, and is used up by it; passkeys and sessions stay', async () => {
    const { app, anna } = await start();
    const laptop = visitor(app);
    const [code] = anna.recoveryCodes;
    expect((await signIn(laptop, '203.0.113.7', { code: 'not-a-code' })).body.code).toBe('INVALID_RECOVERY_CODE');
    expect((await signIn(laptop, '203.0.113.7', { code, password: 'guess' })).body.code).toBe('INVALID_CREDENTIALS');
    const both = await Promise.all([laptop, visitor(app)].map((browser) => signIn(browser, '203.0.113.7', { code })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await isIn(anna)).toBe(true);
    expect((await securityOf(anna)).recoveryCodes).toBe(anna.recoveryCodes.length - 1);
  });

  once('a yes on a device where the member is signed in lets the new one in, and a no keeps it out', async () => {
    const { app, clock, anna } = await start();
    const ben = await registered(app, 'ben');
    const laptop = visitor(app);
    const answer = (member: Visitor, id: string, isMe: boolean) =>
      ask(member, '/api/user/sign-ins', 'POST', { id, isMe });
    const asks = ({ notifications }: NotificationPage) => notifications.filter(({ kind }) => kind === 'sign-in');
    await signIn(laptop, '203.0.113.7');
    const { body: news } = await ask<NotificationPage>(anna, '/api/user/notifications');
    expect(asks(news)).toHaveLength(1);
    const [asked] = (await securityOf(anna)).signIns;
    expect(asked).toMatchObject({
      device: 'Firefox on Windows',
      waitsUntil: new Date(testNow + signInWaitMinutes * minute).toISOString(),
    });
    expect((await securityOf(ben)).signIns).toEqual([]);
    expect((await answer(ben, asked!.id, true)).status).toBe(404);
    expect((await answer(anna, asked!.id, false)).status).toBe(204);
    clock.set(testNow + signInWaitMinutes * minute - 1);
    expect((await signIn(laptop, '203.0.113.7')).status).toBe(403);
    const [again] = (await securityOf(anna)).signIns;
    expect((await answer(anna, again!.id, true)).status).toBe(204);
    expect((await answer(anna, again!.id, true)).status).toBe(404);
    expect((await securityOf(anna)).signIns).toEqual([]);
    expect(asks((await ask<NotificationPage>(anna, '/api/user/notifications')).body)).toEqual([]);
    expect((await signIn(laptop, '203.0.113.7')).status).toBe(200);
  });

  once(
    'a device that waited an hour since its first right password gets in, whatever others guess meanwhile',
    async () => {
      const { app, clock, guess } = await start();
      const laptop = visitor(app);
      const first = await signIn(laptop, '203.0.113.7');
      clock.set(testNow + (signInWaitMinutes / 2) * minute);
      expect((await signIn(laptop, '203.0.113.7')).body.secondStep).toEqual(first.body.secondStep);
      clock.set(testNow + signInWaitMinutes * minute);
      await guess();
      expect((await signIn(laptop, '203.0.113.7', { password: 'guess' })).status).toBe(401);
      // Neither another device nor a made-up cookie has waited.
      const other = visitor(app);
      other.cookies.set('wv_known', 'x'.repeat(43));
      expect((await signIn(other, '203.0.113.7')).status).toBe(403);
      expect((await signIn(laptop, '198.51.100.7')).status).toBe(200);
    },
  );

  once(
    'a new password, and signing out elsewhere, make other devices unknown; the one at hand stays known',
    async () => {
      const { app, db, anna } = await start();
      const laptop = visitor(app);
      const [first, second] = anna.recoveryCodes;
      expect((await signIn(laptop, '203.0.113.7', { code: first })).status).toBe(200);
      expect((await ask(anna, '/api/user/sessions/end', 'POST', { password: testPassword })).status).toBe(204);
      expect((await signIn(laptop, '203.0.113.8')).status).toBe(403);
      expect((await signIn(anna, '203.0.113.9')).status).toBe(200);
      expect((await signIn(laptop, '203.0.113.8', { code: second })).status).toBe(200);
      const json = { currentPassword: testPassword, newPassword: 'another windy day' };
      expect((await anna.fetch('/api/user/password', { method: 'POST', json })).status).toBe(204);
      const password = json.newPassword;
      expect((await signIn(laptop, '203.0.113.10', { password })).status).toBe(403);
      expect((await signIn(anna, '203.0.113.11', { password })).status).toBe(200);
      // Only digests are stored, other ones for each account.
      expect(JSON.stringify(await db('known_devices'))).not.toContain(anna.cookies.get('wv_known')!);
    },
  );

  test('devices are forgotten 180 days after their last sign-in', async () => {
    const { db, anna, clock } = await start();
    clock.set(testNow + 180 * 24 * 60 * minute);
    await removeOldDevices(db, clock.now() - 1);
    expect(await db('known_devices').where({ user_id: anna.user.id })).toHaveLength(1);
    await removeOldDevices(db, clock.now());
    expect(await db('known_devices')).toEqual([]);
  });
});
