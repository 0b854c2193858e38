import { expect, test } from 'vitest';
import { coverageOf } from './poll-calendar.ts';

const window = { from: 0, to: 100 };

test('a month without polls is one gap', () => {
  expect(coverageOf([], window)).toEqual({ gaps: [window], overlaps: [] });
  expect(coverageOf([{ from: 200, to: 300 }], window).gaps).toEqual([window]);
});

test('polls that follow each other without a pause leave no gap', () => {
  const polls = [
    { from: -50, to: 40 },
    { from: 40, to: 70 },
    { from: 60, to: 150 },
  ];
  expect(coverageOf(polls, window)).toEqual({ gaps: [], overlaps: [] });
});

test('gaps before, between, and after polls are found', () => {
  const polls = [
    { from: 60, to: 80 },
    { from: 10, to: 30 },
    { from: 20, to: 25 },
  ];
  expect(coverageOf(polls, window).gaps).toEqual([
    { from: 0, to: 10 },
    { from: 30, to: 60 },
    { from: 80, to: 100 },
  ]);
});

test('a period with too many open polls is one overlap with the largest number', () => {
  const polls = [
    { from: 0, to: 50 },
    { from: 10, to: 60 },
    { from: 20, to: 70 },
    { from: 30, to: 40 },
  ];
  expect(coverageOf(polls, window, 2).overlaps).toEqual([{ from: 20, to: 50, polls: 4 }]);
  expect(coverageOf(polls, window, 4).overlaps).toEqual([]);
});
