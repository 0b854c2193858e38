import { expect, test } from 'vitest';
import { CountMinSketch } from './count-min-sketch.ts';

const start = Date.parse('2026-11-20T12:10:00Z');

test('a count is never too low, and among 100,000 keys too high by fewer than ten', () => {
  const sketch = new CountMinSketch(1_000);
  for (let key = 0; key < 100_000; key += 1) sketch.count(`key ${key}`, start);
  const counts = Array.from({ length: 200 }, (_, key) => sketch.count(`key ${key}`, start));
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
  expect(Math.max(...counts)).toBeLessThan(10);
  expect(sketch.count('key 1', start + 1_000)).toBe(1);
});

test('an undone count no longer counts, unless its window has ended', () => {
  const sketch = new CountMinSketch(1_000);
  for (let time = 0; time < 5; time += 1) {
    expect(sketch.count('key', start)).toBe(1);
    sketch.undo('key', start);
  }
  sketch.count('key', start + 1_000);
  sketch.undo('key', start);
  expect(sketch.count('key', start + 1_000)).toBe(2);
  expect(sketch.endsAt(start + 1_200)).toBe(start + 2_000);
});
