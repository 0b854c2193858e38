import { expect, test } from 'vitest';
import { isRecountable, isSourceLink, isVotedHere, originOf, tidyProvenance } from './origin.ts';

test.each([
  [{ baseVotes: 0, receivedVotes: 0, isDemo: false }, 'here'],
  [{ baseVotes: 0, receivedVotes: 12, isDemo: false }, 'here'],
  [{ baseVotes: 50, receivedVotes: 50, isDemo: false }, 'imported'],
  [{ baseVotes: 50, receivedVotes: 51, isDemo: false }, 'both'],
  [{ baseVotes: 50, receivedVotes: 51, isDemo: true }, 'demo'],
])('the origin of answers follows from their counts: %j is %s', (counted, origin) => {
  expect(originOf(counted)).toBe(origin);
});

test('imported answers are under no rule of this site, and only votes cast here can be counted again', () => {
  expect([undefined, 'imported', 'both', 'demo'].map((origin) => isVotedHere({ origin } as object))).toEqual([
    ...[true, false, true, true],
  ]);
  expect([undefined, 'imported', 'both', 'demo'].map((origin) => isRecountable({ origin } as object))).toEqual([
    ...[true, false, true, false],
  ]);
});

test('what is stated of imported answers is kept in one order, without what is blank', () => {
  expect(
    JSON.stringify(tidyProvenance({ link: ' https://a.example ', sample: null, mode: '\u200b', source: 'A' })),
  ).toBe('{"source":"A","link":"https://a.example"}');
});

test('only an address of the web can be linked as a source', () => {
  expect(
    ['https://a.example/b?c', 'http://a', 'javascript:alert(1)', 'a.example', 'https://', 'https:///x y'].map(
      isSourceLink,
    ),
  ).toEqual([true, true, false, false, false, false]);
});
