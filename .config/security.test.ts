import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = dirname(import.meta.dirname);
const text = readFileSync(join(root, 'content/handbook/security.md'), 'utf8');
const rows = text.split('\n').filter((line) => /^\| \d/.test(line));
const numbersOf = (row: string) => (row.split('|')[1] ?? '').split(',').map((number) => number.trim());

test('every file that the security handbook names exists', () => {
  const files = [...text.matchAll(/`(\.?[a-z0-9@_-]+(?:\/[\w.@-]+)+\.\w+)`/gi)].map(([, path = '']) => path);
  expect(files.length).toBeGreaterThan(80);
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('no requirement is listed twice, and each has an answer', () => {
  const numbers = rows.flatMap(numbersOf);
  expect(numbers.filter((number, place) => numbers.indexOf(number) !== place)).toEqual([]);
  for (const row of rows)
    expect(
      row
        .split('|')
        .slice(1, 4)
        .every((cell) => cell.trim() !== ''),
    ).toBe(true);
  expect(rows.length).toBeGreaterThan(90);
});
