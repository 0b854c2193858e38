import { expect, test } from 'vitest';
import { tidyPollTexts } from './poll-texts.ts';

test('texts of a poll that nobody can see are empty, and such tags are left out', () => {
  expect(
    tidyPollTexts({
      question: '\u200b\u2060',
      summary: ' \u3164\n',
      tags: ['tea ', '\u200d'],
      options: [{ id: 'a', text: ' 👩‍🌾 ' }],
    }),
  ).toEqual({ question: '', summary: '', tags: ['tea'], options: [{ id: 'a', text: '👩‍🌾' }] });
});
