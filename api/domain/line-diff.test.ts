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
