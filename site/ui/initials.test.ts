import { expect, test } from 'vitest';
import { initials } from './initials.ts';

test.each([
  ['Anna', 'Berg', 'AB'],
  ['anna', null, 'A'],
  [null, 'Berg', 'B'],
  ['  ', '', 'A'],
  [null, null, 'A'],
  ['Émile', 'Østby', 'ÉØ'],
  ['E\u0301mile', 'ßen', 'E\u0301SS'],
  ['👩‍🔬 Doctor', 'Wu', '👩‍🔬W'],
  ['محمد', 'علي', 'مع'],
])('%j %j is shown as %j', (firstName, lastName, letters) => {
  expect(initials({ firstName, lastName, name: 'anna_1' })).toBe(letters);
});

test('nobody in particular has no letters', () => {
  expect(initials({ firstName: null, lastName: null, name: '' })).toBe('');
});
