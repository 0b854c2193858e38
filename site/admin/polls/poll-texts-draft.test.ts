import { expect, test } from 'vitest';
import type { Poll } from '#contract/poll.ts';
import { changesIn, draftOf } from './poll-texts-draft.ts';

const poll: Poll = {
  ...{ id: 'p', question: 'Tea?', description: 'About tea.', category: 'Food', author: null, tags: ['a, b', 'c'] },
  ...{ options: ['Yes', 'No'].map((text, place) => ({ id: `o${place + 1}`, text, votes: 0 })), totalVotes: 0 },
  ...{ isActive: true, createdAt: '', startsAt: '', endsAt: '', updatedAt: '', closedAt: null },
  ...{ hasVoted: false, userVote: null, summary: null, analysis: '<p>x</p>', methodologyNotes: null },
  countryBreakdown: [],
};

test('an untouched form changes nothing, even if a tag contains a comma', () => {
  expect(changesIn(draftOf(poll), poll)).toBeNull();
});

test('only changed texts are sent', () => {
  const draft = draftOf(poll);
  expect(
    changesIn(
      { ...draft, question: 'Coffee?', analysis: '', tags: 'a, b\n\n d ', options: { o1: 'Yes', o2: 'Never' } },
      poll,
    ),
  ).toEqual({ question: 'Coffee?', analysis: '', tags: ['a, b', 'd'], options: [{ id: 'o2', text: 'Never' }] });
});
