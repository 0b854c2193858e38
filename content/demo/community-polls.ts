import type { CommunityCategory } from '#contract/vocabulary.ts';

/**
 * A community poll that comes with the product. Its question and comments are ours, its starting votes are invented,
 * and its accounts have names that say what they are; nobody can sign in to them.
 */
export interface DemonstrationCommunityPoll {
  readonly id: string;
  readonly question: string;
  readonly description: string;
  /** Text and invented votes of each option, in display order. */
  readonly options: readonly (readonly [text: string, votes: number])[];
  readonly category: CommunityCategory | null;
  /** Created this many hours before the first start of the installation. */
  readonly made: number;
  /** Opens this many hours after the first start; omitted: at once. */
  readonly opens?: number;
  /** Ends this many hours after the first start; omitted: never. */
  readonly ends?: number;
  /** Closed this many hours before the first start. */
  readonly closed?: number;
  readonly featured?: boolean;
  /** Hours before the first start, and text; oldest first. */
  readonly comments?: readonly (readonly [hoursAgo: number, text: string])[];
}

/** Creator of the demo community polls, and the account that comments on them. */
export const demonstrationMembers = {
  author: {
    id: 'demonstration-desk',
    username: 'weathervane-demo',
    firstName: 'Weathervane',
    lastName: 'demo',
  },
  reader: {
    id: 'demonstration-reader',
    username: 'demo-reader',
    firstName: 'Demo',
    lastName: 'reader',
  },
} as const;

/** The first comment on each of them. */
export const demonstrationComment =
  'This poll came with the software. Its question was written, and its starting votes were invented, to show what a community poll looks like. Your vote is added on top.';

export const demonstrationCommunityPolls: readonly DemonstrationCommunityPoll[] = [
  {
    id: 'demo-community-shopping-trolley',
    question: 'Nobody is watching. Do you return the shopping cart?',
    description:
      'No fine, no coin in the slot, rain coming in sideways, and the rack is at the far end of the parking lot. Some say this question tells you everything about a person.',
    options: [
      ['Always, whatever the weather', 318],
      ['If the rack is near', 141],
      ['Somebody gets paid to do that', 37],
    ],
    category: 'Lifestyle',
    made: 51,
    featured: true,
    comments: [
      [30, 'I take back two when it isn’t raining, so I can leave one when it is.'],
      [26, 'Which way does the wind blow in that parking lot? Asking for a friend with a light cart.'],
    ],
  },
  {
    id: 'demo-community-window-seat',
    question: 'Window or aisle?',
    description: '',
    options: [
      ['Window, for the view', 204],
      ['Aisle, for the legroom', 196],
      ['The middle, and I’m at peace with it', 3],
    ],
    category: 'Travel',
    made: 4,
    comments: [[2, 'Three people chose the middle. I’d like to meet them.']],
  },
  {
    id: 'demo-community-market-square',
    question: 'Should the market square be closed to cars on Saturdays?',
    description:
      'The shops would put tables outside, the bakery fears for its drive-up customers, and the fountain has no opinion. The council decides in three weeks; this poll decides nothing.',
    options: [
      ['Yes, every Saturday', 87],
      ['Yes, but only in summer', 64],
      ['No, leave it as it is', 41],
      ['Close it to everything but bikes', 22],
    ],
    category: 'Local Issues',
    made: 20,
    ends: 24 * 12,
    featured: true,
    comments: [[11, 'The bakery could put tables outside too.']],
  },
  {
    id: 'demo-community-oxford-comma',
    question: 'The comma before the last “and”: keep it, drop it, or fight about it?',
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
    question: 'Which instrument should a child learn first, if the neighbors have a say?',
    description: 'Thin walls. One year of daily practice. No headphones, except for the neighbors.',
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
    description: 'The sponsor pulled out, so for once the choice is ours.',
    options: [
      ['After the river', 129],
      ['After the striker of 1974', 166],
      ['Just “the stadium”', 98],
    ],
    category: 'Sports',
    made: 24 * 16,
    closed: 24 * 3,
    comments: [[24 * 2, 'The striker would have wanted it named after the river.']],
  },
  {
    id: 'demo-community-four-day-week',
    question: 'A four-day week: which day should be off?',
    description: 'Opens soon. You have until then to think about it.',
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
    question: 'Should streetlights go off at one in the morning?',
    description: 'Good for the stars, the moths, and the electric bill; bad for the walk home.',
    options: [
      ['Yes, everywhere', 42],
      ['Yes, but not on my way home', 88],
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
