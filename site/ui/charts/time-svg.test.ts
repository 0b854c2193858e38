import { expect, test } from 'vitest';
import { chartSlices } from '#domain/poll-results.ts';
import { pageColors } from './palette.ts';
import { drawTime, timeSeries } from './time-svg.ts';

const day = 86_400_000;
const start = Date.parse('2026-11-02T00:00:00.000Z');
const at = (days: number) => new Date(start + days * day).toISOString();
const optionsOf = (...votes: number[]) =>
  votes.map((count, index) => ({ id: `o${index}`, text: `Answer ${index + 1}`, votes: count }));

test('shares are of all votes so far, and days without votes keep them', () => {
  const options = optionsOf(4, 6);
  const slices = chartSlices(options, 10, 'Others');
  const periods = [
    { startsAt: at(0), votes: { o0: 3, o1: 1 } },
    { startsAt: at(2), votes: { o0: 1, o1: 5 } },
  ];
  // In the order of the slices: most votes first.
  expect(timeSeries(periods, day, options, slices).points).toEqual([
    { startsAt: start, votes: 4, shares: [25, 75] },
    { startsAt: start + day, votes: 0, shares: [25, 75] },
    { startsAt: start + 2 * day, votes: 6, shares: [60, 40] },
  ]);
});

test('options without a slice of their own are in the line of the others', () => {
  const options = optionsOf(9, 8, 7, 6, 5, 4, 3, 2);
  const slices = chartSlices(options, 44, 'Others');
  const votes = Object.fromEntries(options.map(({ id, votes: count }) => [id, count]));
  const [point] = timeSeries([{ startsAt: at(0), votes }], day, options, slices).points;
  expect(point!.shares.map((share) => Math.round((share * 44) / 100))).toEqual([9, 8, 7, 6, 5, 4, 5]);
});

test('a long time has at most sixty points, and no vote is lost', () => {
  const options = optionsOf(365, 0);
  const periods = Array.from({ length: 365 }, (_, index) => ({ startsAt: at(index), votes: { o0: 1 } }));
  const { points, step } = timeSeries(periods, day, options, chartSlices(options, 365, 'Others'));
  expect([points.length <= 60, step]).toEqual([true, 7 * day]);
  expect(points.reduce((sum, { votes }) => sum + votes, 0)).toBe(365);
});

test('the drawing has a line and a label per slice, a bar per day with votes, and the first and the last day', () => {
  const options = optionsOf(50, 51, 49);
  const slices = chartSlices(options, 150, 'Others');
  const periods = [0, 1, 3].map((days) => ({ startsAt: at(days), votes: { o0: 10, o1: 20, o2: days } }));
  const { elements } = drawTime(timeSeries(periods, day, options, slices), slices, pageColors);
  expect(elements.match(/stroke="var\(--result-\d+\)"/g)).toHaveLength(3);
  expect(elements.match(/v-[\d.]+h/g)).toHaveLength(3);
  expect(elements).toContain('>Nov 2, 2026<');
  expect(elements).toContain('>Nov 5, 2026<');
  expect(elements).not.toContain('NaN');
});
