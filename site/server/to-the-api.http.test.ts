import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { eachDatabase } from '#api/testing/databases.ts';
import { startTestApp, testAdminPassword } from '#api/testing/test-app.ts';
import { createLogger } from '#platform/logger.ts';
import { headerText } from '#site/client/api.ts';
import { startSiteServer } from './site-server.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

eachDatabase((open) => {
  /** Both services; `lines` is the API’s log. */
  const start = async () => {
    const { db } = await open();
    const lines: string[] = [];
    const log = createLogger('api', { json: true, destination: { write: (line) => void lines.push(line) } });
    const api = await startTestApp(db, { log });
    cleanUps.push(() => api.close());
    const folder = await mkdtemp(join(tmpdir(), 'weathervane-to-the-api-'));
    cleanUps.push(() => rm(folder, { recursive: true, force: true }));
    const site = await startSiteServer({
      ...{ port: 0, host: '127.0.0.1', apiOrigin: api.origin, publicUrl: 'http://localhost:3000', siteName: 'Test' },
      ...{ releases: join(folder, 'releases'), pictures: join(folder, 'pictures'), onEvent: () => undefined },
    });
    cleanUps.push(() => site.close());
    const send = (path: string, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${site.port}${path}`, { headers });
    return { send, api, lines };
  };

  test('through the site, metrics require the admin password', async () => {
    const { send, api } = await start();
    expect((await send('/api/metrics')).status).toBe(401);
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded'])
      expect([name, (await send('/api/metrics', { [name]: '127.0.0.1' })).status]).toEqual([name, 401]);
    expect((await send('/api/metrics', { 'x-admin-password': headerText(testAdminPassword) })).status).toBe(200);
    expect((await api.fetch('/api/metrics')).status).toBe(200);
  });

  test('a request has the same id in the site’s response and in the API’s log', async () => {
    const { send, lines } = await start();
    const answers = [await send('/api/nothing'), await send('/api/nothing', { 'x-request-id': 'from-our-proxy-1' })];
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    expect(ids[1]).toBe('from-our-proxy-1');
    expect(lines.map((line) => (JSON.parse(line) as { requestId: string }).requestId)).toEqual(ids);
  });
});
