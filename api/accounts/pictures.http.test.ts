import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ask, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { registered } from '#api/testing/people.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

eachDatabase((open) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  test('the URL of a picture is passed to browsers and never opened by the server', async () => {
    const { db } = await open();
    app = await startTestApp(db);
    const asked: string[] = [];
    const elsewhere = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening));
    const profileImageUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/latest/meta-data/`;

    const anna = await registered(app, 'anna');
    expect((await ask(anna, '/api/user', 'PATCH', { profileImageUrl })).status).toBe(200);
    const poll = await made(anna);
    await ask(anna, `/api/community-polls/${poll.id}/comments`, 'POST', { content: `See ${profileImageUrl}` });
    const read = [`/api/community-polls/${poll.id}`, `/api/community-polls/${poll.id}/comments`, '/api/user'];
    const texts: string[] = [];
    for (const path of [...read, '/api/user/profile', '/api/user/export'])
      texts.push(JSON.stringify((await ask(anna, path)).body));
    expect(texts.join()).toContain(profileImageUrl);
    expect(asked).toEqual([]);
    await new Promise((closed) => elsewhere.close(closed));
  });

  test('only http and https URLs are accepted as pictures', async () => {
    const { db } = await open();
    app = await startTestApp(db);
    const anna = await registered(app, 'anna');
    for (const no of [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.example/x',
      'gopher://x',
    ])
      expect([no, (await ask(anna, '/api/user', 'PATCH', { profileImageUrl: no })).status]).toEqual([no, 400]);
  });
});
