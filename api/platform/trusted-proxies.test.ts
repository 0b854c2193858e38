import type { Context } from 'koa';
import { describe, expect, test } from 'vitest';
import { clientAddress } from './middleware.ts';
import { forwardedAddress, parseProxies, requestIdOf } from './trusted-proxies.ts';
import type { IsProxy } from './trusted-proxies.ts';

const visitor = '198.51.100.9';

describe('without a setting', () => {
  test.each([
    ['a visitor who connects directly is who connects, whatever is written', '203.0.113.7', visitor, '203.0.113.7'],
    ['a proxy on this machine is believed', '127.0.0.1', visitor, visitor],
    ['a proxy on this machine is believed over IPv6', '::1', visitor, visitor],
    ['the gateway that a published container port shows is not believed', '::ffff:172.17.0.1', visitor, '172.17.0.1'],
    ['nobody else in a private network is believed', '10.1.2.3', visitor, '10.1.2.3'],
    ['nor in a private network of IPv6', 'fd00::7', visitor, 'fd00::7'],
    ['what a visitor made up is not reached', '127.0.0.1', `6.6.6.6, ${visitor}`, visitor],
    [
      'proxies on this machine, one behind the other, are seen through',
      '127.0.0.1',
      `6.6.6.6, ${visitor}, ::1`,
      visitor,
    ],
    ['a word that is no address is nobody', '127.0.0.1', 'unknown', '127.0.0.1'],
    ['a call without a word comes from this machine', '127.0.0.1', undefined, '127.0.0.1'],
    ['a visitor in a private network behind the proxy is told apart', '127.0.0.1', '10.1.2.9', '10.1.2.9'],
    ['a socket without an address is this machine', '', visitor, visitor],
  ])('%s', (_, peer, forwarded, address) => {
    expect(forwardedAddress(peer, forwarded)).toBe(address);
  });
});

test('a proxy in another container is believed once its network is named', () => {
  const isProxy = parseProxies(['172.18.0.0/16']);
  expect(forwardedAddress('::ffff:172.18.0.5', visitor, isProxy)).toBe(visitor);
  expect(forwardedAddress('172.18.0.5', `6.6.6.6, ${visitor}, 172.18.0.7`, isProxy)).toBe(visitor);
  expect(forwardedAddress('172.17.0.1', visitor, isProxy)).toBe('172.17.0.1');
});

const limitedAddressOf = (remoteAddress: string, forwarded = '', proxies?: readonly string[]) => {
  const state = proxies === undefined ? {} : { isProxy: parseProxies(proxies) };
  return clientAddress({ state, req: { socket: { remoteAddress } }, get: () => forwarded } as unknown as Context);
};

test('limits count an IPv4 address as it is, however the socket writes it', () => {
  expect([limitedAddressOf('203.0.113.9'), limitedAddressOf('::ffff:203.0.113.9')]).toEqual([
    '203.0.113.9',
    '203.0.113.9',
  ]);
});

test('limits count an IPv6 address by its /64, however it is written', () => {
  const household = '2001:db8:0:7::/64';
  for (const address of ['2001:db8:0:7::1', '2001:0db8:0000:0007:ffff:1:2:3', '2001:db8::7:a:b:c:d'])
    expect([address, limitedAddressOf(address)]).toEqual([address, household]);
  expect(limitedAddressOf('2001:db8:0:8::1')).not.toBe(household);
});

test('behind a proxy of ours the address that it names is counted', () => {
  expect(limitedAddressOf('127.0.0.1', '203.0.113.9')).toBe('203.0.113.9');
  expect(limitedAddressOf('198.51.100.7', '203.0.113.9')).toBe('198.51.100.7');
  expect(limitedAddressOf('172.17.0.1', '203.0.113.9')).toBe('172.17.0.1');
  expect(limitedAddressOf('172.17.0.1', '203.0.113.9', ['172.17.0.1'])).toBe('203.0.113.9');
});

const asked = (id: string | undefined, remoteAddress: string, isProxy?: IsProxy) =>
  requestIdOf({ headers: id === undefined ? {} : { 'x-request-id': id }, socket: { remoteAddress } as never }, isProxy);

test('a well-formed request id is taken from a proxy on this machine, or from one that is named', () => {
  expect(asked('abcdef-0123_XYZ', '127.0.0.1')).toBe('abcdef-0123_XYZ');
  expect(asked('abcdef-0123_XYZ', '::ffff:10.1.2.3', parseProxies(['10.1.2.3']))).toBe('abcdef-0123_XYZ');
});

test('strangers, and proxies that say something else, get a new one', () => {
  const made = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
  for (const stranger of ['203.0.113.7', '::ffff:10.1.2.3', '172.17.0.1', ''])
    expect(asked('abcdef-0123_XYZ', stranger)).toMatch(made);
  for (const wrong of [undefined, '', 'short', 'two words or more', 'x'.repeat(65), 'a\nb\nc\nd\ne', '<script>!'])
    expect(asked(wrong, '127.0.0.1')).toMatch(made);
  expect(asked(undefined, '127.0.0.1')).not.toBe(asked(undefined, '127.0.0.1'));
});
