import type { Protection } from '#contract/vocabulary.ts';

/** What a vote needs, as the levels are called where they are chosen. */
export const protectionNames = {
  browser: 'Any browser',
  check: 'Any browser, with a check',
  email: 'A confirmed email address',
  members: 'Members',
  invited: 'Invited members',
} as const satisfies Record<Protection, string>;

/** Choosing and changing what votes on a poll need. */
export const protectionTexts = {
  label: 'Who can vote',
  means: {
    browser: 'One vote per browser. Nothing to sign up for, and the easiest to cheat.',
    check: 'One vote per browser, which solves a small task first. It makes many votes cost time; it needs JavaScript.',
    email:
      'One vote per email address, confirmed with a code we send. Addresses are never shown, and aren’t stored with votes.',
    members: 'One vote per account on this site.',
    invited: 'One vote per member you invite.',
  } as const satisfies Record<Protection, string>,
  lower:
    'Some people voted because votes needed more than that. Once a poll has votes, its protection can only be raised.',
  raised: 'Votes on this poll already need that, or more.',
  closed: 'The poll has ended, so what votes need can’t change.',
} as const;
