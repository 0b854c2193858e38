import { expect, test } from 'vitest';
import { foldedText, isBlank, trimText } from './visible-text.ts';

test.each([
  ['nothing', ''],
  ['white space', ' \t\n\u00a0\u2003\u3000'],
  ['zero-width spaces', '\u200b\u2060\ufeff'],
  ['joiners alone', '\u200c\u200d'],
  ['directions', '\u200e\u200f\u061c\u202e\u2066\u2069'],
  ['soft hyphens', '\u00ad\u00ad'],
  ['Hangul fillers', '\u3164\u115f\u1160\uffa0'],
  ['variation selectors alone', '\ufe0f\u{e0100}'],
  ['tags', '\u{e0041}\u{e007f}'],
  ['controls', '\u0000\u001b\u0085'],
  ['an empty Braille cell', '\u2800'],
  ['a null notehead', '\u{1d159}'],
  ['a mixture', ' \u200b\u2800 \u00ad\u3164\n'],
])('a text of %s is empty', (_, text) => {
  expect(isBlank(text)).toBe(true);
  expect(trimText(text)).toBe('');
});

test.each([
  ['a family joined by zero-width joiners', '👩‍👩‍👧‍👦'],
  ['a heart with a variation selector', '❤️'],
  ['a keycap', '1️⃣'],
  ['the flag of Wales, which is made of tags', '🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}'],
  ['Persian with a zero-width non-joiner', 'می‌خواهم'],
  ['Sinhala with a joiner', 'ශ්‍රී'],
  ['Hindi', 'क्‍ष'],
  ['an accent alone', '\u0301'],
  ['a single dot', '.'],
  ['Braille', '⠓⠊'],
])('%s stays unchanged', (_, text) => {
  expect(isBlank(text)).toBe(false);
  expect(trimText(` ${text}\n`)).toBe(text);
});

test('a text keeps one empty line in a row, and shows ten of more than fifteen lines', () => {
  expect(foldedText(`x${'\n'.repeat(498)}y`)).toEqual({ shown: 'x\n\ny', rest: [] });
  expect(foldedText('x\r\n \u200b\r\n\t\n\u2028 y')).toEqual({ shown: 'x\n\n y', rest: [] });
  for (const kept of ['a\n\nb', 'a\n b', '  a  b\n', '']) expect(foldedText(kept)).toEqual({ shown: kept, rest: [] });
  const lines = Array.from({ length: 16 }, (_, n) => `Line ${n}`);
  expect(foldedText(lines.join('\n'))).toEqual({ shown: lines.slice(0, 10).join('\n'), rest: lines.slice(10) });
  expect(foldedText(lines.slice(1).join('\r')).rest).toEqual([]);
});
