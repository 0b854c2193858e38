import { expect, test } from 'vitest';
import { pollChartBlock } from './poll-chart-block.ts';

const poll = {
  question: 'Is "tea": good?',
  options: [
    { id: 'a', text: 'No: never', votes: 1 },
    { id: 'b', text: 'Yes', votes: 2 },
  ],
  totalVotes: 3,
};

test('the block has the shares of a poll, the largest first, with texts that YAML can’t misread', () => {
  expect(pollChartBlock(poll, '“Tea”, 3 votes')).toBe(
    [
      ...['```chart', 'type: bars', 'title: "Is \\"tea\\": good?"', 'unit: "%"', 'source: "“Tea”, 3 votes"', 'data:'],
      ...['  - ["Yes", 66.7]', '  - ["No: never", 33.3]', '```'],
    ].join('\n'),
  );
});

test('a poll without votes has no chart', () => {
  expect(pollChartBlock({ ...poll, totalVotes: 0 }, 'Source')).toBeNull();
});
