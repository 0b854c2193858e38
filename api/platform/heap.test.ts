import { getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { broom } from './heap.ts';

const megabyte = 1_000_000;
const used = () => getHeapStatistics().used_heap_size;

test('what a long piece of work throws away is collected before it has grown by much', () => {
  const sweep = broom(8 * megabyte);
  sweep();
  const before = used();
  let most = 0;
  // Each portion lives until three others have come, as rows do that wait for the database.
  const waiting: string[][] = [];
  for (let portion = 0; portion < 200; portion++) {
    waiting.push(Array.from({ length: 10_000 }, (_, n) => `${portion} of many, ${n}`));
    if (waiting.length > 3) waiting.shift();
    sweep();
    most = Math.max(most, used() - before);
  }
  expect(most).toBeLessThan(24 * megabyte);
});

test('nothing is collected while little was thrown away', () => {
  const sweep = broom(1_000 * megabyte);
  const before = used();
  const kept = Array.from({ length: 100_000 }, (_, n) => ({ n }));
  sweep();
  expect(kept).toHaveLength(100_000);
  expect(used()).toBeGreaterThan(before);
});
