import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as requestHttp } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { connect, createServer as createSocketServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { inBuilds } from '#api/publishing/builds.ts';
import { publishTexts } from '#api/testing/test-builds.ts';
import { startTestSite } from '#api/testing/test-site.ts';
import * as limits from '#contract/limits.ts';
import { buildFiles } from '#domain/build-files.ts';
import { parseProxies } from '#platform/trusted-proxies.ts';
import { siteTexts } from '#texts/site.ts';
import { SavedFiles } from './saved-files.ts';
import type { SiteEvent, SiteServer, SiteServerOptions } from './site-server.ts';

let folder: string;
let site: SiteServer | null = null;
let events: SiteEvent[] = [];
const cleanUps: (() => void)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weathervane-site-'));
  events = [];
});
afterEach(async () => {
  await site?.close();
  site = null;
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
  await rm(folder, { recursive: true, force: true });
});

const pageText = (name: string) => `<!doctype html><title>${name}</title>${'<p>words</p>'.repeat(100)}`;

/** An API that has the page /young and some others. */
const pages: RequestListener = (request, response) => {
  const { url = '', headers } = request;
  if (!/^\/(young|poll\/p1\/(vote|draft)|embed\/(?!poll\/p9)|(historical|community-polls)\?)/.test(url)) {
    response.writeHead(404, { 'content-type': 'text/plain' });
    response.end('Not found');
    return;
  }
  const own = url === '/young-and-linked' ? { 'cross-origin-opener-policy': 'unsafe-none' } : {};
  response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store', ...own });
  request.resume().on('end', () => response.end(`from the API ${url} for ${String(headers['x-forwarded-for'])}`));
};

const publish = (texts: Readonly<Record<string, string | null>>) => publishTexts(folder, texts);
/** A path in the folder that web servers serve. */
const inClient = (...names: readonly string[]) => inBuilds(folder, buildFiles.current, buildFiles.client, ...names);

async function start(options: Partial<SiteServerOptions> = {}) {
  site = await startTestSite(folder, { onEvent: (event) => events.push(event), ...options });
  return site;
}

async function startWithPages(): Promise<void> {
  await publish({
    '/': pageText('home'),
    '/historical': pageText('archive'),
    '/poll/p1': pageText('report'),
    '/404': pageText('lost'),
    '/favicon.svg': '<svg/>',
    '/_astro/app.abc123.js': 'export const x = 1;'.repeat(60),
  });
  writeFileSync(join(folder, 'secrets.json'), 'secret');
  await start({ apiOrigin: await startApi(pages) });
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly text: string;
}

/** A request with exactly this path. */
function send(path: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}) {
  return new Promise<Answer>((answered, failed) => {
    const { method = 'GET', headers = {} } = options;
    const call = requestHttp(
      { host: '127.0.0.1', port: site?.port, path, method, headers, agent: false },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const body = Buffer.concat(parts);
          answered({ status: response.statusCode ?? 0, headers: response.headers, body, text: body.toString() });
        });
        response.on('error', failed);
      },
    );
    call.on('error', failed);
    call.end(options.body);
  });
}

async function startApi(listener: RequestListener): Promise<string> {
  const api: Server = createServer(listener);
  await new Promise<void>((listening) => api.listen(0, '127.0.0.1', listening));
  cleanUps.push(() => {
    api.closeAllConnections();
    api.close();
  });
  return `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
}

describe('a build', () => {
  beforeEach(startWithPages);

  test('is served in the smallest encoding that the client accepts', async () => {
    const plain = await send('/historical');
    const gzip = await send('/historical', { headers: { 'accept-encoding': 'gzip, deflate' } });
    const brotli = await send('/historical', { headers: { 'accept-encoding': 'gzip, br;q=0.9' } });
    expect([plain, gzip, brotli].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br']);
    expect(plain.text).toBe(pageText('archive'));
    expect(gunzipSync(gzip.body).toString()).toBe(pageText('archive'));
    expect(brotliDecompressSync(brotli.body).toString()).toBe(pageText('archive'));
    expect(new Set([plain, gzip, brotli].map(({ headers }) => headers.etag)).size).toBe(3);
    expect(plain.headers.vary).toBe('Accept-Encoding');
  });

  test('has reports with gzip only, and inflates them for other clients', async () => {
    const gzip = await send('/poll/p1', { headers: { 'accept-encoding': 'gzip, br' } });
    expect([gzip.headers['content-encoding'], gunzipSync(gzip.body).toString()]).toEqual(['gzip', pageText('report')]);
    for (const encoding of ['br', 'identity', 'gzip;q=0']) {
      const headers = { 'accept-encoding': encoding };
      const plain = await send('/poll/p1', { headers });
      expect([plain.headers['content-encoding'], plain.text]).toEqual([undefined, pageText('report')]);
      expect([plain.headers['content-length'], plain.headers.vary]).toEqual([
        String(plain.text.length),
        'Accept-Encoding',
      ]);
      const head = await send('/poll/p1', { method: 'HEAD', headers });
      expect(head.headers).toEqual({ ...plain.headers, date: head.headers.date });
      const again = await send('/poll/p1', { headers: { ...headers, 'if-none-match': plain.headers.etag! } });
      expect(again.status).toBe(304);
    }
  });

  test('has reports of any size', async () => {
    for (const size of [1, 63, 64, 700_000]) {
      const text = 'x'.repeat(size);
      await publish({ [`/poll/size-${size}`]: text });
      const gzip = await send(`/poll/size-${size}`, { headers: { 'accept-encoding': 'gzip' } });
      expect([size, gzip.status, gunzipSync(gzip.body).toString()]).toEqual([size, 200, text]);
      expect((await send(`/poll/size-${size}`)).text).toBe(text);
    }
    expect(events).toEqual([]);
  });

  test('is not sent in an encoding that the client rejects', async () => {
    const answer = await send('/poll/p1', { headers: { 'accept-encoding': 'br;q=0, gzip;q=0, *' } });
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  test('[D10.6] is not sent again to a client that has it', async () => {
    const headers = { 'accept-encoding': 'br' };
    const { headers: first } = await send('/', { headers });
    const again = await send('/', { headers: { ...headers, 'if-none-match': `"other", W/${first.etag ?? ''}` } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', first.etag]);
    expect((await send('/', { headers: { ...headers, 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test('has the same ETags on a machine that the files were copied to with their times', async () => {
    const path = inClient('favicon.svg');
    const { headers } = await send('/favicon.svg');
    // As rsync -a does.
    execFileSync('cp', ['-p', path, `${path}.copy`]);
    renameSync(`${path}.copy`, path);
    expect((await send('/favicon.svg')).headers.etag).toBe(headers.etag);
  });

  test('[D10.6] allows hashed assets to be cached for a year, never asked for again, and pages to be revalidated', async () => {
    const { headers } = await send('/_astro/app.abc123.js');
    expect([headers['cache-control'], headers.etag]).toEqual(['public, max-age=31536000, immutable', undefined]);
    expect((await send('/')).headers['cache-control']).toBe('public, max-age=0, must-revalidate');
  });

  test('answers HEAD with the size of a page', async () => {
    const head = await send('/', { method: 'HEAD' });
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      String(pageText('home').length),
    ]);
  });

  test('has one URL for each page', async () => {
    for (const [other, one] of [
      ['/poll/p1/', '/poll/p1'],
      ['/poll/p1.html?a=1', '/poll/p1?a=1'],
      ['/index.html', '/'],
      ['//example.org/', '/example.org'],
      ['/\\example.org/', '/example.org'],
    ] as const) {
      const answer = await send(other);
      expect([answer.status, answer.headers.location]).toEqual([308, one]);
    }
  });

  test('finds the page of an address that was copied with the text after it', async () => {
    for (const page of ['/poll/p1', '/community-polls/c1', '/blog/a-b', '/historical/tag/l%C3%A4rm', '/young'])
      for (const [text, query] of [
        ...['.', ')', ',', ').', '%20', '%20.', '%22', '%E2%80%9D', '%C2%A0', '%E2%80%A6', '*', '!'].map(
          (one) => [one, ''] as const,
        ),
        ['&utm_source=x', ''],
        ['&utm_source=x&url=https://example.org/a', ''],
        ['.&utm_source=x', '?a=1'],
      ] as const) {
        const answer = await send(page + text + query);
        expect([page, text, answer.status, answer.headers.location]).toEqual([page, text, 308, page + query]);
      }
    // Several endings in a row, and what is no ending.
    expect((await send('/poll/p1/).')).headers.location).toBe('/poll/p1/');
    expect((await send('/&a=1')).headers.location).toBe('/');
    for (const path of ['/poll/p1.', '/poll/p1&a=1']) expect((await send(path, { method: 'HEAD' })).status).toBe(308);
    for (const path of ['/poll/p1.csvx', '/poll/p1-', '/poll/p1&', '/poll/%ff.x'])
      expect([path, (await send(path)).status]).toEqual([path, 404]);
  });

  test('can’t be escaped: only addresses of pages and assets are served', async () => {
    mkdirSync(inClient('.git'));
    writeFileSync(inClient('.git/config'), 'secret');
    for (const path of [
      '/../secrets.json',
      '/..%2fsecrets.json',
      '/%2e%2e/%2e%2e/%2e%2e/secrets.json',
      '/poll/../../../../secrets.json',
      '/..\\secrets.json',
      '/..%5c..%5csecrets.json',
      '/client/index.html',
      '/build.json',
      '/server/entry.mjs',
      '/.git/config',
      '/poll%2fp1',
      '/index',
      '/favicon.svg.gz',
      '/historical.html.br',
      '/poll/p1.html.gz',
      '/poll/p1%00.html',
      '/poll/p1%00',
      '/poll',
      `/${'a'.repeat(300)}`,
      `/${'a/'.repeat(4_000)}a`,
      '/%',
      '/%ff',
    ]) {
      const answer = await send(path);
      expect([path, answer.status, answer.text]).toEqual([path, 404, pageText('lost')]);
    }
    expect(events).toEqual([]);
  });

  test('handles many slashes as fast as few, because no page has two in a row', async () => {
    for (const path of ['/young//x', '/young/\\x', `/young/${'/'.repeat(8_000)}x`, `/young/${'\\'.repeat(8_000)}x`])
      expect([path.slice(0, 20), (await send(path)).text]).toEqual([path.slice(0, 20), pageText('lost')]);
    const cost = async (slashes: number) => {
      const path = `/${'/'.repeat(slashes)}x/`;
      let least = Infinity;
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const before = process.cpuUsage();
        for (let times = 0; times < 4; times += 1) expect((await send(path)).headers.location).toBe('/x');
        const { user, system } = process.cpuUsage(before);
        least = Math.min(least, user + system);
      }
      return least;
    };
    // Quadratic work would take fifty times as long.
    expect((await cost(14_000)) / (await cost(2_000))).toBeLessThan(12);
  });

  test('[S2.3] has its own 404 page, also at that page’s own URL', async () => {
    for (const path of ['/nowhere', '/404']) {
      const answer = await send(path);
      expect([answer.status, answer.text]).toEqual([404, pageText('lost')]);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  test('has pages of their own for polls and articles that do not exist', async () => {
    const kinds = ['poll', 'article', 'embed', 'preview', 'community'];
    const pages = kinds.map((kind) => [`/404/${kind}`, pageText(`no ${kind}`)] as const);
    await publish({ '/404': pageText('lost'), ...Object.fromEntries(pages) });
    const said = async (path: string) => {
      const { status, text } = await send(path);
      return [status, text];
    };
    await vi.waitFor(async () => expect(await said('/poll/p9')).toEqual([404, pageText('no poll')]));
    expect(await said('/blog/a/b')).toEqual([404, pageText('no article')]);
    expect(await said('/community-polls/p9')).toEqual([404, pageText('no community')]);
    expect(await said('/poll/p9/preview')).toEqual([404, pageText('no preview')]);
    expect(await said('/embed/poll/p9')).toEqual([404, pageText('no embed')]);
    // It is shown on other sites; the others are not.
    const framing = async (path: string) => (await send(path)).headers['content-security-policy'];
    expect(await framing('/embed/poll/p9')).toBe('frame-ancestors *');
    expect(await framing('/poll/p9')).toBe("frame-ancestors 'none'");
    expect(await said('/404/poll')).toEqual([404, pageText('lost')]);
  });

  test('is read-only', async () => {
    const answer = await send('/', { method: 'POST', body: 'x' });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test('accepts form votes up to their size limit', async () => {
    const vote = (body: string) => send('/poll/p1/vote', { method: 'POST', body });
    expect(await vote('optionId=a')).toMatchObject({ status: 200, text: 'from the API /poll/p1/vote for 127.0.0.1' });
    expect((await vote(`optionId=${'a'.repeat(limits.voteFormBytes)}`)).status).toBe(413);
    const chunked = { 'transfer-encoding': 'chunked' };
    expect((await send('/poll/p1/vote', { method: 'POST', headers: chunked, body: 'optionId=a' })).status).toBe(413);
    expect((await send('/poll/p1/vote', { method: 'PUT', body: 'x' })).status).toBe(405);
  });

  test('[D4.10] forwards pages without a file to the API, with the headers of every page', async () => {
    const answer = await send('/young?x=1');
    expect([answer.status, answer.text]).toEqual([200, 'from the API /young?x=1 for 127.0.0.1']);
    expect(answer.headers['content-security-policy']).toBe("frame-ancestors 'none'");
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['cross-origin-opener-policy']).toBe('same-origin');
    const linked = await send('/young-and-linked');
    expect(linked.headers['cross-origin-opener-policy']).toBe('unsafe-none');
  });

  test('can be embedded only on pages made for that', async () => {
    const policy = async (path: string) => (await send(path)).headers['content-security-policy'];
    for (const path of ['/embed/poll/p1', '/embed/poll/p1?theme=dark', '/embed/community-polls/p1'])
      expect([path, await policy(path)]).toEqual([path, 'frame-ancestors *']);
    for (const path of [
      '/',
      '/poll/p1',
      '/young',
      '/young/embed/',
      '/embed',
      '/embedded/',
      '/embed/../young',
      '/embed/poll/../../young',
      '/api/embed/poll/p1',
      '/embed/poll/p1/vote',
      '/embed/community-polls/p1/vote',
    ])
      expect([path, await policy(path)]).toEqual([path, expect.stringContaining("frame-ancestors 'none'")]);
    await site!.close();
    await start({
      apiOrigin: await startApi(pages),
      embedVotingSites: ['https://news.example', 'https://blog.example'],
    });
    expect(await policy('/embed/poll/p1/vote')).toBe('frame-ancestors https://news.example https://blog.example');
    expect(await policy('/embed/poll/p1')).toBe('frame-ancestors *');
    for (const path of ['/poll/p1/vote', '/embed/poll/p1/vote/', '/embed/series/s/vote', '/api/embed/poll/p1/vote'])
      expect([path, await policy(path)]).toEqual([path, expect.stringContaining("frame-ancestors 'none'")]);
  });

  test('forwards a list with its query and serves the finished page without one', async () => {
    expect((await send('/historical')).text).toBe(pageText('archive'));
    expect((await send('/historical?')).text).toBe(pageText('archive'));
    expect((await send('/historical?page=2')).text).toContain('from the API /historical?page=2');
    expect((await send('/community-polls?page=2')).text).toContain('from the API /community-polls?page=2');
  });

  test('[D9.15] has a page that was written or replaced, and no longer one that was removed, at once', async () => {
    const text = async (path: string) => {
      const { status, text } = await send(path);
      return status === 200 ? text : status;
    };
    for (const name of ['new', 'newer', 'newest']) {
      await publish({ '/': pageText(name), '/poll/p2': pageText(name) });
      expect([await text('/'), await text('/poll/p2')]).toEqual([pageText(name), pageText(name)]);
      await publish({ '/poll/p2': null });
      expect(await text('/poll/p2')).toBe(404);
    }
  });

  test('has a page under its own ETag when it is replaced just before it is read', async () => {
    await publish({ '/about': pageText('about') });
    const files = new SavedFiles(inBuilds(folder), []);
    const origin = await startApi((request, response) => {
      const found = files.find('/about', request)!;
      void publish({ '/about': pageText('about us') }).then(() => files.send(request, response, found));
    });
    const late = await fetch(origin, { headers: { 'accept-encoding': 'identity' } });
    const { text, headers } = await send('/about');
    expect([await late.text(), late.headers.get('etag')]).toEqual([text, headers.etag]);
  });

  test('is replaced by another one without a restart', async () => {
    await publishTexts(folder, { '/': pageText('home, new'), '/404': pageText('lost, new') }, { build: 'build2' });
    expect((await send('/')).text).toBe(pageText('home, new'));
    expect((await send('/historical')).text).toBe(pageText('lost, new'));
  });

  test('has assets of earlier builds, for pages that are open in browsers, but no pages of them', async () => {
    await publishTexts(folder, { '/': pageText('home, new'), '/404': pageText('lost') }, { build: 'build2' });
    const asset = await send('/_astro/app.abc123.js');
    expect([asset.status, asset.text]).toEqual([200, 'export const x = 1;'.repeat(60)]);
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    for (const path of ['/_astro/other.js', '/poll/p1', '/favicon.svg'])
      expect([path, (await send(path)).status]).toEqual([path, 404]);
  });

  test('has no half page: one that can’t be read says so, and the others are served', async () => {
    await publish({ '/poll/p2': pageText('another'), '/about': pageText('about') });
    expect((await send('/poll/p1')).status).toBe(200);
    for (const name of ['poll/p1.html.gz', 'about.html.br']) truncateSync(inClient(name), 20);
    rmSync(inClient('historical.html.gz'));
    symlinkSync('historical.html.gz', inClient('historical.html.gz'));
    for (const [path, encoding] of [
      ['/poll/p1', 'gzip'],
      ['/poll/p1', 'identity'],
      ['/about', 'br'],
      ['/historical', 'gzip'],
    ] as const) {
      const answer = await send(path, { headers: { 'accept-encoding': encoding } });
      expect([path, answer.status, answer.headers['retry-after']]).toEqual([path, 503, '60']);
      expect(answer.text).toContain(siteTexts.unreadable.title);
    }
    expect(events.map(({ kind }) => kind)).toEqual(Array(4).fill('unreadable'));
    expect((await send('/poll/p2')).text).toBe(pageText('another'));
    await publish({ '/poll/p1': pageText('repaired') });
    expect((await send('/poll/p1')).text).toBe(pageText('repaired'));
  });

  test('that is gone is one that is being built, whatever was served before', async () => {
    expect((await send('/')).status).toBe(200);
    rmSync(inBuilds(folder, 'build1'), { recursive: true });
    for (const path of ['/', '/poll/p1/', '/young', '/_astro/app.abc123.js']) {
      const answer = await send(path);
      expect([path, answer.status, answer.headers['retry-after']]).toEqual([path, 503, '3']);
    }
    expect(events).toEqual([{ kind: 'no-build' }]);
    await publish({ '/': pageText('home') });
    expect((await send('/')).status).toBe(200);
  });
});

test('without a build, a page says that the site is being built', async () => {
  await start();
  const answer = await send('/');
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '3']);
  expect(answer.text).toContain(siteTexts.building.title);
});

test('files that are not pages may load and run nothing if opened directly', async () => {
  const policy = async (path: string) => (await send(path)).headers['content-security-policy'];
  const nothing = "default-src 'none'; frame-ancestors 'none'";
  await start({ apiOrigin: await startApi(pages) });
  expect([(await send('/')).status, await policy('/')]).toEqual([503, nothing]);
  expect([(await send('/api/health')).status, await policy('/api/health')]).toEqual([404, nothing]);
  await publish({
    '/': pageText('home'),
    '/sitemap.xml': '<urlset/>',
    '/blog/rss.xml': '<rss/>',
    '/a.png': 'x',
    '/robots.txt': '',
    '/icon.svg': '<svg/>',
    '/404': pageText('lost'),
  });
  expect((await send('/')).status).toBe(200);
  for (const path of ['/sitemap.xml', '/blog/rss.xml', '/a.png', '/robots.txt'])
    expect([path, await policy(path)]).toEqual([path, nothing]);
  expect(await policy('/icon.svg')).toBe("script-src 'none'; frame-ancestors 'none'");
  expect(await policy('/')).toBe("frame-ancestors 'none'");
  // A page of ours, whatever its extension.
  expect(await policy('/nowhere.xml')).toBe("frame-ancestors 'none'");
});

test('a site on https tells browsers to stay on https', async () => {
  await publish({ '/': pageText('home') });
  await start({ publicUrl: 'https://polls.example.org' });
  expect((await send('/')).headers['strict-transport-security']).toMatch(/^max-age=\d+/);
});

describe('the API', () => {
  const echo: RequestListener = (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const { method, url, headers } = request;
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.setHeader('x-content-type-options', 'from the API');
      response.setHeader('content-type', 'application/json');
      response.statusCode = 201;
      const text = JSON.stringify({ method, url, headers, body });
      if (url?.includes('chunked')) {
        response.write(text.slice(0, 5));
        response.write(text.slice(5));
        response.end();
      } else response.end(text);
    });
  };
  interface Echo {
    method: string;
    url: string;
    headers: Record<string, string>;
    body: string;
  }

  test('receives calls unchanged, and its responses are returned unchanged', async () => {
    await start({ apiOrigin: await startApi(echo) });
    for (const query of ['?a=%20b', '?chunked']) {
      const answer = await send(`/api/polls/p1/vote${query}`, {
        method: 'POST',
        headers: {
          'x-device-id': 'device_x',
          'content-length': '17',
          connection: 'keep-alive, x-secret',
          'x-secret': 's',
        },
        body: '{"optionId":"o1"}',
      });
      const said = JSON.parse(answer.text) as Echo;
      expect(answer.status).toBe(201);
      expect(said).toMatchObject({ method: 'POST', url: `/api/polls/p1/vote${query}`, body: '{"optionId":"o1"}' });
      expect(said.headers['x-device-id']).toBe('device_x');
      expect(said.headers['x-secret']).toBeUndefined();
      expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  test('receives large bodies and those of unknown size', async () => {
    await start({ apiOrigin: await startApi(echo) });
    const body = 'x'.repeat(300_000);
    for (const [name, value] of [
      ['content-length', String(body.length)],
      ['transfer-encoding', 'chunked'],
    ] as const) {
      const answer = await send('/api/large', { method: 'POST', headers: { [name]: value }, body });
      expect((JSON.parse(answer.text) as Echo).body).toHaveLength(body.length);
    }
  });

  test('refuses an upload before its end, and notices when the client disconnects', async () => {
    const seen: string[] = [];
    const origin = await startApi((request, response) => {
      if (request.url === '/api/refused') response.writeHead(413).end('too large');
      else request.once('data', () => seen.push('begun')).once('error', () => seen.push('given up'));
    });
    await start({ apiOrigin: origin });
    const upload = (path: string) => {
      const socket = connect(site?.port ?? 0, '127.0.0.1');
      socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 9000000\r\n\r\n${'x'.repeat(200_000)}`);
      return socket;
    };
    const [answer] = (await once(upload('/api/refused'), 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 [^]*\r\nconnection: close\r\n/i);
    const socket = upload('/api/taken');
    await vi.waitFor(() => expect(seen).toEqual(['begun']), { timeout: 20_000 });
    socket.destroy();
    await vi.waitFor(() => expect(seen).toEqual(['begun', 'given up']), { timeout: 20_000 });
  });

  test('receives one client address: the last hop that is not a trusted proxy', async () => {
    await start({ apiOrigin: await startApi(echo), publicUrl: 'https://polls.example.org' });
    const received = async (forwarded?: string) => {
      const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
      const answer = await send('/api/x', { headers: { ...headers, forwarded: 'for=9.9.9.9' } });
      const said = (JSON.parse(answer.text) as Echo).headers;
      expect(said.forwarded).toBeUndefined();
      expect(said['x-forwarded-proto']).toBe('https');
      return said['x-forwarded-for'];
    };
    expect(await received()).toBe('127.0.0.1');
    expect(await received('203.0.113.7')).toBe('203.0.113.7');
    expect(await received('1.1.1.1, 203.0.113.7')).toBe('203.0.113.7');
    expect(await received('1.1.1.1, 203.0.113.7, ::1')).toBe('203.0.113.7');
    // A private network is not trusted until it is configured.
    expect(await received('1.1.1.1, 203.0.113.7, 10.0.0.2')).toBe('10.0.0.2');
    expect(await received('2001:db8::1')).toBe('2001:db8::1');
    expect(await received('nonsense')).toBe('127.0.0.1');
  });

  test('[D2.18] ignores forwarding headers of untrusted peers, for pages as well as calls', async () => {
    const apiOrigin = await startApi((request, response) =>
      (request.url === '/young' ? pages : echo)(request, response),
    );
    const received = async (names: readonly string[], forwarded: string) => {
      await site?.close();
      await publish({ '/': pageText('home') });
      await start({ apiOrigin, isProxy: parseProxies(names) });
      const headers = {
        'x-forwarded-for': forwarded,
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
      };
      const said = (JSON.parse((await send('/api/x', { headers })).text) as Echo).headers;
      const [, page] = / for (\S+)/.exec((await send('/young', { headers })).text) ?? [];
      return [said['x-forwarded-for'], page, said['x-forwarded-host'] === 'evil.example'];
    };
    expect(await received([], '203.0.113.9')).toEqual(['127.0.0.1', '127.0.0.1', false]);
    expect(await received(['10.0.0.0/8'], '203.0.113.9')).toEqual(['127.0.0.1', '127.0.0.1', false]);
    expect(await received(['127.0.0.1'], '6.6.6.6, 203.0.113.9')).toEqual(['203.0.113.9', '203.0.113.9', true]);
    // A CDN with public addresses in front of one’s own proxy.
    const behindBoth = '6.6.6.6, 203.0.113.9, 192.0.2.44';
    expect(await received(['127.0.0.1', '192.0.2.0/24'], behindBoth)).toEqual(['203.0.113.9', '203.0.113.9', true]);
  });

  test('handles many calls over keep-alive connections, each response for its own client', async () => {
    const connections = new Set<unknown>();
    const origin = await startApi((request, response) => {
      connections.add(request.socket);
      setImmediate(() => response.end(request.url));
    });
    await start({ apiOrigin: origin });
    for (const round of [1, 2, 3]) {
      const paths = Array.from({ length: 40 }, (_, call) => `/api/${round}/${call}`);
      const answers = await Promise.all(paths.map((path) => send(path)));
      expect(answers.map(({ text }) => text)).toEqual(paths);
    }
    expect(connections.size).toBeLessThanOrEqual(40);
  });

  test('that is down gives a JSON error, a page that says so, and saved pages still work', async () => {
    await publish({ '/': pageText('home') });
    await start();
    const unsaved = await send('/young');
    expect([unsaved.status, unsaved.headers['retry-after']]).toEqual([503, '2']);
    expect(unsaved.text).toContain(siteTexts.renderFailed.title);
    const answer = await send('/api/polls/active');
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'API_UNREACHABLE' });
    expect((await send('/')).status).toBe(200);
  });

  test('gives an error instead of a page: visitors get one that says so', async () => {
    const apiOrigin = await startApi((_request, response) => {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '7' });
      response.end('{"code":"RATE_LIMITED"}');
    });
    await publish({ '/': pageText('home') });
    await start({ apiOrigin });
    const answer = await send('/young');
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '7']);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.text).toContain(siteTexts.renderFailed.text);
    // It has no style sheet, which might be missing, too.
    expect(answer.text).toContain('<meta name="color-scheme" content="light dark">');
  });

  test('that does not respond in time, or not in HTTP, gets a gateway error', async () => {
    const silent = createSocketServer(() => undefined);
    const confused = createSocketServer((socket) => socket.end('I am not a web server\r\n\r\n'));
    for (const server of [silent, confused]) {
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      cleanUps.push(() => server.close());
    }
    const origin = (server: typeof silent) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await start({ apiOrigin: origin(silent), forwardTimeoutMs: 150 });
    expect((await send('/api/x')).status).toBe(504);
    await site?.close();
    await start({ apiOrigin: origin(confused) });
    expect((await send('/api/x')).status).toBe(502);
  });

  test('that has restarted is reached immediately', async () => {
    let api = createServer((_request, response) => response.end('first'));
    await new Promise<void>((listening) => api.listen(0, '127.0.0.1', listening));
    const { port } = api.address() as AddressInfo;
    await start({ apiOrigin: `http://127.0.0.1:${port}` });
    expect((await send('/api/x')).text).toBe('first');
    api.closeAllConnections();
    await new Promise((closed) => api.close(closed));
    api = createServer((_request, response) => response.end('second'));
    await new Promise<void>((listening) => api.listen(port, '127.0.0.1', listening));
    cleanUps.push(() => api.close());
    expect((await send('/api/x')).text).toBe('second');
  });

  test('drops the response for a disconnected client, and no other client gets it', async () => {
    const held: (() => void)[] = [];
    const origin = await startApi((request, response) => {
      if (request.url === '/api/slow') held.push(() => response.end('slow'));
      else response.end('quick');
    });
    await start({ apiOrigin: origin });
    const socket = connect(site?.port ?? 0, '127.0.0.1');
    socket.write('GET /api/slow HTTP/1.1\r\nhost: x\r\n\r\n');
    await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 20_000 });
    socket.destroy();
    const quick = send('/api/quick');
    held[0]?.();
    expect((await quick).text).toBe('quick');
    expect((await send('/api/quick')).text).toBe('quick');
  });
});
