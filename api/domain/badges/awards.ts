import { badgeKeys } from '#contract/badges.ts';
import type { BadgeKey } from '#contract/badges.ts';
import { badges } from './catalogue.ts';
import type { FactEvent } from './facts.ts';
import { reduce } from './progress.ts';
import type { Progress } from './progress.ts';

const isMet = (key: BadgeKey, progress: Progress) => badges[key].count(progress) >= badges[key].target;

/**
 * The badges whose rule is met and that are not held yet. Some badges count badges: they are asked again until no more
 * come, so the answer is complete. Empty for a progress that has them all.
 */
export function earnedAfter(progress: Progress): readonly BadgeKey[] {
  const fresh = badgeKeys.filter((key) => !progress.badges.includes(key) && isMet(key, progress));
  if (fresh.length === 0) return [];
  return [...fresh, ...earnedAfter({ ...progress, badges: [...progress.badges, ...fresh] })];
}

/** One fact, and the badges that it brings, each of which is a fact of the same moment. */
export function recordFact(
  progress: Progress,
  event: FactEvent,
): { readonly progress: Progress; readonly earned: readonly BadgeKey[] } {
  const after = reduce(progress, event);
  const earned = earnedAfter(after);
  const award = (sum: Progress, badge: BadgeKey) => reduce(sum, { at: event.at, fact: 'badge_earned', badge });
  return { progress: earned.reduce(award, after), earned };
}

/** How far somebody is towards one badge, as the tracker shows it. */
export interface BadgeProgress {
  /** How many there are, never more than the target. */
  readonly current: number;
  readonly target: number;
  /** Whole percent, rounded down: 100 is said only of a badge whose target is reached. */
  readonly percent: number;
}

export function progressOf(key: BadgeKey, progress: Progress): BadgeProgress {
  const { count, target } = badges[key];
  const current = Math.min(count(progress), target);
  return { current, target, percent: Math.floor((current * 100) / target) };
}
