import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { sortedOrder } from './tree.ts';

test.each([0, 1, 500, 30_000])('%i leaves are sorted by their bytes', (count) => {
  const leaves = randomBytes(count * 32);
  // Some that differ in their last bytes only.
  for (let leaf = 1; leaf < count; leaf += 100) leaves.copy(leaves, leaf * 32, leaf * 32 - 32, leaf * 32 - 2);
  const leaf = (place: number) => leaves.subarray(place * 32, place * 32 + 32);
  const sorted = [...sortedOrder(leaves, 32)].map((place) => leaf(place).toString('hex'));
  expect(sorted).toEqual(Array.from({ length: count }, (_, place) => leaf(place).toString('hex')).sort());
});
