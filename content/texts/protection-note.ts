import type { Protection } from '#contract/vocabulary.ts';

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

/** A raise while the poll ran, where no moment is said. */
export const laterNeededText = (level: Protection, votesBefore: string) =>
  `While the poll ran, its votes came to need ${level === 'browser' ? 'any browser' : needs[level]}; votes cast before: ${votesBefore}.`;

/** A raise while the poll ran. */
export const raisedText = (level: Protection, since: string, votesBefore: string, isOne: boolean, closed: boolean) =>
  `Since ${since}, ${level === 'browser' ? 'any browser' : needs[level]} ${closed ? 'was' : 'is'} needed; ${votesBefore} ${
    isOne ? 'vote was' : 'votes were'
  } cast before.`;
