import type { BadgeKey } from '#contract/badges.ts';
import { activityMotifs } from './activity.ts';
import { communityMotifs } from './community.ts';
import { creatorMotifs } from './creator.ts';
import { extraMotifs } from './extra.ts';
import { funMotifs } from './fun.ts';
import type { Motif } from './shapes.ts';
import { votingMotifs } from './voting.ts';

/** The figure on each badge's vane. */
export const motifs: Readonly<Record<BadgeKey, Motif>> = {
  ...votingMotifs,
  ...creatorMotifs,
  ...activityMotifs,
  ...communityMotifs,
  ...funMotifs,
  ...extraMotifs,
};
