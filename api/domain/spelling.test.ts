import { expect, test } from 'vitest';
import { nearestWord, spelledWords, spellingsOf } from './spelling.ts';

test('a word is corrected when a letter is missing, added, wrong, or swapped with the next', () => {
  const words = ['climate', 'coffee', 'banana'];
  for (const typed of ['climte', 'climmate', 'climatr', 'cliamte', 'xlimate', 'limate'])
    expect([typed, nearestWord(typed, words)]).toEqual([typed, 'climate']);
  expect(nearestWord('cofee', words)).toBe('coffee');
});

test('each such word shares a spelling with the misspelled one, so that an index finds it', () => {
  for (const typed of ['climte', 'climmate', 'climatr', 'cliamte', 'xlimate', 'limate'])
    expect(
      spellingsOf(typed).some((spelling) => spellingsOf('climate').includes(spelling)),
      typed,
    ).toBe(true);
});

test('long words may differ in two places, short ones in one, and very short ones are not corrected', () => {
  expect(nearestWord('goverment', ['government'])).toBe('government');
  expect(nearestWord('govermant', ['government'])).toBe('government');
  expect(nearestWord('cffe', ['coffee'])).toBeNull();
  expect(nearestWord('tee', ['tea', 'tree'])).toBeNull();
  expect(nearestWord('2026', ['2025'])).toBeNull();
});

test('the nearest word wins, one with the same first letter before others', () => {
  expect(nearestWord('caste', ['taste', 'castle', 'case'])).toBe('case');
  expect(nearestWord('paper', ['taper'])).toBe('taper');
  expect(nearestWord('ligth', ['night', 'light'])).toBe('light');
});

test('words of a text are learned without diacritics, each once, if they have 4 to 24 Latin letters', () => {
  expect(spelledWords(`Café, CAFÉ tea 2026 covid19 ${'x'.repeat(25)} чай`)).toEqual(['cafe']);
});
