import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ask, invited, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { registered, testPassword, visitor } from '#api/testing/people.ts';
import type { Member } from '#api/testing/people.ts';
import { startTestApp } from '#api/testing/test-app.ts';

const address = '/api/user/notifications/feed';
const createdFeed = async (member: Member) => {
  const { status, body } = await ask<{ path: string }>(member, address, 'POST');
  expect(status).toBe(201);
  return body.path;
};

eachDatabase((open, _engine, once) => {
  async function start() {
    const { db } = await open();
    const app = await startTestApp(db);
    const [anna, ben] = [await registered(app, 'anna'), await registered(app, 'ben')];
    const { id } = await made(anna, { visibility: 'private', question: 'Tea & <coffee>?' });
    await invited(anna, id, 'ben');
    return { db, app, anna, ben, id };
  }

  test('the personal feed shows a member’s notifications to feed readers, and is neither cached nor indexed', async () => {
    const { app, ben, id } = await start();
    const response = await visitor(app).fetch(await createdFeed(ben));
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
    expect(text).toContain('<feed xmlns="http://www.w3.org/2005/Atom"');
    expect(text).toContain('You’re invited to vote on “Tea &amp; &lt;coffee>?”');
    expect(text).toContain(`/community-polls/${id}"`);
  });

  once('only a digest of the address is stored, and it can’t be used as an address', async () => {
    const { db, app, ben } = await start();
    const path = await createdFeed(ben);
    const secret = path.split('/').at(-1)!;
    const stored = JSON.stringify(await db('notification_readers'));
    expect(stored).toContain(hash('sha256', secret, 'base64url'));
    expect(stored).not.toContain(secret);
    const digest = hash('sha256', secret, 'base64url');
    expect((await visitor(app).fetch(`/api/notification-feeds/${digest}`)).status).toBe(404);
  });

  once(
    'an address stops working when it is replaced or deleted, and when its account is recovered or deleted',
    async () => {
      const { db, app, ben } = await start();
      const statusOf = async (path: string) => (await visitor(app).fetch(path)).status;
      const first = await createdFeed(ben);
      const second = await createdFeed(ben);
      expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
      expect((await ask(ben, address, 'DELETE')).status).toBe(204);
      expect(await statusOf(second)).toBe(404);
      const recovered = await createdFeed(ben);
      const password = { method: 'POST', json: { password: testPassword } };
      const codes = (await (await ben.fetch('/api/user/recovery-codes', password)).json()) as {
        recoveryCodes: string[];
      };
      const json = { username: 'ben', code: codes.recoveryCodes[0], newPassword: 'a windmill at dusk' };
      expect((await ben.fetch('/api/recover', { method: 'POST', json })).status).toBe(200);
      expect(await statusOf(recovered)).toBe(404);
      const third = await createdFeed(ben);
      await db('users').where({ id: ben.user.id }).del();
      expect(await statusOf(third)).toBe(404);
    },
  );

  once('the feed shows a private poll only as long as the member may see it', async () => {
    const { app, anna, ben, id } = await start();
    const path = await createdFeed(ben);
    await ask(anna, `/api/community-polls/${id}/invites/${ben.user.id}`, 'DELETE');
    expect(await (await visitor(app).fetch(path)).text()).not.toContain('coffee');
  });
});
