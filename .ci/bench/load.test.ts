import { expect, test } from 'vitest';
import { countBefore, dueAt, sentAt } from './load.ts';

test('of any thousand mixed requests, 900 are pages, 80 are API reads, and 20 are votes', () => {
  for (const from of [0, 50, 12_350]) {
    const sent = Array.from({ length: 1_000 }, (_, n) => sentAt(from + n));
    const count = (kind: string) => sent.filter((one) => one === kind).length;
    expect([count('page'), count('read'), count('vote')]).toEqual([900, 80, 20]);
  }
});

test('pages, reads, and votes are each numbered without gaps', () => {
  for (const kind of ['page', 'read', 'vote'] as const) {
    const places = Array.from({ length: 260 }, (_, place) => place).filter((place) => sentAt(place) === kind);
    expect(places.map((place) => countBefore(place, kind))).toEqual(places.map((_, n) => n));
  }
});

test('open pages poll evenly spread over the cycle, each at a constant interval', () => {
  const live = { pages: 2_000, cycleMs: 30_000 };
  expect(dueAt(0, 0, live)).toBe(0);
  expect(dueAt(1_000, 0, live)).toBe(15_000);
  expect(dueAt(1_999, 0, live)).toBeLessThan(30_000);
  expect(dueAt(7, 3, live) - dueAt(7, 2, live)).toBeCloseTo(30_000);
});
