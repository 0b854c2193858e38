import { expect, test } from 'vitest';
import { nextPath, signInAddress } from './next-path.ts';

test.each([
  '/community-polls',
  '/community-polls/aB3_-x?tab=1#comments',
  '/poll/who%20knows',
  '/%2F%2Fevil.example',
  '/%5Cevil.example',
  '/search?q=https://evil.example',
  '/authors',
])('[D5.11] %j is a path of this site and is followed', (asked) => {
  expect(nextPath(asked)).toBe(asked);
});

test.each([
  null,
  undefined,
  '',
  'poll/1',
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/x\\..\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\u0000/evil.example',
  ' //evil.example',
  '/ /evil.example',
  '%2F%2Fevil.example',
  '/..//evil.example',
  '/x/..//evil.example',
  '/.//evil.example',
  '/%2e%2e//evil.example',
  '//user@evil.example',
  '//[',
  'javascript:alert(1)',
  '/\u007fx',
  'data:text/html,x',
  `/${'x'.repeat(2_000)}`,
])('[D5.11] %j leads to the home page', (asked) => {
  expect(nextPath(asked)).toBe('/');
});

test.each(['/auth', '/auth?next=/auth', '/auth/login', '/x/../auth', '/api/logout', '/api'])(
  '%j is not a useful page after signing in',
  (asked) => {
    expect(nextPath(asked)).toBe('/');
  },
);

test('a followed path stays on this site, however often it is parsed', () => {
  for (const asked of ['/a/../b', '/./b', '/a//b', '/b?x=//evil', '/ü'])
    expect(nextPath(nextPath(asked))).toBe(nextPath(asked));
});

test('the sign-in address contains the return path', () => {
  expect(signInAddress('/community-polls?x=1&y=2')).toBe('/auth?next=%2Fcommunity-polls%3Fx%3D1%26y%3D2');
  expect(signInAddress('/')).toBe('/auth');
  expect(signInAddress('//evil.example')).toBe('/auth');
});
