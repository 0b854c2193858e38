import * as limits from '#contract/limits.ts';

/** Whether the list of a closed poll’s ballots can be published, from which anyone can recount it. */
export const mayListBallots = (ballots: number, { method }: { readonly method: string }): boolean =>
  method !== 'ranked' || ballots >= limits.leastRankedBallots;
