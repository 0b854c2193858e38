import { describe, expect, test } from 'vitest';
import { isFirstVote, standingSentence } from './standing.ts';

const result = (votes: readonly number[], heldVotes = 0) => ({
  options: votes.map((count, position) => ({ id: `option-${position}`, votes: count })),
  totalVotes: votes.reduce((sum, count) => sum + count, 0),
  heldVotes,
});
/** The sentence for a voter of the option at `index` in a result with these votes. */
const standing = (votes: readonly number[], index: number, heldVotes = 0) =>
  standingSentence(result(votes, heldVotes), `option-${index}`);

describe('the sentence about a voter’s answer', () => {
  test.each([
    ['behind one leader', [34, 28, 38], 1, 'You’re with 28%; the leader is ahead by 10 points.'],
    ['behind by one point', [50, 49, 1], 1, 'You’re with 49%; the leader is ahead by 1 point.'],
    ['in a close race', [1001, 1000], 1, 'You’re with 50%; the leader is ahead by less than a point.'],
    ['behind a tie', [40, 40, 20], 2, 'You’re with 20%; the leaders are ahead by 20 points.'],
    ['in front', [61, 29, 10], 0, 'You’re with the leader: 61%, ahead by 32 points.'],
    ['in front by one vote', [101, 100], 0, 'You’re with the leader: 50%, ahead by less than a point.'],
    ['in a tie', [45, 45, 10], 1, 'You’re with 45%, tied for the lead.'],
    ['in a tie of all', [2, 2, 2], 2, 'You’re with 33%, in a tie of 3 answers for the lead.'],
    ['alone', [9, 1], 1, 'You’re the only one with this answer; the leader is ahead by 80 points.'],
    ['one of two voters', [1, 1], 1, 'You’re with 50%, tied for the lead.'],
    ['with everyone', [7, 0, 0], 0, 'You’re with everyone so far: all 7 votes went to this answer.'],
    ['with very few of many', [9990, 10], 1, 'You’re with less than 1%; the leader is ahead by 100 points.'],
  ] as const)('%s', (_, votes, index, sentence) => {
    expect(standing(votes, index)).toBe(sentence);
  });

  test('points are the difference of the percentages shown', () => {
    // 33.4% and 34.6% are shown as 33% and 35%.
    expect(standing([334, 346, 320], 0)).toBe('You’re with 33%; the leader is ahead by 2 points.');
  });

  test('is first with the only vote, not while others are held, and not with an imported vote', () => {
    expect(isFirstVote(result([0, 1, 0]), 'option-1')).toBe(true);
    expect(standing([0, 1, 0], 1)).toBeNull();
    expect(isFirstVote(result([0, 1, 0], 3), 'option-1')).toBe(false);
    expect(isFirstVote(result([0, 1, 0]), 'option-0')).toBe(false);
    expect(isFirstVote(result([0, 2, 0]), 'option-1')).toBe(false);
  });

  test('is not said while votes are held, or if the vote is not counted', () => {
    expect(standing([60, 40], 1, 5)).toBeNull();
    expect(standing([60, 0], 1)).toBeNull();
    expect(standing([60, 40], 7)).toBeNull();
  });
});
