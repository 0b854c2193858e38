import { badgeCategories, badgeKeys } from '#contract/badges.ts';
import type { BadgeCategory, BadgeKey } from '#contract/badges.ts';
import type { EarnedBadge } from '#contract/profile.ts';
import { badges, trackedBadges } from '#domain/badges/catalogue.ts';

/** A badge on a page of the album. */
export interface OwnBadge {
  readonly badge: BadgeKey;
  readonly earnedAt: string;
}

/** The core badges of one category, or null: those that stand outside. */
export interface AlbumPage {
  readonly category: BadgeCategory | null;
  readonly badges: readonly OwnBadge[];
  /** How many the category has; null where some are hidden. */
  readonly total: number | null;
}

/** How many core badges each category has. */
export const coreTotals: readonly (readonly [BadgeCategory, number])[] = badgeCategories.map((category) => [
  category,
  trackedBadges.filter((key) => badges[key].tier === 'core' && badges[key].category === category).length,
]);

/** Earned badges, a page for each category, in the order of the catalogue, and one for those outside if there are any. */
export function albumOf(earned: readonly EarnedBadge[]): readonly AlbumPage[] {
  const dates = new Map(earned.map(({ badgeType, earnedAt }) => [badgeType, earnedAt]));
  const own = badgeKeys.flatMap((badge) => {
    const earnedAt = dates.get(badge);
    return earnedAt === undefined ? [] : [{ badge, earnedAt }];
  });
  const outside = own.filter(({ badge }) => badges[badge].tier !== 'core');
  return [
    ...coreTotals.map(([category, total]) => ({
      category,
      total,
      badges: own.filter(({ badge }) => badges[badge].tier === 'core' && badges[badge].category === category),
    })),
    ...(outside.length > 0 ? [{ category: null, total: null, badges: outside }] : []),
  ];
}
