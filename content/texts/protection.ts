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

/** On the ballot and in the report, what a vote needs or needed; nothing about any browser, which is what people expect. */
const needs: Readonly<Record<Exclude<Protection, 'browser'>, string>> = {
  check: 'a check of the browser',
  email: 'a confirmed email address',
  members: 'an account on this site',
  invited: 'an invitation from the person who created the poll',
};

/** What a vote needs, in one sentence. */
export const neededText = (level: Exclude<Protection, 'browser'>, closed: boolean) =>
  closed ? `Each vote needed ${needs[level]}.` : `To vote, you need ${needs[level]}.`;

/** A raise while the poll ran. */
export const raisedText = (level: Protection, since: string, votesBefore: string, isOne: boolean, closed: boolean) =>
  `Since ${since}, ${level === 'browser' ? 'any browser' : needs[level]} ${closed ? 'was' : 'is'} needed; ${votesBefore} ${
    isOne ? 'vote was' : 'votes were'
  } cast before.`;
