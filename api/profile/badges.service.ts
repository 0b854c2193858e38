import type { NewBadge } from '#contract/account.ts';
import { badgeCategories, badgeKeys } from '#contract/badges.ts';
import type { BadgeKey } from '#contract/badges.ts';
import type { BadgeTracker, Tally, TrackedBadge } from '#contract/profile.ts';
import { progressOf } from '#domain/badges/awards.ts';
import { badges, trackedBadges } from '#domain/badges/catalogue.ts';
import type { Progress } from '#domain/badges/progress.ts';
import { iso } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { progressFor } from '#api/activity/progress.service.ts';
import { earnedBadges, takeAnnouncements } from './timeline.queries.ts';

/** Every tracked badge with its progress, the hidden ones that are earned, and how many of each there are. */
export async function badgeTrackerOf(db: Database, userId: string): Promise<BadgeTracker> {
  const rows = await earnedBadges(db, userId);
  const earned = new Map(rows.map(({ badge_type, earned_at }) => [badge_type, earned_at]));
  const progress = await progressFor(db, userId);
  const tally = (keys: readonly BadgeKey[]): Tally => {
    const count = keys.filter((key) => earned.has(key)).length;
    return { earned: count, total: keys.length, percent: Math.floor((count * 100) / keys.length) };
  };
  return {
    overall: tally(badgeKeys),
    tracked: tally(trackedBadges),
    categories: badgeCategories.map((category) => ({
      category,
      ...tally(badgeKeys.filter((key) => badges[key].category === category && badges[key].tier === 'core')),
    })),
    badges: badgeKeys
      .filter((key) => badges[key].tier !== 'legacy' || earned.has(key))
      .map((key) => trackedBadge(key, progress, earned.get(key))),
  };
}

function trackedBadge(key: BadgeKey, progress: Progress, earnedAt: number | undefined): TrackedBadge {
  const { category, tier, target } = badges[key];
  // A badge that is held is whole, also if it was handed out for no fact.
  const { current, percent } = earnedAt === undefined ? progressOf(key, progress) : { current: target, percent: 100 };
  return {
    key,
    category,
    tier,
    earnedAt: earnedAt === undefined ? null : iso(earnedAt),
    current,
    target,
    percent,
    remaining: target - current,
  };
}

/** Badges that a member was not told of yet, oldest first. */
export async function newBadgesOf(db: Database, userId: string): Promise<NewBadge[]> {
  return (await earnedBadges(db, userId)).filter(({ announced }) => !announced).map(newBadge);
}

/**
 * Takes on telling a member of badges; answers those that nobody else has taken on, oldest first. Of two tabs that ask
 * for the same one, one gets it.
 */
export async function announceBadges(db: Database, userId: string, keys: readonly BadgeKey[]): Promise<NewBadge[]> {
  const taken = await takeAnnouncements(db, userId, keys);
  return taken.sort((a, b) => a.earned_at - b.earned_at).map(newBadge);
}

const newBadge = ({ badge_type, earned_at }: { badge_type: string; earned_at: number }): NewBadge => ({
  key: badge_type as BadgeKey,
  earnedAt: iso(earned_at),
});
