import { expect, test } from 'vitest';
import { manifestShards, shardOf } from './publishing.ts';

test('addresses are spread evenly over all 1,024 parts of a manifest', () => {
  const counts = new Map<string, number>();
  for (let n = 0; n < 100 * manifestShards; n += 1) {
    const shard = shardOf(`/poll/closed-poll-${n}`);
    counts.set(shard, (counts.get(shard) ?? 0) + 1);
  }
  expect([counts.size, [...counts.keys()].every((name) => /^[0-3][0-9a-f]{2}$/.test(name))]).toEqual([1_024, true]);
  expect(Math.max(...counts.values())).toBeLessThan(200);
});
