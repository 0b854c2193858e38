import { expect, test } from 'vitest';
import { diffParts, lineDiff } from './line-diff.ts';

const diff = (before: string, after: string) =>
  lineDiff(before, after).map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`);

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

test('both texts can be read from a diff', () => {
  const [before, after] = ['a\nb\nb\nc\n\nd', 'b\nx\nb\nd\n\nd\ne'];
  const lines = lineDiff(before, after);
  const textOf = (other: string) =>
    lines
      .filter(({ kind }) => kind !== other)
      .map(({ text }) => text)
      .join('\n');
  expect([textOf('added'), textOf('removed')]).toEqual([before, after]);
});

test('neighboring lines of one kind are one part', () => {
  expect(diffParts(lineDiff('a\nb\nc', 'a\nb\nd\ne'))).toEqual([
    { kind: 'same', lines: ['a', 'b'] },
    { kind: 'removed', lines: ['c'] },
    { kind: 'added', lines: ['d', 'e'] },
  ]);
});

test('of very long texts, everything between what is the same at both ends is removed and added', () => {
  const lines = (end: string) => Array.from({ length: 3_000 }, (_, line) => `${line}${line % 2 === 0 ? '' : end}`);
  const text = (end: string) => ['first', ...lines(end).slice(1), 'last'].join('\n');
  const kinds = diffParts(lineDiff(text('a'), text('b'))).map(({ kind }) => kind);
  expect(kinds).toEqual(['same', 'removed', 'added', 'same']);
});
