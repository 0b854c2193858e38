import type { CommunityCategory } from '#contract/vocabulary.ts';

/**
 * A community poll that comes with the product. Its question and comments are ours, its starting votes are invented,
 * and the accounts behind it say in their names what they are; nobody can sign in to them.
 */
export interface DemonstrationCommunityPoll {
  readonly id: string;
  readonly question: string;
  readonly description: string;
  /** Text and invented votes of each option, in the order in which they are shown. */
  readonly options: readonly (readonly [text: string, votes: number])[];
  readonly category: CommunityCategory | null;
  /** Hours before the first start of the installation at which it was made. */
  readonly made: number;
  /** Hours after the first start at which it opens; at once when left out. */
  readonly opens?: number;
  /** Hours after the first start at which it ends; left out: it stays open. */
  readonly ends?: number;
  /** Hours before the first start at which it was closed. */
  readonly closed?: number;
  readonly featured?: boolean;
  /** Hours before the first start, and text; oldest first. */
  readonly comments?: readonly (readonly [hoursAgo: number, text: string])[];
}

/** Who made the demonstration's community polls, and who comments on them. */
export const demonstrationMembers = {
  desk: {
    id: 'demonstration-desk',
    username: 'demonstration-desk',
    firstName: 'Weathervane',
    lastName: 'demonstration desk',
  },
  reader: {
    id: 'demonstration-reader',
    username: 'demonstration-reader',
    firstName: 'Demonstration',
    lastName: 'reader',
  },
} as const;

/** The first comment on each of them. */
export const demonstrationComment =
  'This poll came with the software. Its question was written, and its starting votes were invented, to show what a community poll looks like. Your vote is added on top.';

export const demonstrationCommunityPolls: readonly DemonstrationCommunityPoll[] = [
  {
    id: 'demo-community-shopping-trolley',
    question: 'Nobody is watching. Do you take the shopping trolley back?',
    description:
      'No fine, no coin in the slot, rain from the side, and the rack is on the far end of the car park. Some say that this question says everything about a person.',
    options: [
      ['Always, whatever the weather', 318],
      ['If the rack is near', 141],
      ['Somebody is paid to do it', 37],
    ],
    category: 'Lifestyle',
    made: 51,
    featured: true,
    comments: [
      [30, 'I take back two when it is not raining, so that I may leave one when it is.'],
      [26, 'In which direction does the wind blow on that car park? Asking for a friend with a light trolley.'],
    ],
  },
  {
    id: 'demo-community-window-seat',
    question: 'Window or aisle?',
    description: '',
    options: [
      ['Window, for the view', 204],
      ['Aisle, for the legs', 196],
      ['The middle, and I am at peace with it', 3],
    ],
    category: 'Travel',
    made: 4,
    comments: [[2, 'Three people choose the middle. I should like to meet them.']],
  },
  {
    id: 'demo-community-market-square',
    question: 'Should the market square be closed to cars on Saturdays?',
    description:
      'The traders would put tables outside, the bakery fears for its drive-by customers, and the fountain has no opinion. The council decides in three weeks; this poll decides nothing.',
    options: [
      ['Yes, every Saturday', 87],
      ['Yes, but in summer only', 64],
      ['No, leave it as it is', 41],
      ['Close it to everything but bicycles', 22],
    ],
    category: 'Local Issues',
    made: 20,
    ends: 24 * 12,
    featured: true,
    comments: [[11, 'The bakery could put tables outside too.']],
  },
  {
    id: 'demo-community-oxford-comma',
    question: 'The comma before the last "and": keep it, drop it, or fight about it?',
    description: 'Cast your vote for parents, editors and anarchists.',
    options: [
      ['Keep it', 112],
      ['Drop it', 58],
      ['It depends on the sentence', 77],
    ],
    category: 'Education',
    made: 9,
  },
  {
    id: 'demo-community-breakfast',
    question: 'ما هو أفضل فطور في يوم العطلة؟',
    description: 'سؤال بسيط، لكن العائلة لا تتفق عليه أبدًا.',
    options: [
      ['فول وفلافل', 64],
      ['جبنة وزيتون', 49],
      ['القهوة وحدها تكفي', 38],
    ],
    category: 'Lifestyle',
    made: 15,
  },
  {
    id: 'demo-community-first-instrument',
    question: 'Which instrument should a child learn first, if the neighbours have a say in it?',
    description: 'Thin walls. One year of daily practice. No headphones, except for the neighbours.',
    options: [
      ['Piano', 61],
      ['Violin', 9],
      ['Drums', 14],
      ['Recorder', 2],
      ['Guitar', 55],
      ['Trumpet', 6],
      ['Singing', 17],
      ['Accordion', 5],
      ['Harp', 8],
      ['Chess', 73],
    ],
    category: 'Entertainment',
    made: 33,
  },
  {
    id: 'demo-community-stadium-name',
    question: 'What should the new stadium be called?',
    description: 'The sponsor withdrew, so the choice is ours for once.',
    options: [
      ['After the river', 129],
      ['After the striker of 1974', 166],
      ['It stays "the stadium"', 98],
    ],
    category: 'Sports',
    made: 24 * 16,
    closed: 24 * 3,
    comments: [[24 * 2, 'The striker would have wanted it named after the river.']],
  },
  {
    id: 'demo-community-four-day-week',
    question: 'Four days of work: which day should be the free one?',
    description: 'Opens soon. Think about it until then.',
    options: [
      ['Monday', 0],
      ['Wednesday', 0],
      ['Friday', 0],
    ],
    category: 'Business & Finance',
    made: 1,
    opens: 30,
    ends: 24 * 9,
  },
  {
    id: 'demo-community-night-sky',
    question: 'Should street lamps go out at one in the morning?',
    description: 'For the stars, the moths and the electricity bill; against the way home.',
    options: [
      ['Yes, everywhere', 42],
      ['Yes, but not on the way home', 88],
      ['No', 51],
    ],
    category: 'Environment',
    made: 24 * 6,
    ends: 24 * 2,
  },
  {
    id: 'demo-community-no-category',
    question: 'Is a hot dog a sandwich?',
    description: '',
    options: [
      ['Yes', 50],
      ['No', 50],
    ],
    category: null,
    made: 24 * 9,
  },
];
