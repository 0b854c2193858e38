import { expect, test } from 'vitest';
import { coverageOf } from './poll-calendar.ts';

const minute = 60_000;
const period = (from: number, to: number) => ({ from: from * minute, to: to * minute });
const window = period(0, 100);

test('a month without polls is one gap', () => {
  expect(coverageOf([], window)).toEqual({ gaps: [window], overlaps: [] });
  expect(coverageOf([period(200, 300)], window).gaps).toEqual([window]);
});

test('polls that follow each other without a pause leave no gap', () => {
  const polls = [period(-50, 40), period(40, 70), period(60, 150)];
  expect(coverageOf(polls, window)).toEqual({ gaps: [], overlaps: [] });
});

test('the minute between the end of a day and the next day is no gap', () => {
  expect(coverageOf([period(-50, 39), period(40, 150)], window).gaps).toEqual([]);
  expect(coverageOf([period(-50, 38), period(40, 150)], window).gaps).toEqual([period(38, 40)]);
});

test('gaps before, between, and after polls are found', () => {
  const polls = [period(60, 80), period(10, 30), period(20, 25)];
  expect(coverageOf(polls, window).gaps).toEqual([period(0, 10), period(30, 60), period(80, 100)]);
});

test('a period with too many open polls is one overlap with the largest number', () => {
  const polls = [period(0, 50), period(10, 60), period(20, 70), period(30, 40)];
  expect(coverageOf(polls, window, 2).overlaps).toEqual([{ ...period(20, 50), polls: 4 }]);
  expect(coverageOf(polls, window, 4).overlaps).toEqual([]);
});
