import { expect, test } from 'vitest';
import { limitInput } from './CommentForm.tsx';

const full = 'a'.repeat(500);

test('a text within the limit is unchanged', () => {
  expect(limitInput({ text: 'Hello', caret: 5 }, '')).toEqual({ text: 'Hello', caret: 5 });
});

test('[S5.11] text inserted into a full box is cut where it was inserted', () => {
  expect(limitInput({ text: `aaXXX${full.slice(2)}`, caret: 5 }, full)).toEqual({ text: full, caret: 2 });
  const almost = full.slice(0, -2);
  expect(limitInput({ text: `aXXX${almost.slice(1)}`, caret: 4 }, almost)).toEqual({
    text: `aXX${almost.slice(1)}`,
    caret: 3,
  });
});

test('an emoji counts as one character and is never split', () => {
  const emoji = '😀'.repeat(500);
  expect(limitInput({ text: emoji, caret: emoji.length }, '').text).toBe(emoji);
  expect(limitInput({ text: `${emoji}😀`, caret: emoji.length + 2 }, emoji).text).toBe(emoji);
});

test('a text that is already too long can be shortened but not lengthened', () => {
  const long = `${full}bb`;
  expect(limitInput({ text: long.slice(0, -1), caret: 501 }, long).text).toBe(long.slice(0, -1));
  expect(limitInput({ text: `${long}c`, caret: 503 }, long).text).toBe(long);
});
