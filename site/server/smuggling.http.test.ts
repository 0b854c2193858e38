import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestSite } from '#api/testing/test-site.ts';
import type { SiteServer } from './site-server.ts';

/** The requests that the API received, in order: method, URL, and body. */
let seen: string[];
/** The number of requests that it could not parse. */
let unreadable: number;
const cleanUps: (() => Promise<unknown>)[] = [];
let site: SiteServer;

beforeEach(async () => {
  seen = [];
  unreadable = 0;
  const api = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('latin1');
      seen.push(`${request.method} ${request.url}${body === '' ? '' : ` ${body.length > 50 ? body.length : body}`}`);
      response.end(`answer to ${request.url}`);
    });
  });
  api.on('clientError', (_, socket) => {
    unreadable += 1;
    socket.destroy();
  });
  await new Promise<void>((listening) => api.listen(0, '127.0.0.1', listening));
  site = await startTestSite(undefined, {
    apiOrigin: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
  });
  cleanUps.push(
    () => site.close(),
    () => new Promise((closed) => (api.closeAllConnections(), api.close(closed))),
  );
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** Sends raw bytes, then a plain request on its own connection; returns the response bytes of the first. */
async function send(...pieces: readonly string[]): Promise<string> {
  const answered = await new Promise<string>((ended) => {
    const socket = connect(site.port, '127.0.0.1');
    let text = '';
    // After the last response the connection is idle, and the site keeps it open.
    socket.setTimeout(400, () => socket.destroy());
    socket.on('data', (data: Buffer) => (text += data.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => ended(text));
    for (const piece of pieces) socket.write(piece, 'latin1');
  });
  const next = await fetch(`http://127.0.0.1:${site.port}/api/next`);
  expect(await next.text(), 'the answer to the next visitor').toBe('answer to /api/next');
  expect(seen.pop()).toBe('GET /api/next');
  return answered;
}

const head = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
const smuggled = head('GET /api/smuggled HTTP/1.1', 'host: x');

describe('an ambiguous request', () => {
  test.each([
    [
      'length and chunks',
      head('POST /api/a HTTP/1.1', 'host: x', 'content-length: 6', 'transfer-encoding: chunked') +
        `0\r\n\r\n${smuggled}`,
    ],
    [
      'chunks and length',
      head('POST /api/a HTTP/1.1', 'host: x', 'transfer-encoding: chunked', `content-length: ${smuggled.length}`) +
        smuggled,
    ],
    [
      'two lengths',
      head('POST /api/a HTTP/1.1', 'host: x', 'content-length: 0', `content-length: ${smuggled.length}`) + smuggled,
    ],
    [
      'two lengths in one line',
      head('POST /api/a HTTP/1.1', 'host: x', `content-length: 0, ${smuggled.length}`) + smuggled,
    ],
    ['a length with a sign', head('POST /api/a HTTP/1.1', 'host: x', 'content-length: +5') + 'hello'],
    ['a length that is none', head('POST /api/a HTTP/1.1', 'host: x', 'content-length: 0x5') + 'hello'],
    ['a negative length', head('POST /api/a HTTP/1.1', 'host: x', 'content-length: -1') + smuggled],
    [
      'a blank before the colon',
      head('POST /api/a HTTP/1.1', 'host: x', 'transfer-encoding : chunked') + `0\r\n\r\n${smuggled}`,
    ],
    [
      'a folded line',
      head('POST /api/a HTTP/1.1', 'host: x', 'transfer-encoding:', ' chunked', 'content-length: 3') + '0\r\n',
    ],
    ['an unknown coding', head('POST /api/a HTTP/1.1', 'host: x', 'transfer-encoding: chunked, identity') + smuggled],
    ['a coding in disguise', head('POST /api/a HTTP/1.1', 'host: x', 'transfer-encoding: \x0bchunked') + smuggled],
    [
      'chunks whose sizes are no numbers',
      head('POST /api/a HTTP/1.1', 'host: x', 'transfer-encoding: chunked') + `zz\r\n${smuggled}`,
    ],
    [
      'a chunk that is longer than it says',
      head('POST /api/a HTTP/1.1', 'host: x', 'transfer-encoding: chunked') + `1\r\nhello\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'a size that no number holds',
      head('POST /api/a HTTP/1.1', 'host: x', 'transfer-encoding: chunked') + `ffffffffffffffff1\r\n${smuggled}`,
    ],
    ['a line that ends without its return', `GET /api/a HTTP/1.1\nhost: x\n\n${smuggled}`],
    ['a return inside a value', head('GET /api/a HTTP/1.1', 'host: x', 'x-a: b\rtransfer-encoding: chunked')],
    ['a NUL inside a value', head('GET /api/a HTTP/1.1', 'host: x', 'x-a: b\0c')],
    ['no host', head('GET /api/a HTTP/1.1')],
    ['two hosts', head('GET /api/a HTTP/1.1', 'host: x', 'host: y')],
    ['two hosts, of a page', head('GET / HTTP/1.1', 'Host: x', 'HOST: x')],
    ['a blank inside the address', head('GET /api/a HTTP/1.1 HTTP/1.1', 'host: x')],
    ['another version', head('GET /api/a HTTP/3.1', 'host: x')],
  ])('%s: is refused and never partly forwarded', async (_, bytes) => {
    const answered = await send(bytes);
    expect(seen.filter((request) => request.includes('smuggled'))).toEqual([]);
    expect(unreadable).toBe(0);
    // Whatever the response, the connection is not reused.
    expect(statuses(answered).filter((status) => status === '200')).toEqual([]);
    expect(statuses(answered)).toEqual(['400']);
  });

  test.each([
    ['GET', ''],
    ['DELETE', ''],
    ['HEAD', ''],
    ['POST', ''],
    ['GET', 'trailer: x'],
  ])('the chunked body of a %s stays a body on the way to the API (%s)', async (method, more) => {
    const lines = [
      `${method} /api/a HTTP/1.1`,
      'host: x',
      'transfer-encoding: chunked',
      ...(more === '' ? [] : [more]),
    ];
    const body = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
    expect(statuses(await send(head(...lines) + body))).toEqual(['200']);
    expect(seen).toEqual([`${method} /api/a ${smuggled}`]);
    expect(unreadable).toBe(0);
  });

  test('the body of a GET with a length stays a body, and the next request follows it', async () => {
    const bytes = head('GET /api/a HTTP/1.1', 'host: x', `content-length: ${smuggled.length}`) + smuggled;
    expect(statuses(await send(bytes + smuggled))).toEqual(['200', '200']);
    expect(seen).toEqual([`GET /api/a ${smuggled}`, 'GET /api/smuggled']);
  });

  test('pipelined requests are answered in order', async () => {
    const answered = await send(
      ['/api/1', '/api/2', '/api/3'].map((path) => head(`GET ${path} HTTP/1.1`, 'host: x')).join(''),
    );
    expect([...answered.matchAll(/answer to (\/api\/\d)/g)].map(([, path]) => path)).toEqual([
      '/api/1',
      '/api/2',
      '/api/3',
    ]);
  });

  test('protocol upgrades and tunnels are not supported', async () => {
    const upgrade = head(
      'GET /api/a HTTP/1.1',
      'host: x',
      'connection: upgrade, x-secret',
      'upgrade: h2c',
      'x-secret: s',
    );
    expect(statuses(await send(upgrade))).toEqual(['200']);
    expect(statuses(await send(head('CONNECT 127.0.0.1:22 HTTP/1.1', 'host: x')))).toEqual([]);
    expect(statuses(await send(head('GET http://169.254.169.254/api/a HTTP/1.1', 'host: x')))).toEqual(['400']);
    expect(seen).toEqual(['GET /api/a']);
  });
});
