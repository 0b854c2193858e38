import { expect, test } from 'vitest';
import { csvLine, withFormulaGuard, withoutFormulaGuard } from './csv.ts';

test.each(['=1+1', '+1', '-5 degrees?', '@name', '\tx', "'=1", "''-x"])(
  'a spreadsheet reads %j as a text, and an import gets it back unchanged',
  (text) => {
    expect(withFormulaGuard(text)).toBe(`'${text}`);
    expect(withoutFormulaGuard(withFormulaGuard(text))).toBe(text);
  },
);

test.each(['Tea?', "'Tea'", "'", '', 'a=b'])('%j needs no guard, and is not changed', (text) => {
  expect(withFormulaGuard(text)).toBe(text);
  expect(withoutFormulaGuard(text)).toBe(text);
});

test('fields with delimiters, quotes, or line breaks are quoted', () => {
  expect(csvLine(['a', 'b,c', 'd"e', 'f\ng'])).toBe('a,"b,c","d""e","f\ng"\r\n');
  expect(csvLine(['a', 'b;c'], ';')).toBe('a;"b;c"\r\n');
});
