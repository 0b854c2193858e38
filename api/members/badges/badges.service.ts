import type { NewBadge } from '#api/members/accounts/accounts.contract.ts';
import { badgeCategories, badgeKeys } from './badges.contract.ts';
import type { BadgeKey } from './badges.contract.ts';
import type { BadgeTracker, EarnedBadge, Tally, TrackedBadge } from '#api/members/profile/profile.contract.ts';
import type { Progress } from '#domain/badges/progress.ts';
import { badges, progressToward, trackedBadges } from '#domain/badges/rules.ts';
import { iso } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { BadgeModel } from './badge.model.ts';

/** The badges of a member, oldest first. */
export async function heldBadges(db: Database, userId: string): Promise<BadgeModel[]> {
  return BadgeModel.query(db).where({ user_id: userId }).orderBy(['earned_at', 'id']);
}

/** Every tracked badge with its progress, earned hidden badges, and totals. */
export async function badgeTrackerOf(db: Database, userId: string, progress: Progress): Promise<BadgeTracker> {
  const rows = await heldBadges(db, userId);
  const earned = new Map(rows.map(({ badge_type, earned_at }) => [badge_type, earned_at]));
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
  // An earned badge is shown as complete, even if it was awarded by hand.
  const { current, percent } =
    earnedAt === undefined ? progressToward(key, progress) : { current: target, percent: 100 };
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

/** The badges of a member as profile and export show them, oldest first. */
export async function badgesOf(db: Database, userId: string): Promise<EarnedBadge[]> {
  return (await heldBadges(db, userId)).map(({ badge_type, earned_at, metadata }) => ({
    badgeType: badge_type,
    earnedAt: iso(earned_at),
    metadata,
  }));
}

/** Badges that were not announced to the member, oldest first. */
export async function newBadgesOf(db: Database, userId: string): Promise<NewBadge[]> {
  return (await heldBadges(db, userId)).filter(({ announced }) => !announced).map(newBadge);
}

/** Claims the announcement of badges and returns those not claimed before, oldest first: of two tabs, one gets a badge. */
export async function announceBadges(db: Database, userId: string, keys: readonly BadgeKey[]): Promise<NewBadge[]> {
  const claimed = await BadgeModel.query(db)
    .where({ user_id: userId, announced: false })
    .whereIn('badge_type', [...keys])
    .patch({ announced: true })
    .returning(['badge_type', 'earned_at']);
  return claimed.sort((a, b) => a.earned_at - b.earned_at).map(newBadge);
}

const newBadge = ({ badge_type, earned_at }: BadgeModel): NewBadge => ({
  key: badge_type,
  earnedAt: iso(earned_at),
});

/** How many members hold each badge. */
export async function badgeHolders(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db('badges').groupBy('badge_type').count({ count: '*' }).select('badge_type');
  return new Map(rows.map(({ badge_type, count }) => [badge_type, Number(count)]));
}
