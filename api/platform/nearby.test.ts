import { describe, expect, test } from 'vitest';
import { addressBehind, proxiesOf } from './nearby.ts';

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
    expect(addressBehind(peer, forwarded)).toBe(address);
  });
});

test('a proxy in another container is believed once its network is named', () => {
  const isProxy = proxiesOf(['172.18.0.0/16']);
  expect(addressBehind('::ffff:172.18.0.5', visitor, isProxy)).toBe(visitor);
  expect(addressBehind('172.18.0.5', `6.6.6.6, ${visitor}, 172.18.0.7`, isProxy)).toBe(visitor);
  expect(addressBehind('172.17.0.1', visitor, isProxy)).toBe('172.17.0.1');
});
