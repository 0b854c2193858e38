import { afterEach, expect, test } from 'vitest';
import { endpoints } from '#api/endpoints.contract.ts';
import type { CommunityPoll } from './community-polls.contract.ts';
import type { Invite } from './invitations.contract.ts';
import { communityGuests } from '#contract/limits.ts';
import type { Profile } from '#api/members/profile/profile.contract.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { compileSchema } from '#platform/validation.ts';
import { ask, invited, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Member, Visitor } from '#api/testing/people.ts';
import { communityApiTexts } from '#texts/community.ts';
import { errorTexts } from '#texts/errors.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

const areInvites = compileSchema<Invite[]>(endpoints.invites.response, 'json');
const iso = (moment: number) => new Date(moment).toISOString();

eachDatabase((open, _engine, once) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  async function start(options: Parameters<typeof startTestApp>[1] = {}) {
    const { db } = await open();
    app = await startTestApp(db, options);
    const anna = await registered(app, 'anna', { email: 'anna@mail.example' });
    const ben = await registered(app, 'Ben', { email: 'Ben@Mail.example', firstName: 'Ben', lastName: 'Okafor' });
    const { id } = await made(anna, { visibility: 'private' });
    return { db, app, anna, ben, id };
  }
  const invite = (by: Visitor, id: string, usernameOrEmail: unknown) =>
    ask(by, `/api/community-polls/${id}/invites`, 'POST', { usernameOrEmail });
  const guests = async (by: Visitor, id: string) =>
    (await ask<Invite[]>(by, `/api/community-polls/${id}/invites`)).body;

  once('a handle invites with its @, in any case of letters, and with the period of its sentence', async () => {
    const { app, anna, id } = await start();
    for (const name of ['Ben.O', 'cleo', 'Cleo.']) await registered(app, name);
    expect((await invite(anna, id, '@ben.O.')).body).toMatchObject({ username: 'Ben.O' });
    expect((await invite(anna, id, '@CLEO.')).body).toMatchObject({ username: 'Cleo.' });
    // Already invited: the period doesn’t make it somebody else.
    expect((await invite(anna, id, '@cleo.')).status).not.toBe(201);
    expect((await invite(anna, id, '@cleo')).body).toMatchObject({ username: 'cleo' });
  });

  once('[D6.7] the creator invites by username in any letter case and sees who has opened the poll', async () => {
    const { app, anna, ben, id } = await start();
    const cleo = await registered(app, 'cleo');
    const { status, body } = await invite(anna, id, '  bEN ');
    expect([status, body]).toEqual([
      201,
      { userId: ben.user.id, name: 'Ben Okafor', username: 'Ben', invitedAt: iso(testNow), acceptedAt: null },
    ]);
    app.clock.set(testNow + 1);
    expect((await invite(anna, id, ' CLEO\t')).status).toBe(201);
    app.clock.set(testNow + 2);
    await ask(cleo, `/api/community-polls/${id}`);
    const listed = await guests(anna, id);
    expect(areInvites(listed), JSON.stringify(areInvites.errors)).toBe(true);
    expect(listed.map(({ name, acceptedAt }) => [name, acceptedAt])).toEqual([
      ['Ben Okafor', null],
      ['cleo', iso(testNow + 2)],
    ]);
  });

  once('without mail, an address can’t be invited, whether an account has confirmed it or not', async () => {
    const { db, anna, id } = await start();
    await db('users').where({ username: 'Ben' }).update({ email_confirmed_at: testNow });
    const unknown = await invite(anna, id, 'nobody@mail.example');
    const known = await invite(anna, id, 'ben@mail.example');
    expect([known.status, known.body]).toEqual([400, unknown.body]);
    expect(unknown.body.code).toBe('NOT_INVITABLE');
  });

  once('[D6.8] an unknown name, oneself, and an existing guest get the same answer', async () => {
    const { anna, id } = await start();
    await invited(anna, id, 'ben');
    const answers = await Promise.all(
      [
        'nobody',
        'no@mail.example',
        'anna',
        'Anna@mail.example',
        'BEN',
        'ben@mail.example',
        ' ',
        '%',
        'a\0b',
        '\ud800',
      ].map((name) => invite(anna, id, name)),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body).toEqual(answers[0]?.body);
    }
    expect(answers[0]?.body.code).toBe('NOT_INVITABLE');
    expect(await guests(anna, id)).toHaveLength(1);
  });

  once('an invalid name is refused at its field', async () => {
    const { anna, id } = await start();
    for (const name of ['', 7, null, undefined, 'x'.repeat(255)]) {
      const { status, body } = await invite(anna, id, name);
      expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, 'VALIDATION_FAILED', 'usernameOrEmail']);
    }
  });

  once('who asks for guests of a public poll reads why there are none, or that it is not theirs', async () => {
    const { anna, ben } = await start();
    const { id } = await made(anna);
    expect((await invite(anna, id, 'ben')).body.message).toBe(communityApiTexts.notPrivate);
    expect((await invite(ben, id, 'anna')).body.message).toBe(errorTexts.FORBIDDEN);
  });

  once('[S3.13] answers about a poll contain its creator’s id and its guests for the creator only', async () => {
    const { app, anna, ben, id } = await start();
    await invited(anna, id, 'ben');
    const secret = { createdBy: anna.user.id, allowedUsers: [ben.user.id] };
    const answers = async (by: Member) => {
      const vote = { optionId: 'option-1', voterFingerprint: by.device };
      const { body: listed } = await ask<CommunityPoll[]>(by, '/api/community-polls?visibility=mine');
      const { body: profile } = await ask<Profile>(by, '/api/user/profile');
      return [
        (await ask(by, `/api/community-polls/${id}`)).body,
        (await ask(by, `/api/community-polls/${id}/vote`, 'POST', vote)).body,
        ...listed,
        ...profile.polls,
      ];
    };
    const seen = await answers(anna);
    expect(seen).toHaveLength(4);
    for (const poll of seen) expect(poll).toMatchObject(secret);
    for (const poll of await answers(ben)) expect(Object.keys(poll)).not.toContain('createdBy');
    expect(JSON.stringify(await answers(ben))).not.toMatch(new RegExp(`${anna.user.id}|allowedUsers`));

    const { id: open } = await made(anna);
    const { body: lists } = await ask<CommunityPoll[]>(visitor(app), '/api/community-polls');
    expect(lists.map((poll) => [poll.id, poll.createdBy, poll.allowedUsers])).toEqual([[open, undefined, undefined]]);
    expect((await ask(anna, `/api/community-polls/${id}/close`, 'POST')).body).toMatchObject(secret);
  });

  once(
    '[D6.7] withdrawing an invitation closes the poll to its guest immediately, and the guest can be invited again',
    async () => {
      const { anna, ben, id } = await start();
      await invited(anna, id, 'ben');
      const see = async () => (await ask(ben, `/api/community-polls/${id}`)).status;
      expect(await see()).toBe(200);
      const remove = () => ask(anna, `/api/community-polls/${id}/invites/${ben.user.id}`, 'DELETE');
      expect((await remove()).status).toBe(204);
      expect(await see()).toBe(403);
      const again = await remove();
      expect([again.status, again.body.code]).toEqual([404, 'NOT_FOUND']);
      await invited(anna, id, 'ben');
      expect(await see()).toBe(200);
    },
  );

  test('twenty concurrent invitations of one member create one guest', async () => {
    const { anna, id } = await start();
    const answers = await Promise.all(Array.from({ length: 20 }, () => invite(anna, id, 'ben')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 400)]);
    expect(await guests(anna, id)).toHaveLength(1);
  });

  test('the limit of guests holds for concurrent invitations', async () => {
    const { db, anna, id } = await start();
    const users = Array.from({ length: communityGuests + 2 }, (_, n) => `guest-${n}`);
    for (const user of users)
      await db('users').insert({
        id: user,
        username: user,
        username_key: user,
        password: '',
        created_at: 0,
        updated_at: 0,
      });
    const full = communityGuests - 2;
    for (const user of users.slice(0, full))
      await db('community_poll_guests').insert({ poll_id: id, user_id: user, invited_at: 0 });
    const answers = await Promise.all(users.slice(full).map((user) => invite(anna, id, user)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field: 'usernameOrEmail' }] });
    expect(await guests(anna, id)).toHaveLength(communityGuests);
    // The answer doesn't reveal whether such a member exists.
    expect((await invite(anna, id, 'nobody')).body).toEqual(refused?.body);
  });

  once('trying many names is rate-limited', async () => {
    const { anna, id } = await start({ config: { rateLimit: true } });
    for (let n = 0; n < rateLimits.invite.points; n++) expect((await invite(anna, id, `name${n}`)).status).toBe(400);
    const { status, body } = await invite(anna, id, 'ben');
    expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
  });
});
