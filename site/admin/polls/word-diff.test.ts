import { expect, test } from 'vitest';
import { wordDiff } from './word-diff.ts';

const shown = (before: string, after: string) =>
  wordDiff(before, after)
    .map(({ kind, text }) => ({ same: text, removed: `[-${text}-]`, added: `{+${text}+}` })[kind])
    .join('');

test('the difference of two texts marks the words that were removed and added', () => {
  expect(shown('Should the library open on Sundays?', 'Should the town library open on Mondays?')).toBe(
    'Should the {+town +}library open on [-Sundays-]{+Mondays+}?',
  );
  expect(shown('', 'New.')).toBe('{+New.+}');
  expect(shown('Old.', '')).toBe('[-Old.-]');
  expect(shown('Same.', 'Same.')).toBe('Same.');
});

test('the parts that were not added are the earlier text, the ones that were not removed the later one', () => {
  const texts = ['a b c a b b a', 'c b a b a c', 'naïve façade — “quoted” 12.5%', 'façade naïve “quoted” — 13%', ''];
  for (const before of texts)
    for (const after of texts) {
      const without = (kind: string) =>
        wordDiff(before, after)
          .filter((part) => part.kind !== kind)
          .map(({ text }) => text)
          .join('');
      expect([without('added'), without('removed')]).toEqual([before, after]);
    }
});

test('texts too long to compare word by word are still compared at their beginnings and ends', () => {
  const long = (word: string) => Array.from({ length: 3_000 }, (_, n) => `${word}${n}`).join(' ');
  const parts = wordDiff(`Start ${long('x')} end`, `Start ${long('y')} end`);
  expect(parts.map(({ kind }) => kind)).toEqual(['same', 'removed', 'added', 'same']);
});
