import { expect, test } from 'vitest';
import { wordDiff } from './text-diff.ts';

const shown = (before: string, after: string) =>
  wordDiff(before, after)
    .map(({ kind, items }) => ({ kind, text: items.join('') }))
    .map(({ kind, text }) => ({ same: text, removed: `[-${text}-]`, added: `{+${text}+}` })[kind])
    .join('');

test('the difference of two texts marks whole words, in any script', () => {
  expect(shown('Should the library open on Sundays?', 'Should the town library open on Mondays?')).toBe(
    'Should the {+town +}library open on [-Sundays-]{+Mondays+}?',
  );
  expect(shown('naïve “да” 12.5%', 'naïf “нет” 13%')).toBe('[-naïve-]{+naïf+} “[-да-]{+нет+}” [-12.5-]{+13+}%');
});

test('texts with too many differences are removed and added as a whole', () => {
  const text = (word: string) => Array.from({ length: 3_000 }, (_, n) => `${word}${n}`).join(' ');
  expect(wordDiff(text('x'), text('y')).map(({ kind }) => kind)).toEqual(['removed', 'added']);
});
