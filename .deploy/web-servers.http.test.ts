import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { clientOf, inBuilds, placePage, servedBuild, writeDraft } from '#api/publishing/builds.ts';
import { encode } from '#api/publishing/encode.ts';
import { freePort } from '#api/testing/postgres.setup.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { publishTexts } from '#api/testing/test-builds.ts';
import { buildFiles } from '#domain/build-files.ts';
import { errorTexts } from '#texts/errors.ts';
import { comparable, sendRequest, hasWebServer, webServers } from './web-servers.ts';
import type { Request, StartedWebServer } from './web-servers.ts';

/** A site with the demo polls, whose site service is the reference for web servers. */
let folder: string;
let dataDir: string;
let builds: string;
let service: ChildProcess;
const ports = { site: 0, api: 0, unused: 0 };
const address = 'https://polls.example.org';

const names = (['nginx', 'Caddy'] as const).filter((name) => {
  if (hasWebServer(name)) return true;
  test.skip(`${name} is not on this machine, so its file is not tried`);
  return false;
});

beforeAll(async () => {
  if (names.length === 0) return;
  folder = await mkdtemp(join(quickFolder(), 'weathervane-deploy-'));
  dataDir = join(folder, 'data');
  builds = inBuilds(dataDir);
  for (const name of ['site', 'api', 'unused'] as const) ports[name] = await freePort();
  const script = fileURLToPath(new URL('../api/commands/start.ts', import.meta.url));
  service = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DEMO_DATA: 'on',
      RATE_LIMIT: 'off',
      ADMIN_PASSWORD: 'the operator',
      DATABASE_URL: '',
      DATA_DIR: dataDir,
      PORT: String(ports.site),
      API_PORT: String(ports.api),
      PUBLIC_URL: address,
    },
  });
  let said = '';
  for (const stream of [service.stdout, service.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
  await vi.waitFor(() => expect(said).toContain('is ready'), { timeout: 110_000, interval: 200 });
}, 120_000);

afterAll(async () => {
  if (names.length === 0) return;
  const ended = once(service, 'close');
  service.kill('SIGTERM');
  await ended;
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}, 30_000);

/** The address of a saved file in a folder, with this ending. */
const saved = (folder: string, ending: string) => {
  const files = readdirSync(inBuilds(dataDir, buildFiles.current, buildFiles.client, folder));
  return `/${folder}/${files.find((file) => file.endsWith(ending)) ?? 'no such file'}`;
};
const hashed = (ending: string) => saved('_astro', ending);
const report = () => saved('poll', '.html.gz').slice(0, -'.html.gz'.length);
const communityPoll = async () => {
  const { body } = await sendRequest(ports.api, '/api/community-polls?limit=1');
  return `/community-polls/${/"id":"([^"]+)"/.exec(body.toString())?.[1] ?? ''}`;
};

describe.each(names)('behind %s', (name) => {
  let server: StartedWebServer;
  beforeAll(async () => {
    const { site: sitePort, api, unused } = ports;
    // One of the two API services is always down.
    const behind = { builds, sitePort, apiPorts: [api, unused] as const, folder: join(folder, name) };
    server = await webServers[name].start(behind);
  });
  afterAll(() => server.stop());

  const places: Record<string, () => string | Promise<string>> = {
    'the home page': () => '/',
    'the home page with a query': () => '/?utm_source=mail',
    'the archive': () => '/historical',
    'the archive with a query': () => '/historical?sort=votes&page=2',
    'community polls of a category': () => '/community-polls?category=food',
    'a report': report,
    'the results of a report': () => `${report()}.csv`,
    'the picture of a report': () => `${report()}.png`,
    'a page for other people’s pages': () => `/embed${report()}`,
    'a community poll, which is rendered on demand': communityPoll,
    'a page in a folder': () => '/blog/category/numbers',
    'the blog, which is a page and a folder': () => '/blog',
    'a style sheet': () => hashed('.css'),
    'a script': () => hashed('.js'),
    'a font': () => hashed('.woff2'),
    'the icon': () => '/favicon.ico',
    'the drawn icon': () => '/favicon.svg',
    'the sitemap': () => '/sitemap.xml',
    'a feed': () => '/blog/rss.xml',
    'words for robots': () => '/robots.txt',
    'whom to tell of a hole': () => '/.well-known/security.txt',
    'the manifest': () => '/manifest.webmanifest',
    'a missing page': () => '/nothing/here',
    'a missing poll': () => '/poll/nothing',
    'a missing embed': () => '/embed/poll/nothing',
    'a missing preview': () => '/poll/nothing/preview',
    'a missing recount': () => '/poll/nothing/recount',
    'a missing community poll': () => '/community-polls/nothing',
    'a missing asset': () => '/_astro/nothing.js',
    'the page that says 404': () => '/404',
    'the page that says that there is no such poll': () => '/404/poll',
    'the name of the home page’s file': () => '/index',
    'a page by its file': () => `${report()}.html`,
    'a page with a slash at its end': () => '/about/',
    'the home page by its file': () => '/index.html?x=1',
    'a compressed copy': () => '/about.html.gz',
    'a report’s address with a full stop after it': () => `${report()}.`,
    'a report’s address with parameters after &': () => `${report()}&utm_source=mail`,
    'an address with two slashes': () => '//about',
    'a page in code': () => '/%61bout',
    'the old address of signing in': () => '/auth/login',
    'the health of the API': () => '/api/health',
    'a call that there is not': () => '/api/nothing',
    'open polls': () => '/api/polls/active',
    'the key of the vote log': () => '/integrity/key',
    'entries of the site-wide log': () => '/integrity/log/tile/entries/000.p/1',
  };
  test.each(Object.keys(places))('%s gets the same response as from the site service', async (place) => {
    const path = await places[place]!();
    const variants: Request[] = [
      { headers: {} },
      { method: 'HEAD', headers: {} },
      { headers: { 'accept-encoding': 'gzip' } },
      { headers: { 'accept-encoding': 'gzip, br', via: '1.1 cdn' } },
    ];
    for (const variant of variants) {
      const [here, there] = [
        await sendRequest(server.port, path, variant),
        await sendRequest(ports.site, path, variant),
      ];
      expect([variant, comparable(here)]).toEqual([variant, comparable(there)]);
      // Precompressed files are sent compressed.
      if (variant.method === undefined && there.headers['content-encoding'] !== undefined)
        expect(here.headers['content-encoding']).toMatch(/^(gzip|br)$/);
    }
  });

  test('a URL can’t escape the folder', async () => {
    for (const path of ['/../../../secrets.json', '/_astro/../../build.json', '/%2e%2e/%2e%2e/%2e%2e/secrets.json']) {
      const { status, body } = await sendRequest(server.port, path);
      expect([path, status === 404 || status === 400, body.includes('siteKey')]).toEqual([path, true, false]);
    }
  });

  test('an unchanged page is not sent again, compressed or not', async () => {
    for (const headers of [{}, { 'accept-encoding': 'gzip' }] as Record<string, string>[]) {
      const first = await sendRequest(server.port, '/about', { headers });
      const again = await sendRequest(server.port, '/about', {
        headers: { ...headers, 'if-none-match': first.headers.etag ?? '' },
      });
      expect(again.status).toBe(304);
      expect(again.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
      expect(again.headers.etag).toBe(first.headers.etag);
    }
    const headers = { 'if-modified-since': new Date(Date.now() + 86_400_000).toUTCString() };
    if (name === 'nginx') expect((await sendRequest(server.port, '/about', { headers })).status).toBe(200);
  });

  test('a range request gets that range or the whole page', async () => {
    const whole = await sendRequest(server.port, '/about');
    const part = await sendRequest(server.port, '/about', { headers: { range: 'bytes=0-9' } });
    expect([part.status, part.body]).toEqual(name === 'nginx' ? [200, whole.body] : [206, whole.body.subarray(0, 10)]);
  });

  test('pages accept only reads', async () => {
    for (const path of ['/', '/about', '/_astro/x.js']) {
      const [here, there] = [
        await sendRequest(server.port, path, { method: 'POST' }),
        await sendRequest(ports.site, path, { method: 'POST' }),
      ];
      expect(comparable(here)).toEqual(comparable(there));
      expect(here.status).toBe(405);
    }
  });

  test('a form vote reaches the site service, which refuses one that is too large', async () => {
    const vote = { method: 'POST', body: Buffer.alloc(2_000, 'x') };
    const [here, there] = [
      await sendRequest(server.port, '/poll/tea/vote', vote),
      await sendRequest(ports.site, '/poll/tea/vote', vote),
    ];
    expect([here.status, here.body.toString()]).toEqual([413, there.body.toString()]);
  });

  test('an upload of 20 MB reaches the API, but a larger one does not', async () => {
    const upload = (bytes: number) =>
      sendRequest(server.port, '/api/polls/bulk-upload', {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=x', 'x-admin-password': 'the operator' },
        body: Buffer.alloc(bytes, '.'),
      });
    const [full, larger] = [await upload(20 * 1024 * 1024), await upload(23 * 1024 * 1024)];
    expect([full.status, full.headers['content-type']]).toEqual([400, 'application/json; charset=utf-8']);
    expect([larger.status, larger.headers['content-type']]).toEqual([413, 'application/json; charset=utf-8']);
  });

  test.runIf(name === 'nginx')('the load balancer takes uploads, which the site service forwards to it', async () => {
    const { status, headers } = await sendRequest(server.balancerPort, '/api/polls/bulk-upload', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'x-admin-password': 'the operator' },
      body: Buffer.alloc(2_000_000, '.'),
    });
    expect([status, headers['content-type']]).toEqual([400, 'application/json; charset=utf-8']);
  });

  test('the load balancer skips an API that is down', async () => {
    for (let n = 0; n < 6; n += 1)
      expect((await sendRequest(server.balancerPort, '/api/health')).body.toString()).toContain('"status":"ok"');
  });

  test('a page that replaces one of the same size in the same second is not taken for it', async () => {
    const place = async (text: string | null) => {
      const draft = text === null ? null : await writeDraft(dataDir, await encode('/young', Buffer.from(text)), false);
      placePage(clientOf(dataDir, servedBuild(dataDir)!), '/young', draft);
    };
    try {
      for (const text of ['one page', 'new page', 'old page']) {
        await place(text);
        const { headers } = await sendRequest(server.port, '/young');
        const other = text === 'new page' ? 'two page' : 'and page';
        await place(other);
        const changed = await sendRequest(server.port, '/young', {
          headers: { 'if-none-match': headers.etag ?? '' },
        });
        expect([changed.status, changed.body.toString()]).toEqual([200, other]);
      }
    } finally {
      await place(null);
    }
  });

  test('after a page changes, and changes back, nothing of the previous one is served', async () => {
    const before = await sendRequest(server.port, '/about', { headers: { 'accept-encoding': 'gzip' } });
    const about = (await sendRequest(ports.site, '/about')).body.toString();
    const another = `another about behind ${name}`;
    await publishTexts(dataDir, { '/about': another });
    try {
      expect(
        (await sendRequest(server.port, '/about', { headers: { 'accept-encoding': 'gzip' } })).body.toString(),
      ).toBe(another);
      const changed = { headers: { 'if-none-match': before.headers.etag ?? '' } };
      expect((await sendRequest(server.port, '/about', changed)).status).toBe(200);
      expect((await sendRequest(ports.site, '/about')).body.toString()).toBe(another);
    } finally {
      await publishTexts(dataDir, { '/about': about });
    }
    const after = await sendRequest(server.port, '/about', { headers: { 'accept-encoding': 'gzip' } });
    expect(after.body).toEqual(before.body);
  });
});

describe.each(names)('%s in front of services that echo requests', (name) => {
  test('the API receives the visitor’s address, not a forged one', async () => {
    const heard: IncomingHttpHeaders[] = [];
    const echo = createServer((request, response) => {
      heard.push(request.headers);
      response.end('{}');
    });
    await once(echo.listen(0, '127.0.0.1'), 'listening');
    const { port } = echo.address() as AddressInfo;
    const server = await webServers[name].start({
      folder: join(folder, `${name}-echo`),
      builds,
      sitePort: port,
      apiPorts: [port, port],
    });
    try {
      const headers = { 'x-forwarded-for': '6.6.6.6', forwarded: 'for=6.6.6.6', 'x-forwarded-host': 'evil.example' };
      for (const path of ['/api/health', '/nothing']) await sendRequest(server.port, path, { headers });
      expect(heard.map((one) => [one['x-forwarded-for'], one['x-forwarded-host'], one.host])).toEqual(
        ['/api', '/'].map(() => ['127.0.0.1', 'polls.example.org', 'polls.example.org']),
      );
      // The site service’s forwarding headers are kept.
      await sendRequest(server.balancerPort, '/api/health', { headers: { 'x-forwarded-for': '203.0.113.7' } });
      expect(heard.at(-1)?.['x-forwarded-for']).toMatch(/^203\.0\.113\.7(, 127\.0\.0\.1)?$/);
    } finally {
      await server.stop();
      echo.closeAllConnections();
      echo.close();
    }
  });

  test(
    'pages stay up, and calls get the API’s error message, while both services are down',
    { timeout: 60_000 },
    async () => {
      const server = await webServers[name].start({
        folder: join(folder, `${name}-alone`),
        builds,
        sitePort: ports.unused,
        apiPorts: [ports.unused, ports.unused],
      });
      try {
        expect((await sendRequest(server.port, '/about')).status).toBe(200);
        const refused = await sendRequest(server.port, '/api/polls/active');
        expect([refused.status, refused.headers['retry-after'], refused.headers['content-type']]).toEqual([
          503,
          '2',
          'application/json; charset=utf-8',
        ]);
        expect(JSON.parse(refused.body.toString())).toEqual({
          message: errorTexts.API_UNREACHABLE,
          code: 'API_UNREACHABLE',
        });
      } finally {
        await server.stop();
      }
    },
  );
});
