import { expect, test } from 'vitest';
import { requestIdOf } from './request-id.ts';

const asked = (id: string | undefined, remoteAddress: string) =>
  requestIdOf({
    headers: id === undefined ? {} : { 'x-request-id': id },
    socket: { remoteAddress } as never,
  });

test('a well-formed request id is taken from a proxy on this machine or in a private network', () => {
  expect(asked('abcdef-0123_XYZ', '127.0.0.1')).toBe('abcdef-0123_XYZ');
  expect(asked('abcdef-0123_XYZ', '::ffff:10.1.2.3')).toBe('abcdef-0123_XYZ');
});

test('strangers, and proxies that say something else, get a new one', () => {
  const made = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
  expect(asked('abcdef-0123_XYZ', '203.0.113.7')).toMatch(made);
  for (const wrong of [undefined, '', 'short', 'two words or more', 'x'.repeat(65), 'a\nb\nc\nd\ne', '<script>!'])
    expect(asked(wrong, '127.0.0.1')).toMatch(made);
  expect(asked(undefined, '127.0.0.1')).not.toBe(asked(undefined, '127.0.0.1'));
});
