import { expect, test } from 'vitest';
import { lineDiff, wordDiff } from './text-diff.ts';

const linesOf = (before: string, after: string) =>
  lineDiff(before, after).flatMap(({ kind, items }) => items.map((text) => ({ kind, text })));

const diff = (before: string, after: string) =>
  linesOf(before, after).map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`);

test('a changed line is shown as removed and added between the lines that stay', () => {
  expect(diff('one\ntwo\nthree', 'one\n2\nthree')).toEqual([' one', '-two', '+2', ' three']);
});

test('added and removed lines are found at the beginning and at the end', () => {
  expect(diff('a\nb', 'new\na\nb\nlast')).toEqual(['+new', ' a', ' b', '+last']);
  expect(diff('new\na\nb\nlast', 'a\nb')).toEqual(['-new', ' a', ' b', '-last']);
});

test('a moved line is removed in one place and added in the other', () => {
  expect(diff('a\nb\nc', 'b\nc\na')).toEqual(['-a', ' b', ' c', '+a']);
});

test('both texts can be read from a diff of lines', () => {
  const [before, after] = ['a\nb\nb\nc\n\nd', 'b\nx\nb\nd\n\nd\ne'];
  const lines = linesOf(before, after);
  const textOf = (other: string) =>
    lines
      .filter(({ kind }) => kind !== other)
      .map(({ text }) => text)
      .join('\n');
  expect([textOf('added'), textOf('removed')]).toEqual([before, after]);
});

test('neighboring lines of one kind are one part', () => {
  expect(lineDiff('a\nb\nc', 'a\nb\nd\ne')).toEqual([
    { kind: 'same', items: ['a', 'b'] },
    { kind: 'removed', items: ['c'] },
    { kind: 'added', items: ['d', 'e'] },
  ]);
});

test('of very long texts, everything between what is the same at both ends is removed and added', () => {
  const lines = (end: string) => Array.from({ length: 3_000 }, (_, line) => `${line}${line % 2 === 0 ? '' : end}`);
  const text = (end: string) => ['first', ...lines(end).slice(1), 'last'].join('\n');
  const kinds = lineDiff(text('a'), text('b')).map(({ kind }) => kind);
  expect(kinds).toEqual(['same', 'removed', 'added', 'same']);
});

const shown = (before: string, after: string) =>
  wordDiff(before, after)
    .map(({ kind, items }) => ({ kind, text: items.join('') }))
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
          .flatMap(({ items }) => items)
          .join('');
      expect([without('added'), without('removed')]).toEqual([before, after]);
    }
});

test('texts too long to compare word by word are still compared at their beginnings and ends', () => {
  const long = (word: string) => Array.from({ length: 3_000 }, (_, n) => `${word}${n}`).join(' ');
  const parts = wordDiff(`Start ${long('x')} end`, `Start ${long('y')} end`);
  expect(parts.map(({ kind }) => kind)).toEqual(['same', 'removed', 'added', 'same']);
});
