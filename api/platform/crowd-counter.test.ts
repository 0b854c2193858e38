import { expect, test } from 'vitest';
import { CrowdCounter } from './crowd-counter.ts';

const start = Date.parse('2026-11-20T12:10:00Z');

test('a count is never too low, and among many keys too high by next to nothing', () => {
  const counter = new CrowdCounter(1_000);
  for (let key = 0; key < 100_000; key += 1) counter.count(`key ${key}`, start);
  const counts = Array.from({ length: 200 }, (_, key) => counter.count(`key ${key}`, start));
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
  expect(Math.max(...counts)).toBeLessThan(10);
  expect(counter.count('key 1', start + 1_000)).toBe(1);
});

test('what is taken back does not count, unless its window has ended', () => {
  const counter = new CrowdCounter(1_000);
  for (let time = 0; time < 5; time += 1) {
    expect(counter.count('key', start)).toBe(1);
    counter.takeBack('key', start);
  }
  counter.count('key', start + 1_000);
  counter.takeBack('key', start);
  expect(counter.count('key', start + 1_000)).toBe(2);
  expect(counter.endsAt(start + 1_200)).toBe(start + 2_000);
});
