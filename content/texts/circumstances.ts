import type { Circumstance } from '#contract/vocabulary.ts';

/** How votes were cast that count like others, as reports say it. */
export const circumstanceTexts = {
  varied: (pinned: number) =>
    `The answers had another order in every browser, so that none gains from being first${pinned === 0 ? '' : pinned === 1 ? '; the last one was always last' : `; the last ${pinned} were always last`}.`,
  apart: {
    afterResults: (count: number, formatted: string) =>
      `${formatted} of the votes received here ${count === 1 ? 'was' : 'were'} cast after seeing results: the browser had opened the results without voting first. A mark in the browser tells that, so who deletes it, or looks with another browser, is not in this number.`,
    publishedOrder: (count: number, formatted: string) =>
      `${formatted} of the votes received here ${count === 1 ? 'was' : 'were'} cast with the answers in their published order, because scripts did not run there, or the browser stores nothing.`,
    embedded: (count: number, formatted: string) =>
      `${formatted} of the votes received here ${count === 1 ? 'was' : 'were'} cast in an embed on another site. Browsers keep such votes apart for each site, so somebody can be among them and among the others.`,
    onScreen: (count: number, formatted: string) =>
      `${formatted} of the votes received here ${count === 1 ? 'was' : 'were'} cast with a code that a screen showed to the people in a room. The limits per network don’t hold for such votes, and whoever was sent the code could use it for some minutes.`,
  } satisfies Record<Circumstance, (count: number, formatted: string) => string>,
} as const;
