import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inBuilds } from '#api/publishing/builds.ts';
import { publishTexts } from '#api/testing/test-builds.ts';
import { startTestSite } from '#api/testing/test-site.ts';
import type { SiteServer } from '#site/server/site-server.ts';
import { comparable, hasWebServer, sendRequest, webServers } from './web-servers.ts';
import type { Request, StartedWebServer } from './web-servers.ts';

const names = (['nginx', 'Caddy'] as const).filter((name) => {
  if (hasWebServer(name)) return true;
  test.skip(`${name} is not on this machine, so its file is not tried`);
  return false;
});

const text = (title: string) => `<!doctype html><title>${title}</title>${'<p>words</p>'.repeat(200)}`;

describe.each(names)('behind %s', (name) => {
  let folder: string;
  /** Has no pages that are not saved. */
  let api: Server;
  let site: SiteServer;
  let server: StartedWebServer;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weathervane-reports-'));
    await publishTexts(folder, { '/': text('home'), '/404': text('lost'), '/poll/tea': text('tea') });
    const builds = inBuilds(folder);
    api = createServer((_, response) => response.writeHead(404).end());
    await once(api.listen(0, '127.0.0.1'), 'listening');
    const { port } = api.address() as AddressInfo;
    const apiOrigin = `http://127.0.0.1:${port}`;
    site = await startTestSite(folder, { apiOrigin, publicUrl: 'https://polls.example.org' });
    const behind = { builds, sitePort: site.port, apiPorts: [port, port] as const, folder: join(folder, name) };
    server = await webServers[name].start(behind);
  });
  afterEach(async () => {
    await site.close();
    await server.stop();
    api.close();
    await rm(folder, { recursive: true, force: true });
  });

  const encodings = ['gzip', 'br', 'gzip, deflate, br', 'gzip;q=0', 'br, gzip; q=0.0, *', 'identity', ''];
  const takesGzip = (encoding: string) => /gzip($|,)/.test(encoding);

  test('reports that are stored with gzip only get the same response as from the site service', async () => {
    for (const path of [
      '/poll/tea',
      '/poll/tea?x=1',
      '/poll/tea/',
      '/poll/tea.html',
      '/poll/tea.html.gz',
      '/poll/none',
    ])
      for (const encoding of encodings)
        for (const method of ['GET', 'HEAD']) {
          const request: Request = { method, headers: { 'accept-encoding': encoding, via: '1.1 cdn' } };
          const [here, there] = [
            await sendRequest(server.port, path, request),
            await sendRequest(site.port, path, request),
          ];
          const isHere = here.headers['content-encoding'];
          expect([path, request, comparable(here)]).toEqual([path, request, comparable(there)]);
          if (takesGzip(encoding) || here.status !== 200)
            expect([path, request, isHere]).toEqual([path, request, there.headers['content-encoding']]);
          else expect([path, request, isHere]).toEqual([path, request, undefined]);
        }
  });

  test('an unchanged report is not sent again, and a changed one is', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const first = await sendRequest(server.port, '/poll/tea', { headers });
    const known = { headers: { ...headers, 'if-none-match': first.headers.etag ?? '' } };
    expect((await sendRequest(server.port, '/poll/tea', known)).status).toBe(304);
    await publishTexts(folder, { '/poll/tea': text('milk') });
    const changed = await sendRequest(server.port, '/poll/tea', known);
    expect([changed.status, changed.body.toString()]).toEqual([200, text('milk')]);
    await publishTexts(folder, { '/poll/tea': null });
    expect((await sendRequest(server.port, '/poll/tea', known)).status).toBe(404);
  });

  test('reports stay up while the site service is down', async () => {
    await site.close();
    for (const encoding of encodings) {
      // Only nginx can inflate.
      if (name === 'Caddy' && !takesGzip(encoding)) continue;
      const { status, body } = await sendRequest(server.port, '/poll/tea', {
        headers: { 'accept-encoding': encoding },
      });
      expect([encoding, status, body.toString()]).toEqual([encoding, 200, text('tea')]);
    }
  });
});
