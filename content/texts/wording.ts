import type { WordingProblem } from '#contract/vocabulary.ts';

interface WordingText {
  readonly title: string;
  readonly reason: string;
  /** Explains it, with sources. */
  readonly article: { readonly slug: string; readonly title: string };
}

const writing = { slug: 'writing-a-community-poll', title: 'Writing a community poll' };
const oneWord = { slug: 'one-word-twenty-one-points', title: 'One word, twenty-one points' };
const middle = { slug: 'the-missing-middle', title: 'The missing middle' };

/** Hints about the wording of a new poll. */
export const wordingTexts = {
  heading: 'Wording',
  empty: 'While you write, we look for a few common problems in English questions.',
  none: 'Nothing stands out. We look for a few common problems in English questions; read your question aloud to someone, too.',
  count: (count: number) =>
    count === 0
      ? 'No hints about the wording'
      : count === 1
        ? 'One hint about the wording'
        : `${count} hints about the wording`,
  found: (words: string) => `We noticed: “${words}”`,
  read: (title: string) => `Read “${title}”`,
  problems: {
    leading: {
      title: 'This may lead people to an answer',
      reason:
        'Words that praise, blame, or ask for agreement change the result. Ask what people think, and leave arguments to the description.',
      article: oneWord,
    },
    'double-barreled': {
      title: 'This may be two questions in one',
      reason: 'People who agree with only one part can’t answer. Ask one thing, or create two polls.',
      article: writing,
    },
    'double-negative': {
      title: 'Two negatives are easy to misread',
      reason:
        'Some people will choose the opposite of what they mean. Say what should happen instead of what shouldn’t.',
      article: oneWord,
    },
    overlapping: {
      title: 'One person may fit two options',
      reason:
        'Where options overlap, people choose either one, and neither result means anything. Let each option begin where the last one ends.',
      article: writing,
    },
    unbalanced: {
      title: 'One side has more options than the other',
      reason:
        'More options in favor than against, or the other way around, make one side look bigger. Offer as many on either side.',
      article: writing,
    },
    'no-dont-know': {
      title: 'People without an opinion have no option',
      reason: 'They will guess or leave. Add an option such as “Not sure” at the end of the list.',
      article: middle,
    },
  } satisfies Record<WordingProblem, WordingText>,
} as const;
