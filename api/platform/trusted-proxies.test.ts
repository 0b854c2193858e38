import type { Context } from 'koa';
import { describe, expect, test } from 'vitest';
import { clientAddress } from './middleware.ts';
import { forwardedAddress, parseProxies, requestIdOf } from './trusted-proxies.ts';
import type { IsProxy } from './trusted-proxies.ts';

const visitor = '198.51.100.9';

describe('without a setting', () => {
  test.each([
    ['a direct connection counts by its own address, whatever its headers', '203.0.113.7', visitor, '203.0.113.7'],
    ['a proxy on this machine is trusted', '127.0.0.1', visitor, visitor],
    ['a proxy on this machine is trusted over IPv6', '::1', visitor, visitor],
    ['the gateway of a published container port is not trusted', '::ffff:172.17.0.1', visitor, '172.17.0.1'],
    ['other addresses in a private network are not trusted', '10.1.2.3', visitor, '10.1.2.3'],
    ['nor are those in a private IPv6 network', 'fd00::7', visitor, 'fd00::7'],
    ['entries that a visitor invented are ignored', '127.0.0.1', `6.6.6.6, ${visitor}`, visitor],
    ['several proxies on this machine are trusted', '127.0.0.1', `6.6.6.6, ${visitor}, ::1`, visitor],
    ['a forwarded value that is no address is ignored', '127.0.0.1', 'unknown', '127.0.0.1'],
    ['a request without a forwarding header comes from this machine', '127.0.0.1', undefined, '127.0.0.1'],
    ['a visitor in a private network behind the proxy has their own address', '127.0.0.1', '10.1.2.9', '10.1.2.9'],
    ['a socket without an address counts as this machine', '', visitor, visitor],
  ])('%s', (_, peer, forwarded, address) => {
    expect(forwardedAddress(peer, forwarded)).toBe(address);
  });
});

test('[D1.5] a proxy in another container is trusted once its network is named', () => {
  const isProxy = parseProxies(['172.18.0.0/16']);
  expect(forwardedAddress('::ffff:172.18.0.5', visitor, isProxy)).toBe(visitor);
  expect(forwardedAddress('172.18.0.5', `6.6.6.6, ${visitor}, 172.18.0.7`, isProxy)).toBe(visitor);
  expect(forwardedAddress('172.17.0.1', visitor, isProxy)).toBe('172.17.0.1');
});

const limitedAddressOf = (remoteAddress: string, forwarded = '', proxies?: readonly string[]) => {
  const state = proxies === undefined ? {} : { isProxy: parseProxies(proxies) };
  const req = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } };
  return clientAddress({ state, req } as unknown as Context);
};

test('[D2.18] limits count by IPv4 address, however the socket writes it', () => {
  expect([limitedAddressOf('203.0.113.9'), limitedAddressOf('::ffff:203.0.113.9')]).toEqual([
    '203.0.113.9',
    '203.0.113.9',
  ]);
});

test('[D2.18] limits count IPv6 addresses by /64, however they are written', () => {
  const household = '2001:db8:0:7::/64';
  for (const address of ['2001:db8:0:7::1', '2001:0db8:0000:0007:ffff:1:2:3', '2001:db8::7:a:b:c:d'])
    expect([address, limitedAddressOf(address)]).toEqual([address, household]);
  expect(limitedAddressOf('2001:db8:0:8::1')).not.toBe(household);
});

test('[D2.18] behind a trusted proxy, limits count by the forwarded address', () => {
  expect(limitedAddressOf('127.0.0.1', '203.0.113.9')).toBe('203.0.113.9');
  expect(limitedAddressOf('198.51.100.7', '203.0.113.9')).toBe('198.51.100.7');
  expect(limitedAddressOf('172.17.0.1', '203.0.113.9')).toBe('172.17.0.1');
  expect(limitedAddressOf('172.17.0.1', '203.0.113.9', ['172.17.0.1'])).toBe('203.0.113.9');
});

const asked = (id: string | undefined, remoteAddress: string, isProxy?: IsProxy) =>
  requestIdOf({ headers: id === undefined ? {} : { 'x-request-id': id }, socket: { remoteAddress } as never }, isProxy);

test('a well-formed request id is accepted from a trusted proxy', () => {
  expect(asked('abcdef-0123_XYZ', '127.0.0.1')).toBe('abcdef-0123_XYZ');
  expect(asked('abcdef-0123_XYZ', '::ffff:10.1.2.3', parseProxies(['10.1.2.3']))).toBe('abcdef-0123_XYZ');
});

test('other clients, and malformed ids, get a new one', () => {
  const made = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
  for (const stranger of ['203.0.113.7', '::ffff:10.1.2.3', '172.17.0.1', ''])
    expect(asked('abcdef-0123_XYZ', stranger)).toMatch(made);
  for (const wrong of [undefined, '', 'short', 'two words or more', 'x'.repeat(65), 'a\nb\nc\nd\ne', '<script>!'])
    expect(asked(wrong, '127.0.0.1')).toMatch(made);
  expect(asked(undefined, '127.0.0.1')).not.toBe(asked(undefined, '127.0.0.1'));
});
