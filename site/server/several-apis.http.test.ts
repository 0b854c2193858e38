import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '#api/testing/postgres.setup.ts';
import { startTestSite } from '#api/testing/test-site.ts';
import { fetchFromApi } from './fetch-from-api.ts';
import type { SiteServer } from './site-server.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const cleanUps: (() => unknown)[] = [];
let site: SiteServer;
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** An API service that responds as the test says; `received` lists the calls it received. */
async function startApi(answer: Answer) {
  const received: string[] = [];
  const server: Server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${port}`, received };
}

/** A service that cannot be reached. */
const unreachable = async () => ({ origin: `http://127.0.0.1:${await freePort()}`, received: [] as string[] });

const named = (name: string): Answer =>
  function answer(request, response) {
    request.resume().on('end', () => response.end(name));
  };
/** Like a process that is killed during a request. */
const dies: Answer = (request) => void request.resume().on('end', () => request.socket.destroy());

async function startSite(services: readonly { origin: string }[]) {
  site = await startTestSite(undefined, { apiOrigin: services.map(({ origin }) => origin) });
  cleanUps.push(() => site.close());
}

/** The status and text of one call from a client address. */
async function send(path: string, { from = '203.0.113.1', ...init }: RequestInit & { from?: string } = {}) {
  const answer = await fetch(`http://127.0.0.1:${site.port}${path}`, {
    ...init,
    headers: { 'x-forwarded-for': from, ...(init.body != null && { 'content-type': 'application/json' }) },
  });
  return { status: answer.status, text: await answer.text() };
}

const addresses = Array.from({ length: 60 }, (_, n) => `203.0.113.${n + 1}`);
const vote = { method: 'POST', body: '{"optionId":"o1"}' };

test('all requests go to the first API service while it can be reached', async () => {
  const [first, ...fallbacks] = await Promise.all(['a', 'b', 'c'].map((name) => startApi(named(name))));
  await startSite([first!, ...fallbacks]);
  await Promise.all(addresses.map((from) => send('/api/x', { from })));
  expect(first!.received).toHaveLength(addresses.length);
  expect(fallbacks.flatMap(({ received }) => received)).toEqual([]);
});

test('an API service that cannot be reached is skipped, whatever the request', async () => {
  const running = await startApi(named('here'));
  await startSite([await unreachable(), running, await unreachable()]);
  for (const from of addresses.slice(0, 12)) {
    expect(await send('/api/x', { from })).toEqual({ status: 200, text: 'here' });
    expect(await send('/api/comments', { from, ...vote })).toEqual({ status: 200, text: 'here' });
    expect(await send('/api/upload', { from, method: 'POST', body: 'x'.repeat(200_000) })).toEqual({
      status: 200,
      text: 'here',
    });
  }
  expect(running.received).toHaveLength(36);
});

test('when no API service can be reached, a call gets an error message', async () => {
  await startSite([await unreachable(), await unreachable()]);
  for (const init of [{}, vote, { method: 'POST', body: 'x'.repeat(200_000) }])
    expect(await send('/api/x', init)).toMatchObject({ status: 503, text: expect.stringContaining('API_UNREACHABLE') });
});

test('reads and votes are retried on another API service if theirs dies, but other writes are not', async () => {
  const dying = await startApi(dies);
  const running = await startApi(named('here'));
  await startSite([dying, running]);
  for (const from of addresses.slice(0, 12)) {
    expect((await send('/api/x', { from })).text).toBe('here');
    expect((await send('/api/polls/p1/vote', { from, ...vote })).text).toBe('here');
    expect((await send('/api/community-polls/p1/vote', { from, ...vote })).text).toBe('here');
  }
  const before = running.received.length + dying.received.length;
  const writes = await Promise.all(addresses.map((from) => send('/api/community-polls', { from, ...vote })));
  expect(running.received.length + dying.received.length - before).toBe(addresses.length);
  expect(new Set(writes.map(({ status }) => status))).toEqual(new Set([503]));
});

test('a closed idle connection loses no request, even if the other API services are down', async () => {
  let calls = 0;
  const running = await startApi((request, response) => {
    calls += 1;
    response.end('here');
    // Without notice, as when the keep-alive time ends.
    response.once('finish', () => setImmediate(() => request.socket.destroy()));
  });
  await startSite([await unreachable(), running, await unreachable()]);
  for (let call = 1; call <= 20; call += 1) {
    expect(await send('/api/x')).toEqual({ status: 200, text: 'here' });
    expect(calls).toBeGreaterThanOrEqual(call);
  }
});

test('a page rendered on demand reads from the first API service that responds', async () => {
  const origins = [await unreachable(), await startApi(dies), await startApi(named('here'))].map(
    ({ origin }) => origin,
  );
  expect(await (await fetchFromApi(origins, '/api/x', {})).text()).toBe('here');
  await expect(fetchFromApi(origins.slice(0, 1), '/api/x', {})).rejects.toThrow();
  await expect(fetchFromApi(origins, '/api/x', { signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
});
