import { describe, expect, test } from 'vitest';
import { voteBurst } from './vote-burst.ts';

const rule = { minutes: 5, votes: 100, times: 10 };
const day = { from: 1_000, to: 1_000 + 24 * 60 - 1 };
const steady = (each: number) => new Map(Array.from({ length: 24 * 60 }, (_, minute) => [day.from + minute, each]));

describe('a burst of votes', () => {
  test('is the busiest five minutes of an otherwise quiet poll', () => {
    const votes = new Map([
      [1_010, 3],
      [1_500, 60],
      [1_503, 70],
      [1_505, 4],
    ]);
    expect(voteBurst(votes, day, rule)).toMatchObject({ minute: 1_500, votes: 130 });
    expect(voteBurst(votes, day, rule)?.usual).toBeCloseTo((7 * 5) / (24 * 60 - 5));
  });

  test('doesn’t exist where every minute is equally busy', () => {
    expect(voteBurst(steady(500), day, rule)).toBeNull();
    expect(voteBurst(new Map([...steady(50), [1_600, 3_000]]), day, rule)).toMatchObject({
      minute: 1_596,
      votes: 3_200,
    });
    expect(voteBurst(new Map([...steady(50), [1_600, 500]]), day, rule)).toBeNull();
  });

  test('needs a hundred votes: a class of forty voting on two polls is not reported', () => {
    expect(voteBurst(new Map([[1_200, 99]]), day, rule)).toBeNull();
    expect(voteBurst(new Map([[1_200, 100]]), day, rule)).toEqual({ minute: 1_200, votes: 100, usual: 0 });
  });

  test('of a poll that has just opened has no comparison', () => {
    const votes = new Map([[2_000, 300]]);
    expect(voteBurst(votes, { from: 1_998, to: 2_003 }, rule)).toEqual({ minute: 2_000, votes: 300, usual: null });
    expect(voteBurst(votes, { from: 1_990, to: 2_003 }, rule)).toEqual({ minute: 2_000, votes: 300, usual: 0 });
  });

  test('is limited to the given time range', () => {
    expect(voteBurst(new Map([[900, 1_000]]), day, rule)).toBeNull();
    expect(voteBurst(new Map(), day, rule)).toBeNull();
  });
});
