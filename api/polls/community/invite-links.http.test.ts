import { afterEach, expect, test } from 'vitest';
import type { CommunityPoll } from './community-polls.contract.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { CreatedInviteLink, InviteLink, NewInviteLink } from './invitations.contract.ts';
import { communityGuests } from '#contract/limits.ts';
import { ask, castVote, invited, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { registered, signedIn, visitor } from '#api/testing/people.ts';
import type { Member, Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

const day = 86_400_000;
const iso = (moment: number) => new Date(moment).toISOString();
const secretOf = (url: string) => url.split('#invite=')[1]!;

eachDatabase((open, _engine, once) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  async function start() {
    const { db } = await open();
    app = await startTestApp(db);
    const [anna, ben] = [await registered(app, 'anna'), await registered(app, 'ben')];
    const { id } = await made(anna, { visibility: 'private' });
    return { db, app, anna, ben, id };
  }
  const link = (by: Visitor, id: string, method = 'GET', json?: unknown) =>
    ask<{ link: InviteLink | null }>(by, `/api/community-polls/${id}/invite-link`, method, json);
  async function created(by: Member, id: string, options: Partial<NewInviteLink> = {}): Promise<CreatedInviteLink> {
    const path = `/api/community-polls/${id}/invite-link`;
    const { status, body } = await ask<CreatedInviteLink>(by, path, 'POST', { days: 7, maxUses: 25, ...options });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  }
  const join = (by: Visitor, url: string) =>
    ask<ErrorBody & { id: string }>(by, '/api/user/invitations', 'POST', { token: secretOf(url) });
  const codeOf = ({ status, body }: { status: number; body: ErrorBody }) => `${status} ${body.code}`;
  const refused = '404 INVALID_INVITE_LINK';

  once('a member who has the link joins the poll and votes; the creator sees the guest and the use', async () => {
    const { db, anna, ben, id } = await start();
    expect((await link(anna, id)).body).toEqual({ link: null, sendsMail: false });
    const { url, link: fresh } = await created(anna, id);
    expect(url).toMatch(/\/community-polls\/join#invite=[\w-]{43}$/);
    expect(fresh).toEqual({ createdAt: iso(testNow), expiresAt: iso(testNow + 7 * day), uses: 0, maxUses: 25 });
    // Only a digest is stored.
    expect(JSON.stringify(await db('invite_links'))).not.toContain(secretOf(url));
    expect((await ask(ben, `/api/community-polls/${id}`)).status).toBe(403);
    const joined = await join(ben, url);
    expect([joined.status, joined.body]).toEqual([200, { id }]);
    expect((await castVote(ben, id)).status).toBe(200);
    expect((await link(anna, id)).body.link).toEqual({ ...fresh, uses: 1 });
    const { body: guests } = await ask<{ username: string; acceptedAt: string }[]>(
      anna,
      `/api/community-polls/${id}/invites`,
    );
    expect(guests.map(({ username }) => username)).toEqual(['ben']);
  });

  once('the creator and guests open the link without using it up', async () => {
    const { anna, ben, id } = await start();
    await invited(anna, id, 'ben');
    const { url } = await created(anna, id, { maxUses: 1 });
    for (const by of [anna, ben, ben]) expect((await join(by, url)).body).toEqual({ id });
    expect((await link(anna, id)).body.link?.uses).toBe(0);
  });

  test('of thirty members who open a link for five at once, five join', async () => {
    const { db, app, anna, id } = await start();
    const { url } = await created(anna, id, { maxUses: 5 });
    const members = [];
    for (let n = 0; n < 30; n++) members.push(await registered(app, `member-${n}`));
    const answers = await Promise.all(members.map((member) => join(member, url)));
    expect(answers.map(codeOf).sort()).toEqual([
      ...Array.from({ length: 5 }, () => '200 undefined'),
      ...Array.from({ length: 25 }, () => refused),
    ]);
    expect((await link(anna, id)).body.link?.uses).toBe(5);
    expect(await db('community_poll_guests').where({ poll_id: id })).toHaveLength(5);
    // The database refuses more, whatever a process does.
    await expect(db('invite_links').increment('uses', 1)).rejects.toThrow();
  });

  test('one member in ten tabs joins once', async () => {
    const { app, anna, id } = await start();
    const { url } = await created(anna, id);
    const tabs = await Promise.all(Array.from({ length: 10 }, () => signedIn(app, 'ben')));
    const answers = await Promise.all(tabs.map((tab) => join(tab, url)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect((await link(anna, id)).body.link?.uses).toBe(1);
  });

  once('a link works until it expires, is replaced or revoked, or a guest is removed; who joined stays', async () => {
    const { app, anna, ben, id } = await start();
    const cleo = await registered(app, 'cleo');
    const first = await created(anna, id, { days: 1 });
    const second = await created(anna, id, { days: 1 });
    expect(codeOf(await join(ben, first.url))).toBe(refused);
    app.clock.set(testNow + day - 1);
    expect((await join(ben, second.url)).status).toBe(200);
    app.clock.set(testNow + day);
    expect(codeOf(await join(cleo, second.url))).toBe(refused);
    expect((await ask(ben, `/api/community-polls/${id}`)).status).toBe(200);

    const third = await created(anna, id);
    for (let time = 0; time < 2; time++) expect((await link(anna, id, 'DELETE')).status).toBe(204);
    expect(codeOf(await join(cleo, third.url))).toBe(refused);
    expect((await link(anna, id)).body.link).toBeNull();

    const fourth = await created(anna, id);
    await ask(anna, `/api/community-polls/${id}/invites/${ben.user.id}`, 'DELETE');
    expect(codeOf(await join(ben, fourth.url))).toBe(refused);
    expect((await ask(ben, `/api/community-polls/${id}`)).status).toBe(403);
  });

  once('nobody joins a poll that is deleted, taken down, or without its creator, or without a sign-in', async () => {
    const { db, app, anna, ben, id } = await start();
    const { url } = await created(anna, id);
    expect(codeOf(await join(visitor(app), url))).toBe('401 UNAUTHENTICATED');
    expect(codeOf(await join(ben, 'x#invite=made-up'))).toBe(refused);
    await db('community_polls').where({ id }).update({ taken_down_by: 'moderator', taken_down_from: 'private' });
    expect(codeOf(await join(ben, url))).toBe(refused);
    await db('community_polls').where({ id }).update({ taken_down_by: null, created_by: null });
    expect(codeOf(await join(ben, url))).toBe(refused);
    await db('community_polls').where({ id }).update({ created_by: anna.user.id });
    await ask(anna, `/api/community-polls/${id}`, 'DELETE');
    expect(codeOf(await join(ben, url))).toBe(refused);
    expect(await db('invite_links')).toEqual([]);
  });

  once('a link does not let more guests in than a poll can have', async () => {
    const { db, anna, ben, id } = await start();
    const { url } = await created(anna, id);
    const users = Array.from({ length: communityGuests }, (_, n) => `guest-${n}`);
    const row = { password: '', created_at: 0, updated_at: 0 };
    await db.batchInsert(
      'users',
      users.map((user) => ({ id: user, username: user, username_key: user, ...row })),
      50,
    );
    await db.batchInsert(
      'community_poll_guests',
      users.map((user) => ({ poll_id: id, user_id: user, invited_at: 0 })),
      50,
    );
    expect(codeOf(await join(ben, url))).toBe('400 VALIDATION_FAILED');
    expect((await link(anna, id)).body.link?.uses).toBe(0);
  });

  once('a link lasts 1, 7, or 30 days and lets between one member and as many as a poll can have in', async () => {
    const { anna, id } = await start();
    for (const [field, wrong] of [
      ['days', 2],
      ['days', '7'],
      ['maxUses', 0],
      ['maxUses', communityGuests + 1],
      ['maxUses', 2.5],
    ] as const) {
      const { status, body } = await link(anna, id, 'POST', { days: 7, maxUses: 25, [field]: wrong });
      const { errors } = body as unknown as ErrorBody;
      expect([status, errors?.map((error) => error.field)]).toEqual([400, [field]]);
    }
    const { id: open } = await made(anna);
    expect((await link(anna, open, 'POST', { days: 7, maxUses: 25 })).status).toBe(403);
    expect((await ask<CommunityPoll>(anna, `/api/community-polls/${id}`)).body.allowedUsers).toEqual([]);
  });
});
