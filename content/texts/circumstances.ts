import type { Circumstance } from '#contract/vocabulary.ts';

/** How votes were cast that count like others, as reports say it. */
export const circumstanceTexts = {
  varied: (pinned: number) =>
    `Browsers showed the answers in different orders, so that none gains from being first${pinned === 0 ? '' : pinned === 1 ? '; the last one was always last' : `; the last ${pinned} were always last`}.`,
  apart: {
    afterResults: (count: number, formatted: string) =>
      `${formatted} of the votes received here ${count === 1 ? 'was' : 'were'} cast after seeing results: the browser had opened the results without voting first. A mark in the browser tells this site so; people who delete it, or look with another browser, are not in this number.`,
    publishedOrder: (count: number, formatted: string) =>
      `${formatted} of the votes received here ${count === 1 ? 'was' : 'were'} cast with the answers in their published order, in a browser that runs no scripts, or stores nothing.`,
    embedded: (count: number, formatted: string) =>
      `${formatted} of the votes received here ${count === 1 ? 'was' : 'were'} cast in an embed on another site. Browsers keep such votes apart for each site, so somebody can be among them and among the others.`,
    onScreen: (count: number, formatted: string) =>
      `${formatted} of the votes received here ${count === 1 ? 'was' : 'were'} cast with a code that a screen showed to the people in a room. The limits per network don’t apply to such votes, and anyone who was sent the code could use it for some minutes.`,
  } satisfies Record<Circumstance, (count: number, formatted: string) => string>,
} as const;
