import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import {
  isPrivateHost,
  isPublicAddress,
  PrivateAddressError,
  publicLookup,
  requestPublicly,
} from './public-request.ts';

test.each([
  ['93.184.216.34', true],
  ['2606:4700:4700::1111', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['169.254.169.254', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['0.0.0.0', false],
  ['::', false],
  ['::1', false],
  ['::ffff:93.184.216.34', false],
  ['64:ff9b::a00:1', false],
  ['2002:a00:1::', false],
  ['2001:0:a00::', false],
  ['2001:db8::1', false],
  ['fd00::1', false],
  ['fe80::1', false],
  ['ff02::1', false],
  ['example.org', false],
])('%s is a public address: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

test('a URL whose host is a private address in any notation, or this machine, is recognized', () => {
  const hosts = ['127.1', '0x7f000001', '2130706433', '017700000001', '[::1]', '[::ffff:7f00:1]', 'localhost'];
  for (const host of [...hosts, 'a.localhost', 'localhost.', '10.0.0.1.'])
    expect([host, isPrivateHost(new URL(`https://${host}/`))]).toEqual([host, true]);
  for (const host of ['example.org', '93.184.216.34', '[2606:4700:4700::1111]'])
    expect([host, isPrivateHost(new URL(`https://${host}/`))]).toEqual([host, false]);
});

const lookUp = (found: readonly string[], all: boolean) =>
  new Promise((done) => {
    const addresses = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    publicLookup((_, answer) => answer(null, addresses))('name.example', { all }, (error, address) =>
      done(error instanceof PrivateAddressError ? 'refused' : address),
    );
  });

test('a name is refused if any of its addresses is private, or if it has none', async () => {
  expect(await lookUp(['93.184.216.34'], false)).toBe('93.184.216.34');
  expect(await lookUp(['93.184.216.34'], true)).toEqual([{ address: '93.184.216.34', family: 4 }]);
  for (const found of [['127.0.0.1'], ['93.184.216.34', '::1'], []])
    for (const all of [true, false]) expect(await lookUp(found, all)).toBe('refused');
});

test('a name that can’t be looked up fails the request with that reason, and ends nothing else', async () => {
  const unknown = new Error('getaddrinfo ENOTFOUND name.example');
  const failure = await new Promise((done) => {
    publicLookup((_, answer) => answer(unknown))('name.example', { all: true }, done);
  });
  expect(failure).toBe(unknown);
});

test('a request to this machine is refused before it connects, and allowed where the caller says so', async () => {
  let connections = 0;
  const server = createServer((_, response) => response.writeHead(302, { location: '/elsewhere' }).end('moved'));
  server.on('connection', () => (connections += 1));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const signal = AbortSignal.timeout(5_000);
  try {
    for (const host of ['127.0.0.1', 'localhost'])
      await expect(requestPublicly(new URL(`http://${host}:${port}/`), { signal })).rejects.toThrow(
        PrivateAddressError,
      );
    expect(connections).toBe(0);
    const allowed = await requestPublicly(new URL(`http://127.0.0.1:${port}/`), { signal, allowPrivate: true });
    allowed.resume();
    expect([allowed.statusCode, connections]).toEqual([302, 1]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
