import type { Context } from 'koa';
import { expect, test } from 'vitest';
import { clientAddress } from './middleware.ts';
import { proxiesOf } from './nearby.ts';

const addressOf = (remoteAddress: string, forwarded = '', proxies?: readonly string[]) => {
  const state = proxies === undefined ? {} : { isProxy: proxiesOf(proxies) };
  return clientAddress({ state, req: { socket: { remoteAddress } }, get: () => forwarded } as unknown as Context);
};

test('limits count an IPv4 address as it is, however the socket writes it', () => {
  expect([addressOf('203.0.113.9'), addressOf('::ffff:203.0.113.9')]).toEqual(['203.0.113.9', '203.0.113.9']);
});

test('limits count an IPv6 address by its /64, however it is written', () => {
  const household = '2001:db8:0:7::/64';
  for (const address of ['2001:db8:0:7::1', '2001:0db8:0000:0007:ffff:1:2:3', '2001:db8::7:a:b:c:d'])
    expect([address, addressOf(address)]).toEqual([address, household]);
  expect(addressOf('2001:db8:0:8::1')).not.toBe(household);
});

test('behind a proxy of ours the address that it names is counted', () => {
  expect(addressOf('127.0.0.1', '203.0.113.9')).toBe('203.0.113.9');
  expect(addressOf('198.51.100.7', '203.0.113.9')).toBe('198.51.100.7');
  expect(addressOf('172.17.0.1', '203.0.113.9')).toBe('172.17.0.1');
  expect(addressOf('172.17.0.1', '203.0.113.9', ['172.17.0.1'])).toBe('203.0.113.9');
});
