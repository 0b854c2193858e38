import { expect, test } from 'vitest';
import { addressBehind, isNearby } from './nearby.ts';

const visitor = '198.51.100.9';

test.each([
  ['a visitor who connects directly is who connects, whatever is written', '203.0.113.7', visitor, '203.0.113.7'],
  ['a proxy on this machine is believed', '127.0.0.1', visitor, visitor],
  ['a proxy in another container is believed', '::ffff:172.18.0.5', visitor, visitor],
  ['what a visitor made up is not reached', '127.0.0.1', `6.6.6.6, ${visitor}`, visitor],
  ['proxies one behind the other are seen through', '127.0.0.1', `6.6.6.6, ${visitor}, 10.0.0.2, ::1`, visitor],
  ['a word that is no address is nobody', '127.0.0.1', 'unknown', '127.0.0.1'],
  ['a call without a word comes from this machine', '127.0.0.1', undefined, '127.0.0.1'],
  ['a visitor in the private network itself is told apart', '10.1.2.3', '10.1.2.9', '10.1.2.9'],
  ['a socket without an address is this machine', '', visitor, visitor],
])('%s', (_, peer, forwarded, address) => {
  expect(addressBehind(peer, forwarded)).toBe(address);
});

test('private networks of both kinds of address are nearby, public addresses are not', () => {
  const near = ['192.168.1.1', '100.64.0.1', '::1', 'fd00::1', 'fe80::1'];
  expect(near.filter((address) => !isNearby(address))).toEqual([]);
  expect(['8.8.8.8', '172.32.0.1', '2001:db8::1', 'x', ''].filter(isNearby)).toEqual([]);
});
