import { describe, expect, test } from 'vitest';
import { badgeCategories, badgeKeys, badgeTargets } from '#api/members/badges/badges.contract.ts';
import * as limits from '#contract/limits.ts';
import { badgesAfter, progressAfter } from '#api/testing/badge-histories.ts';
import type { BadgeEvent } from '#api/testing/badge-histories.ts';
import { joined, noon, stories } from '#api/testing/badge-stories.ts';
import { badges, earnedAfter, progressToward, trackedBadges } from './rules.ts';

const ofTier = (tier: string) => badgeKeys.filter((key) => badges[key].tier === tier);

test('[S1.13 S3.21 S9.10 D7.1 D7.2] there are 54 badges: 44 core in five categories, 3 bonus, 7 legacy', () => {
  expect([badgeKeys.length, new Set(badgeKeys).size, limits.badges]).toEqual([54, 54, 54]);
  const core = ofTier('core');
  expect(badgeCategories.map((category) => core.filter((key) => badges[key].category === category).length)).toEqual([
    9, 8, 10, 7, 10,
  ]);
  expect([core, ofTier('bonus'), ofTier('legacy')].map((keys) => keys.length)).toEqual([44, 3, 7]);
  expect(badgeTargets.weathercock).toBe(core.length);
});

test('[S3.21 D7.1] 47 badges are tracked, the legacy ones are hidden', () => {
  expect(trackedBadges).toHaveLength(47);
  expect(trackedBadges.filter((key) => badges[key].tier === 'legacy')).toEqual([]);
});

test('[S9.11 S9.12 D7.8] every threshold of the specification is in use', () => {
  const targets = (start: string) => badgeKeys.filter((key) => key.startsWith(start)).map((key) => badgeTargets[key]);
  expect(targets('votes_')).toEqual([1, 10, 100, 500]);
  expect(targets('polls_')).toEqual([1, 10, 50]);
  expect(targets('comments_')).toEqual([1, 25, 100]);
  expect(targets('badges_')).toEqual([10, 25]);
  expect(targets('streak_')).toEqual([7, 30, 100]);
  expect(targets('shares_')).toEqual([5, 25]);
  expect(targets('invites_')).toEqual([5, 20]);
  const { viral_poll, mega_poll, hot_topic, opened_50, weekend_votes_20, cake_day } = badgeTargets;
  expect([viral_poll, mega_poll, hot_topic, opened_50, weekend_votes_20, cake_day]).toEqual([
    100, 1_000, 20, 50, 20, 365,
  ]);
});

describe.each(badgeKeys)('the badge %s', (key) => {
  const { target } = badges[key];
  // An ordinary sign-up, except for the badge that is about signing up.
  const start = key === 'early_adopter' ? [] : [joined({ at: noon })];

  test('[S9.12] is not earned one step before its target', () => {
    const progress = progressAfter([...start, ...stories[key](target - 1)]);
    expect(progressToward(key, progress)).toEqual({
      current: target - 1,
      target,
      percent: Math.floor(((target - 1) * 100) / target),
    });
    expect(earnedAfter(progress)).not.toContain(key);
  });

  test('[S9.12 D7.2] is earned at its target, once, however much follows', () => {
    const progress = progressAfter([...start, ...stories[key](target), ...stories[key](target)]);
    expect([...progress.badges, ...earnedAfter(progress)].filter((held) => held === key)).toHaveLength(1);
    expect(progressToward(key, progress)).toEqual({ current: target, target, percent: 100 });
  });
});

/** Badges that are missing after the sign-up and the stories of all other badges. */
function missing(signUp: BadgeEvent): string[] {
  const events = badgeKeys
    .filter((key) => key !== 'early_adopter')
    .flatMap((key) => stories[key](badges[key].target))
    .filter(({ type }) => type !== 'badge_earned');
  const held = badgesAfter([signUp, ...events]);
  return badgeKeys.filter((key) => !held.includes(key));
}

test('[D7.2] one person can earn all 54', () => {
  expect(missing(joined({ at: Date.UTC(2025, 10, 1), early: true }))).toEqual([]);
});

test('[S9.13] members who are not early adopters can earn the other 53', () => {
  expect(missing(joined())).toEqual(['early_adopter']);
});
