import { expect, test } from 'vitest';
import type { Wave } from '#api/polls/topics/series.contract.ts';
import { drawnLines, hasSeveralOrigins, largestMovement, longGaps, seriesLines } from './series.ts';

const wave = (id: string, votes: Readonly<Record<string, number>>): Wave => ({
  id,
  question: 'Tea?',
  closedAt: '2026-11-01T00:00:00.000Z',
  totalVotes: Object.values(votes).reduce((sum, count) => sum + count, 0),
  options: Object.entries(votes).map(([text, count], place) => ({ id: `o${place}`, text, votes: count })),
});

test('answers with the same words are one line, even with different ids, positions, or capitalization', () => {
  const waves = [wave('a', { Tea: 30, Coffee: 70 }), wave('b', { coffee: 1, ' tea ': 2 })];
  expect(seriesLines(waves)).toEqual([
    { text: ' tea ', shares: [30, 66.7], color: 1 },
    { text: 'coffee', shares: [70, 33.3], color: 0 },
  ]);
});

test('an answer that a wave does not offer has no share there, and ends after the others', () => {
  const waves = [wave('a', { Milk: 90, Tea: 10 }), wave('b', { Tea: 2, Cocoa: 2 })];
  expect(seriesLines(waves)).toEqual([
    { text: 'Cocoa', shares: [null, 50], color: 1 },
    { text: 'Tea', shares: [10, 50], color: 0 },
    { text: 'Milk', shares: [90, null], color: 2 },
  ]);
});

test('the largest movement is between the first and the last wave, up or down', () => {
  const waves = [wave('a', { Tea: 50, Coffee: 30, Milk: 20 }), wave('x', { Tea: 1 }), wave('b', { Tea: 2, Milk: 6 })];
  expect(largestMovement(seriesLines(waves))).toEqual({ text: 'Milk', from: 20, to: 75, points: 55 });
  expect(largestMovement(seriesLines(waves.toReversed()))).toMatchObject({ text: 'Milk', points: -55 });
  expect(largestMovement(seriesLines([wave('a', { Tea: 1 }), wave('b', { Milk: 1 })]))).toBeNull();
});

test('the chart draws six lines, those of the newest wave first', () => {
  const many = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`Answer ${n}`, n + 1]));
  const drawn = drawnLines(seriesLines([wave('a', { Old: 100 }), wave('b', many)]));
  expect(drawn.map(({ text }) => text)).toEqual([9, 8, 7, 6, 5, 4].map((n) => `Answer ${n}`));
});

test('a gap is more than twice the usual time between waves', () => {
  expect(longGaps([0, 10, 30, 40])).toEqual([]);
  expect(longGaps([0, 10, 31, 40])).toEqual([1]);
  expect(longGaps([0, 10, 100])).toEqual([1]);
  expect(longGaps([0, 10])).toEqual([]);
});

test('waves have several origins where some were imported and others not', () => {
  const [cast, imported] = [wave('a', { Tea: 1 }), { ...wave('b', { Tea: 1 }), origin: 'imported' as const }];
  expect(
    [
      [cast, cast],
      [imported, imported],
      [cast, imported],
    ].map(hasSeveralOrigins),
  ).toEqual([false, false, true]);
});
