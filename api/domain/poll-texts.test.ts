import { expect, test } from 'vitest';
import { normalizePollTexts } from './poll-texts.ts';

test('invisible texts of a poll become empty, and such tags are removed', () => {
  expect(
    normalizePollTexts({
      question: '\u200b\u2060',
      summary: ' \u3164\n',
      tags: ['tea ', '\u200d'],
      options: [{ id: 'a', text: ' 👩‍🌾 ' }],
    }),
  ).toEqual({ question: '', summary: '', tags: ['tea'], options: [{ id: 'a', text: '👩‍🌾' }] });
});
