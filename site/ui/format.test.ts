import { expect, test } from 'vitest';
import { formatDayRange } from './format.ts';

test.each([
  ['2014-06-03T00:00:00.000Z', '2014-06-03T10:00:00.000Z', 'Jun 3, 2014'],
  ['2014-06-03T00:00:00.000Z', '2014-06-05T00:00:00.000Z', 'Jun 3–5, 2014'],
  ['2014-05-30T00:00:00.000Z', '2014-06-02T00:00:00.000Z', 'May 30 – Jun 2, 2014'],
  ['2013-12-30', '2014-01-02', 'Dec 30, 2013 – Jan 2, 2014'],
])('the days from %s to %s are named once each', (from, to, words) => {
  expect(formatDayRange(from, to)).toBe(words);
});
