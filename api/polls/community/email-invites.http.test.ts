import { expect, test } from 'vitest';
import { ask, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { secretIn } from '#api/testing/mail-server.ts';
import { startMailing } from '#api/testing/mailing.ts';
import { registered, signedIn, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { testNow } from '#api/testing/test-app.ts';
import type { EmailInvite, Invite } from './invitations.contract.ts';
import { invitationDays } from '#contract/limits.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { attemptCounters } from '#platform/attempts.ts';
import { mayMailInvitation, removeOldEmailInvites } from './email-invites.service.ts';

const day = 86_400_000;

eachDatabase((open, _engine, once) => {
  async function start({ rateLimit = false } = {}) {
    const { db } = await open();
    const mailing = await startMailing(db, { rateLimit });
    const { app, deliver, server } = mailing;
    const anna = await registered(app, 'anna');
    const ben = await registered(app, 'ben', { email: 'ben@example.org' });
    await deliver();
    await db('users').where({ username: 'ben' }).update({ email_confirmed_at: testNow });
    server.received.length = 0;
    const poll = await made(anna, { visibility: 'private', question: 'Cheap watches?' });
    const pathOf = (id: string) => `/api/community-polls/${id}/invites`;
    const invite = (usernameOrEmail: string, id = poll.id) =>
      ask<EmailInvite>(anna, pathOf(id), 'POST', { usernameOrEmail });
    const listed = async () => (await ask<(Invite | EmailInvite)[]>(anna, pathOf(poll.id))).body;
    const join = (member: Visitor, token: string) => ask(member, '/api/user/invitations', 'POST', { token });
    return { db, ...mailing, anna, ben, poll, pathOf, invite, listed, join };
  }

  once(
    'every address gets the same answer and the same mail, whether it has an account or not, and nothing the creator wrote',
    async () => {
      const { app, server, deliver, ben, invite, listed, join } = await start();
      const answers = [await invite('ben@example.org'), await invite(' Stranger@example.org ')];
      expect(answers.map(({ status, body }) => [status, Object.keys(body).sort(), body.email])).toEqual([
        [201, ['email', 'id', 'invitedAt'], 'ben@example.org'],
        [201, ['email', 'id', 'invitedAt'], 'Stranger@example.org'],
      ]);
      expect(await listed()).toEqual(expect.arrayContaining(answers.map(({ body }) => body)));
      expect(await deliver()).toBe(2);
      const [known, unknown] = server.received.map((mail) => mail);
      const withoutSecrets = (text: string) => text.replace(/#(invite|stop)=\S+/g, '#$1');
      expect(withoutSecrets(known!.text)).toBe(withoutSecrets(unknown!.text));
      expect(known!.text).not.toMatch(/anna|watches|ben/i);
      expect(known!.headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');

      const dora = await registered(app, 'dora');
      const [forBen, forStranger] = server.received.map((mail) => secretIn(mail, 'invite'));
      expect((await join(dora, forStranger!)).status).toBe(200);
      expect((await join(ben, forStranger!)).body.code).toBe('INVALID_INVITE_LINK');
      expect((await join(ben, forBen!)).status).toBe(200);
      expect((await listed()).map((one) => ('email' in one ? one.email : one.username)).sort()).toEqual([
        'ben',
        'dora',
      ]);
    },
  );

  test('an invitation is mailed once, and none is mailed to an address whose owner stopped them', async () => {
    const { app, anna, server, deliver, invite } = await start();
    const [first] = await Promise.all([invite('s@example.org'), invite('S@example.org')]);
    await deliver();
    // To the address of whichever request was first.
    expect(server.received.map(({ to }) => to.join().toLowerCase())).toEqual(['s@example.org']);
    const mail = server.received[0]!;
    expect((await invite('s@example.org')).body.id).toBe(first.body.id);
    expect(await deliver()).toBe(0);
    const token = /#stop=(\S+)/.exec(mail.text)![1]!;
    const stop = (secret: string) => ask(visitor(app), `/api/unsubscribe/${secret}`, 'POST');
    expect((await stop(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).status).toBe(404);
    expect((await stop(token)).status).toBe(204);
    expect((await stop(token)).status).toBe(204);
    const other = await made(anna, { visibility: 'private' });
    expect(await invite('s@example.org', other.id)).toMatchObject({ status: 201, body: { email: 's@example.org' } });
    expect(await deliver()).toBe(0);
  });

  once('a withdrawn invitation no longer works, nor one that a guest has opened, nor one after 30 days', async () => {
    const { app, db, anna, poll, pathOf, clock, invite, mailTo, join } = await start();
    const { body } = await invite('s@example.org');
    const withdrawn = secretIn(await mailTo('s@example.org'), 'invite');
    expect((await ask(anna, `${pathOf(poll.id)}/${body.id}`, 'DELETE')).status).toBe(204);
    const member = await registered(app, 'dora');
    expect((await join(member, withdrawn)).body.code).toBe('INVALID_INVITE_LINK');
    await invite('u@example.org');
    const used = secretIn(await mailTo('u@example.org'), 'invite');
    const guest = await registered(app, 'emil');
    await invite('emil');
    expect((await join(guest, used)).status).toBe(200);
    expect((await ask(anna, `${pathOf(poll.id)}/${guest.user.id}`, 'DELETE')).status).toBe(204);
    expect((await join(guest, used)).body.code).toBe('INVALID_INVITE_LINK');
    await invite('t@example.org');
    const old = secretIn(await mailTo('t@example.org'), 'invite');
    clock.set(testNow + invitationDays * day);
    expect((await join(await signedIn(app, 'dora'), old)).body.code).toBe('INVALID_INVITE_LINK');
    expect((await ask(await signedIn(app, 'anna'), pathOf(poll.id))).body).toEqual([]);
    await removeOldEmailInvites(db, testNow + invitationDays * day);
    expect(await db('email_invites')).toEqual([]);
  });

  once('a member who is invited again and again gets no more than five mails a day', async () => {
    const { deliver, ben, poll, pathOf, invite, anna } = await start({ rateLimit: true });
    let mails = 0;
    for (let times = 0; times < 7; times += 1) {
      expect((await invite('ben')).status).toBe(201);
      mails += await deliver();
      await ask(anna, `${pathOf(poll.id)}/${ben.user.id}`, 'DELETE');
    }
    expect(mails).toBe(rateLimits.invitationMailTo.points);
  });

  once('a member who is invited by username gets one mail, too, unless invitations are muted', async () => {
    const { deliver, ben, poll, invite, anna, mailTo } = await start();
    expect((await invite('ben')).status).toBe(201);
    expect((await mailTo('ben@example.org')).text).toContain(`/community-polls/${poll.id}\n`);
    await ask(ben, '/api/user/notifications/muted', 'POST', { topic: 'invited', muted: true });
    const other = await made(anna, { visibility: 'private' });
    expect((await invite('ben', other.id)).status).toBe(201);
    expect(await deliver()).toBe(0);
  });

  test('one address gets five invitations a day, and one member has a hundred mailed', async () => {
    const { db } = await open();
    const attempts = attemptCounters({ db, clock: { now: () => testNow }, secret: 'secret', on: true });
    for (let n = 0; n < rateLimits.invitationMailTo.points; n++)
      expect(await mayMailInvitation(attempts, `member ${n}`, 's@example.org')).toBe(true);
    expect(await mayMailInvitation(attempts, 'anna', 's@example.org')).toBe(false);
    for (let n = 1; n < rateLimits.invitationMail.points; n++)
      expect(await mayMailInvitation(attempts, 'anna', `${n}@example.org`)).toBe(true);
    await expect(mayMailInvitation(attempts, 'anna', 'more@example.org')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
  });
});
