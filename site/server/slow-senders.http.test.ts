import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestSite } from '#api/testing/test-site.ts';
import type { SiteServer } from './site-server.ts';

let site: SiteServer;
let received: string[];
const cleanUps: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  received = [];
  const api = createServer((request, response) => {
    received.push(request.url ?? '');
    request.resume().on('end', () => response.end('answered'));
  });
  await new Promise<void>((listening) => api.listen(0, '127.0.0.1', listening));
  site = await startTestSite(undefined, {
    apiOrigin: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    timeouts: { headMs: 300, jsonBodyMs: 300 },
  });
  cleanUps.push(
    () => site.close(),
    () => new Promise((closed) => (api.closeAllConnections(), api.close(closed))),
  );
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** Sends the beginning, then one byte repeatedly until the site disconnects; returns what it received. */
function sendSlowly(beginning: string, byte: string): Promise<{ text: string; socket: Socket }> {
  return new Promise((ended) => {
    const socket = connect(site.port, '127.0.0.1');
    let text = '';
    const timer = setInterval(() => socket.write(byte), 40);
    socket.on('data', (data: Buffer) => (text += data.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      ended({ text, socket });
    });
    socket.write(beginning);
  });
}

const post = (length: number) =>
  `POST /api/polls/p/vote HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

test('a client that never finishes its headers or body is disconnected, and the API receives nothing', async () => {
  const slow = await Promise.all([
    sendSlowly('GET /api/health HTTP/1.1\r\nhost: x\r\nx-slow: ', 'a'),
    sendSlowly('GET /about HTTP/1.1\r\n', 'x'),
    sendSlowly(post(5_000), '1'),
    sendSlowly(post(5_000), ''),
  ]);
  expect(slow.map(({ text }) => text.split('\r\n')[0])).toEqual([
    'HTTP/1.1 408 Request Timeout',
    'HTTP/1.1 408 Request Timeout',
    '',
    '',
  ]);
  expect(received).toEqual([]);
});

test('two hundred slow clients don’t delay others', async () => {
  const slow = Array.from({ length: 200 }, () => sendSlowly(post(5_000), '1'));
  const answer = await fetch(`http://127.0.0.1:${site.port}/api/quick`, { method: 'POST', body: '{}' });
  expect(await answer.text()).toBe('answered');
  await Promise.all(slow);
  expect(received).toEqual(['/api/quick']);
});

test('a call whose body arrives in pieces, but in time, is accepted', async () => {
  const socket = connect(site.port, '127.0.0.1');
  const answered = new Promise<string>((heardOf) => socket.on('data', (data: Buffer) => heardOf(data.toString())));
  socket.write(post(2));
  socket.write('{');
  await new Promise((sent) => socket.write('}', sent));
  expect((await answered).split('\r\n')[0]).toBe('HTTP/1.1 200 OK');
  socket.destroy();
});
