import { expect, test } from 'vitest';
import type { NotificationPage } from './notifications.contract.ts';
import { ask, invited, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { secretIn } from '#api/testing/mail-server.ts';
import { startMailing } from '#api/testing/mailing.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Member, Visitor } from '#api/testing/people.ts';
import { testNow } from '#api/testing/test-app.ts';
import { waitForLock } from '#api/testing/wait-for-lock.ts';
import { isSqlite } from '#platform/database.ts';

const day = 86_400_000;

eachDatabase((open, _engine, once) => {
  async function start() {
    const { db } = await open();
    const mailing = await startMailing(db);
    const { app, mailTo } = mailing;
    const anna = await registered(app, 'anna', { email: 'anna@example.org' });
    const token = secretIn(await mailTo('anna@example.org'), 'confirm');
    expect((await ask(anna, '/api/confirm-email', 'POST', { token })).status).toBe(200);
    const ben = await registered(app, 'ben');
    const setDigest = (member: Visitor, every: string) =>
      ask(member, '/api/user/notifications/digest', 'POST', { every });
    const invite = async (member: Member, question: string) => {
      const { id } = await made(ben, { visibility: 'private', question });
      await invited(ben, id, member.user.username);
    };
    const digestOf = async (member: Visitor) =>
      (await ask<NotificationPage>(member, '/api/user/notifications')).body.digest;
    return { db, ...mailing, anna, ben, setDigest, invite, digestOf };
  }

  test('a member gets unread notifications by mail once a day, and no mail when there is nothing new', async () => {
    const { clock, server, anna, setDigest, invite, deliver, mailTo } = await start();
    expect((await setDigest(anna, 'daily')).status).toBe(204);
    await invite(anna, 'Is <tea> better?');
    const before = server.received.length;
    clock.set(testNow + day - 1);
    await deliver();
    expect(server.received.length).toBe(before);
    clock.set(testNow + day);
    const mail = await mailTo('anna@example.org');
    expect(mail.text).toContain(
      '- You’re invited to vote on “Is <tea> better?”\n  https://polls.example.org/community-polls/',
    );
    expect(mail.html).toContain('Is &lt;tea&gt; better?');
    clock.set(testNow + 2 * day);
    await deliver();
    expect(server.received.length).toBe(before + 1);
    await invite(anna, 'Is coffee better?');
    clock.set(testNow + 3 * day);
    const next = await mailTo('anna@example.org');
    expect(next.text).toContain('Is coffee better?');
    expect(next.text).not.toContain('Is <tea> better?');
  });

  test('a weekly digest comes after a week, and the next one a week later', async () => {
    const { clock, anna, setDigest, invite, mailTo } = await start();
    await setDigest(anna, 'weekly');
    for (const [week, question] of ['Is tea better?', 'Is coffee better?'].entries()) {
      await invite(anna, question);
      clock.set(testNow + 7 * (week + 1) * day);
      expect((await mailTo('anna@example.org')).text).toContain(question);
    }
  });

  once('after a digest that could not be queued, the next one comes all the same', async () => {
    const { db, clock, anna, setDigest, invite, deliver, mailTo } = await start();
    await setDigest(anna, 'daily');
    await db('jobs').where({ kind: 'digest' }).update({ attempts: 4 });
    clock.set(testNow + day);
    await deliver();
    await invite(anna, 'Is tea better?');
    clock.set(testNow + 2 * day);
    expect((await mailTo('anna@example.org')).text).toContain('Is tea better?');
  });

  once('one click in the mail program ends the digest without signing in; a forged address does not', async () => {
    const { app, clock, server, anna, setDigest, invite, digestOf, deliver, mailTo } = await start();
    await setDigest(anna, 'daily');
    await invite(anna, 'Is tea better?');
    clock.set(testNow + day);
    const { headers, text } = await mailTo('anna@example.org');
    expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const link = /List-Unsubscribe: <https:\/\/polls\.example\.org\/api\/unsubscribe\/([\w.-]+)>/.exec(headers);
    const token = link?.[1] ?? '';
    expect(text).toContain(`Unsubscribe: https://polls.example.org/auth/email#unsubscribe=${token}`);
    const click = (secret: string) =>
      visitor(app).fetch(`/api/unsubscribe/${secret}`, {
        method: 'POST',
        body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      });
    expect((await click(`${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`)).status).toBe(404);
    expect(await digestOf(anna)).toBe('daily');
    for (let time = 0; time < 2; time++) expect((await click(token)).status).toBe(204);
    expect(await digestOf(anna)).toBe('off');
    await invite(anna, 'Is coffee better?');
    // Without digests, invitations are mailed.
    expect((await mailTo('anna@example.org')).text).toContain('Open the invitation');
    const before = server.received.length;
    clock.set(testNow + 3 * day);
    await deliver();
    expect(server.received.length).toBe(before);
  });

  test('a click that ends the digest waits for the account’s deletion', async () => {
    const { db, app, clock, anna, setDigest, invite, mailTo } = await start();
    await setDigest(anna, 'daily');
    await invite(anna, 'Is tea better?');
    clock.set(testNow + day);
    const [, token] = /api\/unsubscribe\/([\w.-]+)>/.exec((await mailTo('anna@example.org')).headers)!;
    let clicked: Promise<Response> | undefined;
    await db.transaction(async (trx) => {
      await trx('users').where({ id: anna.user.id }).forUpdate().select('id');
      await trx('jobs').where({ kind: 'digest' }).del();
      clicked = visitor(app).fetch(`/api/unsubscribe/${token}`, { method: 'POST' });
      if (!isSqlite(db)) await Promise.race([clicked, waitForLock(db)]);
      await trx('notification_readers').where({ user_id: anna.user.id }).del();
    });
    expect((await clicked!).status).toBe(204);
  });

  once('a digest needs a confirmed address', async () => {
    const { app, ben, setDigest, digestOf } = await start();
    expect((await setDigest(ben, 'daily')).status).toBe(409);
    expect(await digestOf(ben)).toBe('off');
    expect((await setDigest(ben, 'off')).status).toBe(204);
    expect((await setDigest(ben, 'hourly')).status).toBe(400);
    expect((await setDigest(visitor(app), 'daily')).status).toBe(401);
  });
});
