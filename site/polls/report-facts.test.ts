import { expect, test } from 'vitest';
import { closedWords, daysWords } from './report-metadata.ts';

test('a report says on which day its poll was closed, or that it was recently', () => {
  expect(closedWords(Date.parse('2026-11-21T08:00:00.000Z'))).toBe('Nov 21, 2026');
  expect(closedWords(null)).toBe('Recently');
});

test('a report says for how many days its poll was open, or that this is not known', () => {
  expect(daysWords(1_204)).toBe('1,204');
  expect(daysWords(null)).toBe('N/A');
});
