import sharp from 'sharp';
import { expect, test } from 'vitest';
import { ask, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { pngFile } from '#api/testing/picture-files.ts';
import { startTestApp, testAdminPassword } from '#api/testing/test-app.ts';
import type { User } from './accounts.contract.ts';
import type { Comment } from '#api/comments/comments.contract.ts';
import * as limits from '#contract/limits.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { headerText } from '#site/client/api.ts';

eachDatabase((open, _engine, once) => {
  async function start(config: { rateLimit?: boolean } = {}) {
    const { db } = await open();
    const app = await startTestApp(db, { config });
    return { db, app, anna: await registered(app, 'anna') };
  }
  const upload = (member: Visitor, body: Uint8Array<ArrayBuffer>, type = 'image/png') =>
    member.fetch('/api/user/picture', { method: 'POST', body, headers: { 'content-type': type } });
  const addressAfter = async (response: Response) => {
    expect(response.status).toBe(200);
    return ((await response.json()) as User).profileImageUrl!;
  };

  test('[D5.12] an uploaded picture is served by the site to everyone, under an address that never changes its content', async () => {
    const { app, anna } = await start();
    const address = await addressAfter(await upload(anna, await pngFile()));
    const served = await app.fetch(address);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const content = Buffer.from(await served.arrayBuffer());
    expect(await sharp(content).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });
    const poll = await made(anna);
    await ask(anna, `/api/community-polls/${poll.id}/comments`, 'POST', { content: 'Hello' });
    const { body } = await ask<Comment[]>(visitor(app), `/api/community-polls/${poll.id}/comments`);
    expect(body[0]?.user.profileImageUrl).toBe(address);
    const { body: data } = await ask<{ picture: string }>(anna, '/api/user/export');
    expect(data.picture).toBe(content.toString('base64'));
  });

  test('a replaced or removed picture is gone, and the same picture of another member stays', async () => {
    const { db, app, anna } = await start();
    const ben = await registered(app, 'ben');
    const [blue, red] = [await pngFile(), await pngFile(40, '#cc3333')];
    const first = await addressAfter(await upload(anna, blue));
    expect(await addressAfter(await upload(ben, blue))).toBe(first);
    const second = await addressAfter(await upload(anna, red));
    expect(second).not.toBe(first);
    expect([(await app.fetch(first)).status, (await app.fetch(second)).status]).toEqual([200, 200]);
    const { status, body } = await ask<User>(anna, '/api/user', 'PATCH', { profileImageUrl: null });
    expect([status, body.profileImageUrl]).toEqual([200, null]);
    expect([(await app.fetch(first)).status, (await app.fetch(second)).status]).toEqual([200, 404]);
    expect((await app.fetch(second)).headers.get('cache-control')).not.toContain('immutable');
    expect(await db('member_pictures').pluck('user_id')).toEqual([ben.user.id]);
  });

  test('of pictures uploaded at once, one is kept, and its address is the member’s', async () => {
    const { db, anna } = await start();
    const files = await Promise.all(['#111111', '#555555', '#999999', '#dddddd'].map((color) => pngFile(20, color)));
    const statuses = await Promise.all(files.map(async (file) => (await upload(anna, file)).status));
    expect(statuses).toEqual([200, 200, 200, 200]);
    const stored = await db('member_pictures').pluck('hash');
    expect(stored).toHaveLength(1);
    expect((await ask<User>(anna, '/api/user')).body.profileImageUrl).toBe(`/api/pictures/${stored[0]}`);
  });

  once('the operator sees and removes the picture of a member', async () => {
    const { app, anna } = await start();
    const address = await addressAfter(await upload(anna, await pngFile()));
    const operator = (path: string, method = 'GET') =>
      app.fetch(path, { method, headers: { 'x-admin-password': headerText(testAdminPassword) } });
    const found = (await (await operator('/api/admin/members?name=anna')).json()) as { members: User[] };
    expect(found.members[0]?.profileImageUrl).toBe(address);
    const remove = (id: string) => operator(`/api/admin/members/${id}/picture`, 'DELETE');
    expect((await remove('nobody')).status).toBe(404);
    expect((await remove(anna.user.id)).status).toBe(204);
    expect((await app.fetch(address)).status).toBe(404);
    expect((await ask<User>(anna, '/api/user')).body.profileImageUrl).toBeNull();
  });

  once('only members upload pictures, and each only so many an hour', async () => {
    const { app, anna } = await start({ rateLimit: true });
    const file = await pngFile();
    expect((await upload(visitor(app), file)).status).toBe(401);
    const empty = new Uint8Array();
    for (let n = 0; n < rateLimits.picture.points; n += 1) expect((await upload(anna, empty)).status).toBe(415);
    expect((await upload(anna, file)).status).toBe(429);
  });

  once(
    'a file that is too large, or of another format than it says, is refused, and the earlier picture stays',
    async () => {
      const { app, anna } = await start();
      const address = await addressAfter(await upload(anna, await pngFile()));
      const large = new Uint8Array(limits.pictureBytes + 1);
      large.set(await pngFile());
      const svg = Uint8Array.from(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'));
      for (const [file, status, code] of [
        [large, 413, 'PAYLOAD_TOO_LARGE'],
        [svg, 415, 'UNSUPPORTED_MEDIA_TYPE'],
        [(await pngFile()).slice(0, 30), 400, 'BAD_REQUEST'],
      ] as const) {
        const response = await upload(anna, file);
        expect([response.status, await response.json()]).toMatchObject([status, { code }]);
      }
      expect((await ask<User>(anna, '/api/user')).body.profileImageUrl).toBe(address);
      expect((await app.fetch(address)).status).toBe(200);
    },
  );
});
