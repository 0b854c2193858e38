import { expect, test } from 'vitest';
import { eachDatabase } from '#api/testing/databases.ts';
import { ask, made } from '#api/testing/community-polls.ts';
import { secretIn } from '#api/testing/mail-server.ts';
import { startMailing, unsentMail } from '#api/testing/mailing.ts';
import { registered, signedIn, testPassword, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { EmailInvite } from '#api/polls/community/invitations.contract.ts';
import type { User } from './accounts.contract.ts';
import type { AccountSecurity } from './account-security.contract.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { sweepAccounts } from './session-store.service.ts';

const hour = 3_600_000;
const day = 24 * hour;
const newPassword = 'another windy day';

eachDatabase((open, _engine, once) => {
  async function start() {
    const { db } = await open();
    const mailing = await startMailing(db);
    const { app } = mailing;
    const request = (username: string) => ask(visitor(app), '/api/request-password-reset', 'POST', { username });
    const reset = (token: string) => ask(visitor(app), '/api/reset-password', 'POST', { token, newPassword });
    const confirm = (token: string) => ask(visitor(app), '/api/confirm-email', 'POST', { token });
    const change = (member: Visitor, email: string, password = testPassword) =>
      ask(member, '/api/user/email', 'POST', { email, password });
    const emailOf = async (member: Visitor) => {
      const { email: address } = (await ask<User>(member, '/api/user')).body;
      return { address, ...(await ask<AccountSecurity>(member, '/api/user/security')).body.email };
    };
    const confirmedMember = async (username: string, email = `${username}@example.org`) => {
      const member = await registered(app, username, { email });
      expect((await confirm(secretIn(await mailing.mailTo(email), 'confirm'))).status).toBe(200);
      return member;
    };
    return { db, ...mailing, request, reset, confirm, change, emailOf, confirmedMember };
  }

  once(
    'an address given at registration counts once its owner opens the link mailed to it, which works once',
    async () => {
      const { app, mailTo, confirm, emailOf } = await start();
      const anna = await registered(app, 'anna', { email: 'Anna@example.org' });
      const waiting = { address: 'Anna@example.org', confirmed: false, pending: 'Anna@example.org', sendsMail: true };
      expect(await emailOf(anna)).toEqual(waiting);
      const token = secretIn(await mailTo('Anna@example.org'), 'confirm');
      expect(await confirm(token)).toMatchObject({ status: 200, body: { email: 'Anna@example.org' } });
      expect(await emailOf(anna)).toEqual({ ...waiting, confirmed: true, pending: null });
      expect(await confirm(token)).toMatchObject({ status: 401, body: { code: 'INVALID_EMAIL_LINK' } });
    },
  );

  once(
    'an address with an international domain is one address, however it is typed, and is shown in Unicode',
    async () => {
      const { app, db, server, deliver, mailTo, confirm, change, emailOf, request, confirmedMember } = await start();
      const inAscii = 'Ann@xn--bcher-kva.example';
      const ann = await registered(app, 'ann', { email: inAscii });
      expect((await emailOf(ann)).pending).toBe('Ann@bücher.example');
      const link = secretIn(await mailTo('Ann@bücher.example'), 'confirm');
      expect((await confirm(link)).body).toEqual({ email: 'Ann@bücher.example' });
      const ben = await confirmedMember('ben');
      const poll = await made(ben, { visibility: 'private' });
      let first: { body: EmailInvite | undefined } | undefined;
      for (const typed of [inAscii, 'ann@bücher.example', 'ANN@BÜCHER.example', 'ann@bu\u0308cher。example']) {
        const json = { username: typed, password: testPassword };
        expect([typed, (await visitor(app).fetch('/api/login', { method: 'POST', json })).status]).toEqual([
          typed,
          200,
        ]);
        expect((await request(typed)).status).toBe(204);
        expect(await deliver()).toBe(1);
        // Sent in ASCII; the test server shows it in Unicode.
        expect(server.received.at(-1)!.to).toEqual(['Ann@bücher.example']);
        // Each of them is the same invitation.
        const invites = `/api/community-polls/${poll.id}/invites`;
        const shown = { status: 201, body: { email: 'Ann@bücher.example' } };
        expect(await ask(ben, invites, 'POST', { usernameOrEmail: typed })).toMatchObject({ ...shown, ...first });
        first ??= { body: (await ask<EmailInvite[]>(ben, invites)).body[0] };
        await deliver();
      }
      await change(ben, 'ben@BÜCHER.example');
      expect((await emailOf(ben)).pending).toBe('ben@bücher.example');
      for (const typed of ['ben@-.example', 'ben@b\u0000.example', `ben@${'ü'.repeat(120)}.${'ü'.repeat(120)}`])
        expect((await change(ben, typed)).body).toMatchObject({ errors: [{ field: 'email' }] });
      expect((await db('email_changes').pluck('email')).sort()).toEqual(['ben@bücher.example']);
    },
  );

  once('a changed address replaces the old one once confirmed, and the old one is told', async () => {
    const { server, deliver, mailTo, confirm, change, emailOf, confirmedMember } = await start();
    const anna = await confirmedMember('anna');
    expect((await change(anna, 'new@example.org', 'wrong password')).body).toMatchObject({ code: 'WRONG_PASSWORD' });
    expect((await change(anna, 'new@example.org')).status).toBe(204);
    expect(await emailOf(anna)).toMatchObject({ address: 'anna@example.org', pending: 'new@example.org' });
    const token = secretIn(await mailTo('new@example.org'), 'confirm');
    expect((await confirm(token)).status).toBe(200);
    expect(await emailOf(anna)).toMatchObject({ address: 'new@example.org', confirmed: true, pending: null });
    await deliver();
    expect(server.received.at(-1)).toMatchObject({ to: ['anna@example.org'] });
    expect(server.received.at(-1)?.text).toContain('The account anna has a new email address.');
  });

  once('a removed address is told, and no longer signs in', async () => {
    const { app, mailTo, emailOf, confirmedMember } = await start();
    const anna = await confirmedMember('anna');
    expect((await ask(anna, '/api/user/email', 'DELETE', { password: testPassword })).status).toBe(204);
    expect(await emailOf(anna)).toMatchObject({ address: null, confirmed: false, pending: null });
    expect((await mailTo('anna@example.org')).text).toContain('no longer has an email address');
    const json = { username: 'anna@example.org', password: testPassword };
    expect((await visitor(app).fetch('/api/login', { method: 'POST', json })).status).toBe(401);
  });

  once(
    'a link to confirm an address works for three days, and an unconfirmed address is forgotten after a week',
    async () => {
      const { db, clock, mailTo, confirm, change, app } = await start();
      const anna = await registered(app, 'anna');
      await change(anna, 'anna@example.org');
      const token = secretIn(await mailTo('anna@example.org'), 'confirm');
      expect(JSON.stringify(await db('email_changes'))).not.toContain(token);
      clock.set(testNow + 3 * day);
      expect((await confirm(token)).status).toBe(401);
      clock.set(testNow + 3 * day - 1);
      expect((await confirm(token)).status).toBe(200);
      await change(anna, 'new@example.org');
      const asked = testNow + 3 * day - 1;
      await sweepAccounts(db, asked + 7 * day - 1);
      expect(await db('email_changes')).toHaveLength(1);
      await sweepAccounts(db, asked + 7 * day);
      expect(await db('email_changes')).toEqual([]);
    },
  );

  once('registering says that a link was mailed; when it has expired, one reminder brings a new one', async () => {
    const { app, clock, server, deliver, mailTo, confirm } = await start();
    const anna = await registered(app, 'anna', { email: 'anna@example.org' });
    expect(anna.emailToConfirm).toBe('anna@example.org');
    const first = secretIn(await mailTo('anna@example.org'), 'confirm');
    clock.set(testNow + 3 * day - 1);
    expect(await deliver()).toBe(0);
    clock.set(testNow + 3 * day);
    const reminder = await mailTo('anna@example.org');
    expect(reminder.headers).toContain('Subject: Reminder: confirm your email address for Weathervane');
    expect((await confirm(first)).status).toBe(401);
    expect((await confirm(secretIn(reminder, 'confirm'))).status).toBe(200);
    clock.set(testNow + 6 * day);
    expect([await deliver(), server.received.length]).toEqual([0, 2]);
  });

  once('an address that was confirmed, replaced, or withdrawn gets no reminder', async () => {
    const { app, db, clock, deliver, change, confirmedMember } = await start();
    const [anna, ben] = [await confirmedMember('anna'), await confirmedMember('ben')];
    await change(anna, 'typo@example.org');
    await change(ben, 'ben-2@example.org');
    clock.set(testNow + hour);
    await change(anna, 'anna-2@example.org');
    expect((await ask(ben, '/api/user/email', 'DELETE', { password: testPassword })).status).toBe(204);
    await deliver();
    clock.set(testNow + 3 * day);
    expect(await deliver()).toBe(0);
    clock.set(testNow + 3 * day + hour);
    expect(await deliver()).toBe(1);
    expect(await db('jobs')).toEqual([]);
    expect((await registered(app, 'carl')).emailToConfirm).toBeNull();
  });

  test('of two accounts that confirm one address, even at the same time, one gets it', async () => {
    const { app, mailTo, confirm } = await start();
    await registered(app, 'anna', { email: 'club@example.org' });
    const first = secretIn(await mailTo('club@example.org'), 'confirm');
    await registered(app, 'ben', { email: 'Club@example.org' });
    const second = secretIn(await mailTo('Club@example.org'), 'confirm');
    const answers = await Promise.all([confirm(first), confirm(second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'EMAIL_TAKEN' });
  });

  once(
    'a member who forgot the password sets a new one with a mailed link, which works once within an hour',
    async () => {
      const { app, server, deliver, mailTo, request, reset, confirmedMember } = await start();
      const anna = await confirmedMember('anna');
      for (const typed of ['anna', 'ANNA@example.org']) {
        expect((await request(typed)).status).toBe(204);
        const token = secretIn(await mailTo('anna@example.org'), 'reset');
        expect([token.length, (await reset(token)).status]).toEqual([43, 200]);
        expect((await reset(token)).status).toBe(401);
        await deliver();
        expect(server.received.at(-1)?.text).toContain('The account anna has a new password');
      }
      expect((await anna.fetch('/api/user')).status).toBe(401);
      await signedIn(app, 'anna', newPassword);
    },
  );

  once(
    'asking for a reset link does the same whether the account exists, and mails only confirmed addresses',
    async () => {
      const { db, app, deliver, server, request, confirmedMember } = await start();
      await confirmedMember('anna');
      await registered(app, 'ben', { email: 'ben@example.org' });
      await deliver();
      const before = server.received.length;
      const queries: string[][] = [];
      for (const typed of ['anna', 'nobody', 'ben', 'nobody@example.org', 'a\0']) {
        const sql: string[] = [];
        const note = ({ sql: text }: { sql: string }) => void sql.push(text);
        db.on('query', note);
        expect(await request(typed)).toMatchObject({ status: 204 });
        db.off('query', note);
        queries.push(sql);
      }
      expect(new Set(queries.map((sql) => sql.join(';'))).size).toBe(1);
      await deliver();
      expect(server.received.slice(before).map(({ to }) => to)).toEqual([['anna@example.org']]);
      expect(await unsentMail(db)).toEqual([]);
    },
  );

  once('an account gets no more than five reset mails in an hour', async () => {
    const { clock, deliver, server, request, confirmedMember } = await start();
    await confirmedMember('anna');
    const before = server.received.length;
    for (let time = 0; time < 7; time++) await request('anna');
    await deliver();
    expect(server.received.length - before).toBe(5);
    clock.set(testNow + hour);
    await request('anna');
    await deliver();
    expect(server.received.length - before).toBe(6);
  });

  once('requests for reset mails are limited by the typed name, so that none tells whose address it is', async () => {
    const { db } = await open();
    const { config } = await startMailing(db);
    const app = await startTestApp(db, { config: { ...config, rateLimit: true } });
    const request = (username: string) => ask(visitor(app), '/api/request-password-reset', 'POST', { username });
    for (let time = 0; time < rateLimits.resetMailNearby.points; time++)
      expect((await request('anna')).status).toBe(204);
    expect((await request('Anna')).body).toMatchObject({ code: 'RATE_LIMITED' });
    expect((await request('anna@example.org')).status).toBe(204);
  });

  once('reset mails that the server postpones arrive later, however many links their attempts took', async () => {
    const { clock, server, deliver, request, confirmedMember } = await start();
    await confirmedMember('anna');
    const before = server.received.length;
    for (let time = 0; time < 2; time++) await request('anna');
    server.refuse = 'message';
    for (const minutes of [0, 1, 6]) {
      clock.set(testNow + minutes * 60_000);
      // Each failure ends a round.
      for (let time = 0; time < 2; time++) await deliver();
    }
    server.refuse = null;
    clock.set(testNow + 21 * 60_000);
    await deliver();
    expect(server.received.length - before).toBe(2);
  });

  once('a reset link mailed to an address stops working once the address is changed or removed', async () => {
    const { mailTo, confirm, change, request, reset, confirmedMember } = await start();
    const anna = await confirmedMember('anna');
    await request('anna');
    const first = secretIn(await mailTo('anna@example.org'), 'reset');
    await change(anna, 'new@example.org');
    await confirm(secretIn(await mailTo('new@example.org'), 'confirm'));
    expect((await reset(first)).body).toMatchObject({ code: 'INVALID_RESET_LINK' });
    await request('anna');
    const second = secretIn(await mailTo('new@example.org'), 'reset');
    await ask(anna, '/api/user/email', 'DELETE', { password: testPassword });
    expect((await reset(second)).body).toMatchObject({ code: 'INVALID_RESET_LINK' });
  });

  once('after a recovery by code, an address that a thief confirmed no longer gets reset links', async () => {
    const { app, server, deliver, mailTo, confirm, change, emailOf, request } = await start();
    const anna = await registered(app, 'anna');
    await change(anna, 'thief@example.org');
    await confirm(secretIn(await mailTo('thief@example.org'), 'confirm'));
    const json = { username: 'anna', code: anna.recoveryCodes[0], newPassword };
    const browser = visitor(app);
    expect((await browser.fetch('/api/recover', { method: 'POST', json })).status).toBe(200);
    expect(await emailOf(browser)).toMatchObject({ address: 'thief@example.org', confirmed: false });
    expect((await mailTo('thief@example.org')).text).toContain('has a new password');
    const before = server.received.length;
    await request('anna');
    await deliver();
    expect(server.received).toHaveLength(before);
  });

  once('new recovery codes are told by mail, and stop working after a reset by a mailed link', async () => {
    const { app, mailTo, request, reset, emailOf, confirmedMember } = await start();
    const anna = await confirmedMember('anna');
    const made = await ask<{ recoveryCodes: string[] }>(anna, '/api/user/recovery-codes', 'POST', {
      password: testPassword,
    });
    expect((await mailTo('anna@example.org')).text).toContain('has new recovery codes');
    await request('anna');
    expect((await reset(secretIn(await mailTo('anna@example.org'), 'reset'))).status).toBe(200);
    const json = { username: 'anna', code: made.body.recoveryCodes[0], newPassword: testPassword };
    expect((await visitor(app).fetch('/api/recover', { method: 'POST', json })).status).toBe(401);
    expect(await emailOf(await signedIn(app, 'anna', newPassword))).toMatchObject({ confirmed: true });
  });

  once('a new password cancels a change of the address that was not confirmed yet', async () => {
    const { mailTo, confirm, change, emailOf, confirmedMember } = await start();
    const anna = await confirmedMember('anna');
    await change(anna, 'thief@example.org');
    const token = secretIn(await mailTo('thief@example.org'), 'confirm');
    await ask(anna, '/api/user/password', 'POST', { currentPassword: testPassword, newPassword });
    expect((await confirm(token)).status).toBe(401);
    expect(await emailOf(anna)).toMatchObject({ address: 'anna@example.org', pending: null });
  });

  once('a site without a mail server offers nothing that needs mail; an address can still be removed', async () => {
    const { db } = await open();
    const app = await startTestApp(db);
    const anna = await registered(app, 'anna', { email: 'anna@example.org' });
    const about = await ask<AccountSecurity>(anna, '/api/user/security');
    expect(about.body.email).toEqual({ confirmed: false, pending: null, sendsMail: false });
    const json = { email: 'new@example.org', password: testPassword };
    expect((await ask(anna, '/api/user/email', 'POST', json)).status).toBe(404);
    expect((await ask(anna, '/api/request-password-reset', 'POST', { username: 'anna' })).status).toBe(404);
    expect((await ask(anna, '/api/user/email', 'DELETE', { password: testPassword })).status).toBe(204);
    expect(await db('jobs')).toEqual([]);
  });
});
