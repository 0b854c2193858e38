import { expect, test } from 'vitest';
import { jsonProblem } from './json-problem.ts';

test.each([
  ['[{"id":"a" "text":"Tea"}]', 1, 12, 'comma'],
  ["[{'id':'a'}]", 1, 3, 'key'],
  ['[{"id" "a"}]', 1, 8, 'colon'],
  ['[{"id":a}]', 1, 8, 'value'],
  ['["a",\n "b",\n]', 3, 1, 'value'],
  ['[{"id":"a",}]', 1, 12, 'key'],
  ['["a"] x', 1, 7, 'end'],
  ['["a', 1, 4, 'quote'],
  ['["a\\x"]', 1, 4, 'escape'],
  ['["a\nb"]', 1, 4, 'escape'],
  ['[01]', 1, 2, 'value'],
  ['[“a”]', 1, 2, 'value'],
  ['["a"', 1, 5, 'comma'],
  ['', 1, 1, 'value'],
])('the problem in %s is found at line %d, character %d', (text, line, column, expected) => {
  expect(jsonProblem(text)).toEqual({ line, column, expected });
});

test('it agrees with the runtime’s parser about what is JSON', () => {
  const pieces = ['[', ']', '{', '}', ',', ':', '"a"', '1', '-2.5e3', 'true', 'nul', ' ', '\n', '"', '\\'];
  let state = 7;
  const next = () => (state = (state * 48_271) % 2_147_483_647);
  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  for (let round = 0; round < 5_000; round += 1) {
    const text = Array.from({ length: 1 + (next() % 7) }, () => pieces[next() % pieces.length]).join('');
    expect(jsonProblem(text) === null, text).toBe(isJson(text));
  }
});

test('a text nested very deeply is read', () => {
  expect(jsonProblem('['.repeat(200_000))).toEqual({ line: 1, column: 200_001, expected: 'value' });
});
