import { expect, test } from 'vitest';
import { runoffResult } from './runoff-result.ts';

const round = { exhausted: 0, eliminated: null, byRule: false };
const options = ['Tea', 'Coffee', 'Water'].map((text) => ({ text }));

test('the result of a ranked poll names the winner with its share of the last round, or all that are equal', () => {
  const rounds = [{ ...round, votes: [2, 1, 0] }];
  const result = runoffResult({ options, runoff: { rounds, winner: 0, pairwise: [] } });
  expect(result?.finding).toBe('Tea wins in round 1, with 67% of the 3 votes left in it.');
  const tie = runoffResult({
    options,
    runoff: { rounds: [{ ...round, votes: [1, 1, 1] }], winner: null, pairwise: [] },
  });
  expect(tie?.finding).toBe('Nobody wins: Tea, Coffee, and Water are equal in all rounds.');
});
