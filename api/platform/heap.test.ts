import { getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { heapCollector } from './heap.ts';

const megabyte = 1_000_000;
const used = () => getHeapStatistics().used_heap_size;

test('garbage of long work is collected before the heap has grown by much', () => {
  const sweep = heapCollector(8 * megabyte);
  sweep();
  const before = used();
  let most = 0;
  // Each batch lives until three others follow, like rows that wait for the database.
  const waiting: string[][] = [];
  for (let batch = 0; batch < 200; batch++) {
    waiting.push(Array.from({ length: 10_000 }, (_, n) => `${batch} of many, ${n}`));
    if (waiting.length > 3) waiting.shift();
    sweep();
    most = Math.max(most, used() - before);
  }
  expect(most).toBeLessThan(24 * megabyte);
});

test('nothing is collected while there is little garbage', () => {
  const sweep = heapCollector(1_000 * megabyte);
  const before = used();
  const kept = Array.from({ length: 100_000 }, (_, n) => ({ n }));
  sweep();
  expect(kept).toHaveLength(100_000);
  expect(used()).toBeGreaterThan(before);
});
