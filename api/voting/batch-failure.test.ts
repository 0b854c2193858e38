import { expect, test } from 'vitest';
import { causeOf } from './batch-failure.ts';

test('a database without room for more locks is asked again with half of the votes, over the same connection', () => {
  expect(causeOf(Object.assign(new Error('out of shared memory'), { code: '53200' }))).toBe('content');
});
