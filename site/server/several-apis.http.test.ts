import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '#api/testing/postgres.setup.ts';
import { askApi } from './ask-api.ts';
import { startSiteServer } from './site-server.ts';
import type { SiteServer } from './site-server.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const cleanUps: (() => unknown)[] = [];
let site: SiteServer;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weathervane-several-'));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** An API service that answers as the test says; `heard` are the calls that reached it. */
async function startApi(answer: Answer) {
  const heard: string[] = [];
  const server: Server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${port}`, heard };
}

/** A service that is away. */
const nobody = async () => ({ origin: `http://127.0.0.1:${await freePort()}`, heard: [] as string[] });

const named = (name: string): Answer =>
  function answer(request, response) {
    request.resume().on('end', () => response.end(name));
  };
/** As a process that is killed in the middle of its work. */
const dies: Answer = (request) => void request.resume().on('end', () => request.socket.destroy());

async function startSite(services: readonly { origin: string }[]) {
  site = await startSiteServer({
    ...{ port: 0, host: '127.0.0.1', publicUrl: 'http://localhost:3000', siteName: 'Test' },
    ...{ releases: join(folder, 'releases'), pictures: join(folder, 'pictures'), onEvent: () => undefined },
    apiOrigin: services.map(({ origin }) => origin),
  });
  cleanUps.push(() => site.close());
}

/** The status and text of one call, from an address of the test's choice. */
async function ask(path: string, { from = '203.0.113.1', ...init }: RequestInit & { from?: string } = {}) {
  const answer = await fetch(`http://127.0.0.1:${site.port}${path}`, {
    ...init,
    headers: { 'x-forwarded-for': from, ...(init.body != null && { 'content-type': 'application/json' }) },
  });
  return { status: answer.status, text: await answer.text() };
}

const addresses = Array.from({ length: 60 }, (_, n) => `203.0.113.${n + 1}`);
const vote = { method: 'POST', body: '{"optionId":"o1"}' };

test('an address comes to the same API service every time, and many addresses to all of them', async () => {
  await startSite(await Promise.all(['a', 'b', 'c'].map((name) => startApi(named(name)))));
  const first = await Promise.all(addresses.map(async (from) => (await ask('/api/x', { from })).text));
  const again = await Promise.all(addresses.map(async (from) => (await ask('/api/y', { from, ...vote })).text));
  expect(again).toEqual(first);
  for (const name of ['a', 'b', 'c']) expect(first.filter((one) => one === name).length).toBeGreaterThan(10);
});

test('an API service that is away is passed over, whatever is asked', async () => {
  const running = await startApi(named('here'));
  await startSite([await nobody(), running, await nobody()]);
  for (const from of addresses.slice(0, 12)) {
    expect(await ask('/api/x', { from })).toEqual({ status: 200, text: 'here' });
    expect(await ask('/api/comments', { from, ...vote })).toEqual({ status: 200, text: 'here' });
    expect(await ask('/api/upload', { from, method: 'POST', body: 'x'.repeat(200_000) })).toEqual({
      status: 200,
      text: 'here',
    });
  }
  expect(running.heard).toHaveLength(36);
});

test('without any API service a call is refused with a sentence', async () => {
  await startSite([await nobody(), await nobody()]);
  for (const init of [{}, vote, { method: 'POST', body: 'x'.repeat(200_000) }])
    expect(await ask('/api/x', init)).toMatchObject({ status: 503, text: expect.stringContaining('API_UNREACHABLE') });
});

test('reads and votes whose API service dies are asked again of another, other writes are not', async () => {
  const dying = await startApi(dies);
  const running = await startApi(named('here'));
  await startSite([dying, running]);
  for (const from of addresses.slice(0, 12)) {
    expect((await ask('/api/x', { from })).text).toBe('here');
    expect((await ask('/api/polls/p1/vote', { from, ...vote })).text).toBe('here');
    expect((await ask('/api/community-polls/p1/vote', { from, ...vote })).text).toBe('here');
  }
  const before = running.heard.length + dying.heard.length;
  const writes = await Promise.all(addresses.map((from) => ask('/api/community-polls', { from, ...vote })));
  expect(running.heard.length + dying.heard.length - before).toBe(addresses.length);
  expect(new Set(writes.map(({ status }) => status))).toEqual(new Set([200, 503]));
});

test('an idle connection that was closed costs nobody an answer, even where the others are away', async () => {
  let calls = 0;
  const running = await startApi((request, response) => {
    calls += 1;
    response.end('here');
    // Without a word, as when a keep-alive time ends.
    response.once('finish', () => setImmediate(() => request.socket.destroy()));
  });
  await startSite([await nobody(), running, await nobody()]);
  for (let call = 1; call <= 20; call += 1) {
    expect(await ask('/api/x')).toEqual({ status: 200, text: 'here' });
    expect(calls).toBeGreaterThanOrEqual(call);
  }
});

test('a page that is rendered on demand reads from the first API service that answers', async () => {
  const origins = [await nobody(), await startApi(dies), await startApi(named('here'))].map(({ origin }) => origin);
  expect(await (await askApi(origins, '/api/x', {})).text()).toBe('here');
  await expect(askApi(origins.slice(0, 1), '/api/x', {})).rejects.toThrow();
  await expect(askApi(origins, '/api/x', { signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
});
