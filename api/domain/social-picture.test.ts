import { expect, test } from 'vitest';
import { pictureOfCommunityPoll, pictureOfPoll } from './social-picture.ts';

const options = [
  { id: 'a', text: 'Yes', votes: 614 },
  { id: 'b', text: 'No', votes: 386 },
];
const endsAt = '2026-11-02T00:00:00.000Z';
const open = {
  question: 'Why?',
  category: 'world-news',
  isActive: true,
  endsAt,
  closedAt: null,
  totalVotes: 1_000,
  options,
};
const closedAt = '2026-11-01T00:00:00.000Z';
const closed = { ...open, isActive: false, closedAt };
const question = { kind: 'open', question: 'Why?', category: 'World News', options: ['Yes', 'No'] };

test('the picture of an open poll has its answers, at most ten, without count or direction', () => {
  expect(pictureOfPoll(open)).toEqual(question);
  const many = Array.from({ length: 12 }, (_, index) => ({ id: `o${index}`, text: `${index}`, votes: 0 }));
  expect(pictureOfPoll({ ...open, options: many })).toEqual({
    ...question,
    options: ['0', '1', '2', '3', '4', '5', '6', '7', '8', 'Other answers'],
  });
});

test('the picture of an open poll says whether a vote chooses several answers, or ranks them', () => {
  const { visibility, method } = { visibility: 'public', method: 'ranked' } as const;
  expect(pictureOfCommunityPoll({ ...open, visibility, method, maxChoices: 2 })).toEqual({ ...question, method });
});

test('the picture of a closed poll names the leading answer, its percentage, the votes, and the day', () => {
  const picture = { kind: 'result', leaders: ['Yes'], percent: 61.4, share: 0.614, votes: 1_000, closedAt };
  expect(pictureOfPoll(closed)).toMatchObject(picture);
  expect(pictureOfPoll({ ...closed, isActive: true })).toMatchObject(picture);
  expect(pictureOfPoll({ ...closed, closedAt: null })).toMatchObject({ ...picture, closedAt: endsAt });
});

test('the picture of a closed poll has every answer, most votes first, and from eleven on the sum of the others', () => {
  expect(pictureOfPoll({ ...closed, options: options.toReversed() })).toMatchObject({
    bars: [
      { text: 'Yes', percent: 61.4, position: 1 },
      { text: 'No', percent: 38.6, position: 0 },
    ],
  });
  const many = Array.from({ length: 12 }, (_, index) => ({ id: `o${index}`, text: `${index}`, votes: 100 - index }));
  const picture = pictureOfPoll({ ...closed, options: many, totalVotes: 1_134 });
  const { bars } = picture as Extract<typeof picture, { kind: 'result' }>;
  expect([bars.length, bars.at(-1)]).toEqual([10, { text: 'Other answers', percent: 23.8, position: null }]);
});

test('the picture of a ranked poll shows its last round, without the options that are gone', () => {
  const round = { exhausted: 100, eliminated: null, byRule: false };
  const ranked = {
    ...closed,
    ...({ visibility: 'public', maxChoices: 3 } as const),
    options: [...options, { id: 'c', text: 'Perhaps', votes: 0 }],
    runoff: {
      rounds: [
        { ...round, eliminated: 2, votes: [614, 386, 0] },
        { ...round, votes: [360, 540, null] },
      ],
      winner: 1,
      pairwise: [],
    },
  };
  const picture = pictureOfCommunityPoll(ranked);
  expect(picture).toMatchObject({
    ...{ leaders: ['No'], percent: 60, share: 0.6, votes: 1_000, lastRound: { number: 2, votes: 900 } },
    bars: [
      { text: 'No', percent: 60, position: 1 },
      { text: 'Yes', percent: 40, position: 0 },
    ],
  });
  expect(picture).not.toHaveProperty('several');
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
    bars: [],
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
  expect(pictureOfCommunityPoll({ ...open, options: withheld, visibility: 'public' })).toEqual(question);
});
