import type { BadgeCategory, BadgeTier } from '#contract/badges.ts';
import { around, circle, open, scallop, star, towards } from './shapes.ts';

/** The plate of an emblem: its outline, and what is engraved near its edge. */
export interface Frame {
  readonly plate: string;
  readonly engraving: string;
}

const middle = [32, 32] as const;
const ring = circle(middle, 25.6);

/** One outline for each category, so that they differ without colour: all are readings of a compass. */
const categoryFrames: Record<BadgeCategory, Frame> = {
  // The card of a compass: a circle with its four points.
  voting: {
    plate: cardinalCircle(),
    engraving: ring,
  },
  // The eight winds.
  creator: { plate: star(middle, [31], around(8, 22.5)), engraving: star(middle, [27], around(8, 22.5)) },
  // Twenty-four hours.
  activity: { plate: star(middle, [31.2, 28.4], around(48)), engraving: ring },
  // People in a ring.
  community: { plate: scallop(middle, 28, 12, 8.2, 1), engraving: ring },
  // The rose.
  fun: { plate: star(middle, [31.8, 27], around(16)), engraving: star(middle, [28.4, 24.4], around(16)) },
};

const bonusFrame: Frame = { plate: star(middle, [31.8, 27.4], around(32)), engraving: ring + circle(middle, 23.8) };
const legacyFrame: Frame = { plate: scallop(middle, 31, 20, 6, 0), engraving: ring };

/** A circle with a point at each of the four winds: their corners, joined by arcs. */
function cardinalCircle(): string {
  const at = (angle: number, radius = 28.4) => towards(middle, angle, radius);
  const points = around(4).map((angle) => open(at(angle - 8), at(angle, 31.8), at(angle + 8)).slice(1));
  return `M${[...points, open(at(-8)).slice(1)].join('A28.4 28.4 0 0 1 ')}Z`;
}

/** Core badges have the plate of their category, bonus and legacy badges one of their own. */
export function frameOf(category: BadgeCategory, tier: BadgeTier): Frame {
  if (tier === 'bonus') return bonusFrame;
  return tier === 'legacy' ? legacyFrame : categoryFrames[category];
}
