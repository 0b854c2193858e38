import { expect, test } from 'vitest';
import { pastedOptions, withTexts } from './pasted-options.ts';

test.each([
  ['bullets', '- Tea\n* Coffee\n• Water\n–\tMilk', ['Tea', 'Coffee', 'Water', 'Milk']],
  ['bullets of Word', '·\tTea\no\tCoffee', ['Tea', 'Coffee']],
  ['boxes to check', '- [ ] Tea\n- [x] Coffee\n☐ Milk', ['Tea', 'Coffee', 'Milk']],
  ['numbers', '1. Tea\n2. Coffee', ['Tea', 'Coffee']],
  ['numbers in brackets, from nine on', '(9) Tea\r\n(10) Coffee', ['Tea', 'Coffee']],
  ['letters', 'a) Tea\nb) Coffee', ['Tea', 'Coffee']],
  ['blank lines and spaces', '\n  Tea  \n\n\u2028Coffee\n', ['Tea', 'Coffee']],
  ['a line without a number', '1. Tea\n2. Coffee\nNeither', ['Tea', 'Coffee', 'Neither']],
])('a list becomes options, one per line, without %s', (_, text, options) => {
  expect(pastedOptions(text)).toEqual(options);
});

test.each([
  ['names that begin with a number', ['1. FC Köln', 'Bayern', '1. FC Nürnberg']],
  ['dates', ['1. Mai', '2. Mai', '3. Mai']],
  ['amounts', ['-5 degrees', '0 degrees', '1.5 liters']],
  ['initials', ['A. Smith', 'B. Jones']],
])('%s keep what they begin with', (_, lines) => {
  expect(pastedOptions(lines.join('\n'))).toEqual(lines);
});

test.each(['', 'Tea', '\n- Tea\n', '1. Tea'])('%j is no list', (text) => expect(pastedOptions(text)).toBeNull());

const newKey = (options: readonly { readonly key: number }[]) => Math.max(...options.map(({ key }) => key)) + 1;
const edited = (...texts: string[]) => texts.map((text, key) => ({ key, text }));

test('a list fills blank options from its place on, keeps the others, and is cut where options are full', () => {
  const into = (options: string[], at: number, texts: string[], max = 4) =>
    withTexts(edited(...options), at, texts, { max, newKey });
  expect(into(['', ''], 0, ['A', 'B', 'C'])).toEqual({ options: edited('A', 'B', 'C'), leftOut: 0 });
  expect(into(['X', 'Y', ''], 0, ['A', 'B'])).toEqual({
    options: [
      { key: 0, text: 'X' },
      { key: 2, text: 'A' },
      { key: 3, text: 'B' },
      { key: 1, text: 'Y' },
    ],
    leftOut: 0,
  });
  expect(into(['', 'Y'], 0, ['A', 'B', 'C', 'D', 'E']).options.map(({ text }) => text)).toEqual(['A', 'B', 'C', 'Y']);
  expect(into(['', 'Y'], 0, ['A', 'B', 'C', 'D', 'E']).leftOut).toBe(2);
  expect(into(['W', 'X', 'Y', 'Z'], 1, ['A', 'B'])).toEqual({ options: edited('W', 'X', 'Y', 'Z'), leftOut: 2 });
});
