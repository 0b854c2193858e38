import { expect, test } from 'vitest';
import { proxiesOf } from './nearby.ts';
import type { IsProxy } from './nearby.ts';
import { requestIdOf } from './request-id.ts';

const asked = (id: string | undefined, remoteAddress: string, isProxy?: IsProxy) =>
  requestIdOf({ headers: id === undefined ? {} : { 'x-request-id': id }, socket: { remoteAddress } as never }, isProxy);

test('a well-formed request id is taken from a proxy on this machine, or from one that is named', () => {
  expect(asked('abcdef-0123_XYZ', '127.0.0.1')).toBe('abcdef-0123_XYZ');
  expect(asked('abcdef-0123_XYZ', '::ffff:10.1.2.3', proxiesOf(['10.1.2.3']))).toBe('abcdef-0123_XYZ');
});

test('strangers, and proxies that say something else, get a new one', () => {
  const made = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
  for (const stranger of ['203.0.113.7', '::ffff:10.1.2.3', '172.17.0.1', ''])
    expect(asked('abcdef-0123_XYZ', stranger)).toMatch(made);
  for (const wrong of [undefined, '', 'short', 'two words or more', 'x'.repeat(65), 'a\nb\nc\nd\ne', '<script>!'])
    expect(asked(wrong, '127.0.0.1')).toMatch(made);
  expect(asked(undefined, '127.0.0.1')).not.toBe(asked(undefined, '127.0.0.1'));
});
