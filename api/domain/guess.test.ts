import { expect, test } from 'vitest';
import { closerThan, guessError, readWithin } from './guess.ts';

const result = {
  options: [
    { id: 'a', votes: 50 },
    { id: 'b', votes: 30 },
    { id: 'c', votes: 20 },
  ],
  totalVotes: 100,
};

test('a guess of the leader is off by the distance to its share', () => {
  expect(guessError({ optionId: 'a', percent: 50 }, result)).toBe(0);
  expect(guessError({ optionId: 'a', percent: 62 }, result)).toBe(12);
  expect(guessError({ optionId: 'a', percent: 41 }, result)).toBe(9);
});

test('a guess of another option is also off by how far that is behind', () => {
  expect(guessError({ optionId: 'b', percent: 40 }, result)).toBe(10 + 20);
  expect(guessError({ optionId: 'b', percent: 30 }, result)).toBe(20);
});

test('an unknown option has no error', () => {
  expect(guessError({ optionId: 'x', percent: 40 }, result)).toBeNull();
});

test('a guess is closer than those with larger errors, in whole percent rounded down', () => {
  const others = [
    { error: 2, guesses: 1 },
    { error: 5, guesses: 3 },
    { error: 9, guesses: 3 },
  ];
  expect(closerThan(5, others)).toEqual({ guessers: 7, percent: 42 });
  expect(closerThan(0, others)).toEqual({ guessers: 7, percent: 100 });
  expect(closerThan(20, others)).toEqual({ guessers: 7, percent: 0 });
  expect(closerThan(0, [])).toEqual({ guessers: 0, percent: 0 });
});

test.each([
  [0, 0, null],
  [1, 0, 0],
  [1, 6, 6],
  [4, 24, 6],
  [4, 21, 6],
  [3, 1, 1],
  [1_000, 5_999, 6],
])('%i guesses that were off by %i points together have read the crowd within %j', (guesses, points, within) => {
  expect(readWithin({ guesses, points })).toBe(within);
});

test('nobody has read the crowd within fewer points than the guesses were off on average', () => {
  for (let guesses = 1; guesses < 30; guesses++)
    for (let points = 0; points < 200; points += 7) {
      const within = readWithin({ guesses, points })!;
      expect(within * guesses).toBeGreaterThanOrEqual(points);
      expect((within - 1) * guesses).toBeLessThan(points);
    }
});
