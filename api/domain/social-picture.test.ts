import { expect, test } from 'vitest';
import { pictureOfCommunityPoll, pictureOfPoll } from './social-picture.ts';

const options = [
  { id: 'a', text: 'Yes', votes: 614 },
  { id: 'b', text: 'No', votes: 386 },
];
const open = { question: 'Why?', category: 'world-news', isActive: true, closedAt: null, totalVotes: 1_000, options };
const closed = { ...open, isActive: false, closedAt: '2026-11-01T00:00:00.000Z' };

test('the picture of an open poll has no count, answer, or direction', () => {
  expect(pictureOfPoll(open)).toEqual({ kind: 'open', question: 'Why?', category: 'World News' });
});

test('the picture of a closed poll names the leading answer, its percentage, and the votes', () => {
  const picture = { kind: 'result', leaders: ['Yes'], percent: 61.4, share: 0.614, votes: 1_000 };
  expect(pictureOfPoll(closed)).toMatchObject(picture);
  expect(pictureOfPoll({ ...closed, isActive: true })).toMatchObject(picture);
});

test('a tie names all leading answers, and a poll without votes none', () => {
  const tied = options.map((option) => ({ ...option, votes: 5 }));
  expect(pictureOfPoll({ ...closed, options: tied, totalVotes: 10 })).toMatchObject({
    leaders: ['Yes', 'No'],
    percent: 50,
  });
  const nobody = options.map((option) => ({ ...option, votes: 0 }));
  expect(pictureOfPoll({ ...closed, options: nobody, totalVotes: 0 })).toMatchObject({
    leaders: [],
    percent: 0,
    share: undefined,
  });
});

test('the picture of a poll with votes set aside has both figures; with held votes, no leading answer', () => {
  expect(pictureOfPoll({ ...closed, setAsideVotes: 500 })).toMatchObject({
    leaders: ['Yes'],
    votes: 1_000,
    received: 1_500,
  });
  expect(pictureOfPoll({ ...closed, heldVotes: 500 })).toMatchObject({
    leaders: [],
    share: undefined,
    votes: 1_000,
    received: 1_500,
    provisional: true,
  });
  expect(pictureOfPoll(closed)).not.toHaveProperty('received');
});

test('only a public community poll has its own picture', () => {
  const made = (visibility: 'public' | 'unlisted' | 'private') =>
    pictureOfCommunityPoll({ ...closed, visibility }).kind;
  expect([made('public'), made('unlisted'), made('private')]).toEqual(['result', 'site', 'site']);
  const withheld = options.map((option) => ({ ...option, votes: null }));
  expect(pictureOfCommunityPoll({ ...open, options: withheld, visibility: 'public' })).toEqual({
    kind: 'open',
    question: 'Why?',
    category: 'World News',
  });
});
