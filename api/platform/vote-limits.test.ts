import type { Context } from 'koa';
import { expect, test } from 'vitest';
import { serverLimits } from '#contract/server-limits.ts';
import { fixedClock } from './clock.ts';
import { CrowdCounter } from './crowd-counter.ts';
import { subnetOf } from './nearby.ts';
import { voteLimits } from './vote-limits.ts';

const start = Date.parse('2026-11-20T12:10:00Z');
const { pollVotesNearby } = serverLimits.rate;

/** Limits of a fresh process: whether a vote from an address passes. */
function limits() {
  const limit = voteLimits(fixedClock(start));
  return async (address: string, pollId = 'p') => {
    const ctx = { state: {}, req: { socket: { remoteAddress: '127.0.0.1' } }, get: () => address };
    return limit(ctx as unknown as Context, pollId).then(
      () => 'passes',
      (refused: unknown) => (refused as { status: number }).status,
    );
  };
}

test('one who sends from a whole network of IPv6 gets no further than a firm', async () => {
  const cast = limits();
  const addresses = Array.from(
    { length: pollVotesNearby.points + 20 },
    (_, place) => `2001:db8:7:${place.toString(16)}::1`,
  );
  const answers = await Promise.all(addresses.map((address) => cast(address)));
  expect(answers.filter((answer) => answer === 'passes')).toHaveLength(pollVotesNearby.points);
  expect(await cast('2001:db8:8::1')).toBe('passes');
  expect(await cast('2001:db8:7::1', 'another poll')).toBe('passes');
});

test('neighbours are a /24 or a /48, however an address is put', () => {
  expect(subnetOf('203.0.113.9')).toBe('203.0.113.0/24');
  expect(subnetOf('2001:db8:0:7::/64')).toBe('2001:db8:0::/48');
});

test('a count is never too low, and among many keys too high by next to nothing', () => {
  const counter = new CrowdCounter(1_000);
  for (let key = 0; key < 100_000; key += 1) counter.count(`key ${key}`, start);
  const counts = Array.from({ length: 200 }, (_, key) => counter.count(`key ${key}`, start));
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
  expect(Math.max(...counts)).toBeLessThan(10);
  expect(counter.count('key 1', start + 1_000)).toBe(1);
});
