import * as limits from '#contract/limits.ts';

/**
 * The badges: keys, targets and groups. Separate from limits.ts, which is part of every page’s scripts. What is counted for
 * a key is in domain/badges/rules.ts, the texts are in texts/badges.ts.
 */

export const badgeCategories = ['voting', 'creator', 'activity', 'community', 'fun'] as const;
export type BadgeCategory = (typeof badgeCategories)[number];

/** Core and bonus badges are tracked from the start; legacy ones stay hidden until they are earned. */
export const badgeTiers = ['core', 'bonus', 'legacy'] as const;
export type BadgeTier = (typeof badgeTiers)[number];

/** Names of the colors in the stylesheet: `--badge-<name>`. */
export const badgeColours = ['blue', 'red', 'green', 'amber', 'purple', 'ink', 'patina'] as const;
export type BadgeColour = (typeof badgeColours)[number];

/** The count that earns each badge, by key, in display order. */
export const badgeTargets = {
  // Voting, core
  votes_1: 1,
  votes_10: 10,
  votes_100: 100,
  votes_500: 500,
  weekly_votes_25: 25,
  community_votes_25: 25,
  vote_categories_8: 8,
  first_hour_votes_3: 3,
  last_hour_vote: 1,
  // Creator, core
  polls_1: 1,
  polls_10: 10,
  polls_50: 50,
  viral_poll: 100,
  mega_poll: 1_000,
  hot_topic: 20,
  every_visibility: 3,
  poll_categories_5: 5,
  // Activity, core
  streak_7: 7,
  streak_30: 30,
  streak_100: 100,
  active_days_50: 50,
  opened_50: 50,
  weekend_votes_20: 20,
  four_seasons: 4,
  cake_day: 365,
  badges_10: 10,
  badges_25: 25,
  // Community, core
  comments_1: 1,
  comments_25: 25,
  comments_100: 100,
  shares_5: 5,
  shares_25: 25,
  invites_5: 5,
  invites_20: 20,
  // Fun, core
  close_call: 1,
  landslide: 1,
  night_votes_5: 5,
  dawn_votes_5: 5,
  friday_13: 1,
  new_year: 1,
  day_votes_10: 10,
  own_horn: 1,
  long_winded: 1,
  hat_trick: 3,
  // Bonus
  front_page: 1,
  five_winds: 5,
  weathercock: 44,
  // Legacy
  early_adopter: 1,
  midnight_vote: 1,
  leap_day: 1,
  solstice: 1,
  dead_calm: 1,
  ten_options: 1,
  by_invitation: 1,
} as const;
export type BadgeKey = keyof typeof badgeTargets;

export const badgeKeys = Object.keys(badgeTargets) as readonly BadgeKey[];

/** The numbers in the rules. Durations in milliseconds, hours of the day in UTC. */
export const badgeNumbers = {
  /** Percentage points between the first two answers below which a result is a close call. */
  closeCallPoints: 5,
  /** Percent of all votes from which a result is a landslide. */
  landslidePercent: 80,
  /** Votes below which a result does not count: one vote each is neither a tie nor close. */
  resultVotes: 10,
  /** Votes of others from which the badges for creating polls count a poll: polls made for a badge have none. */
  otherVotes: 5,
  /** The first and the last hour of a poll. */
  edgeMs: 3_600_000,
  nightFrom: 0,
  nightUntil: 5,
  dawnUntil: 8,
  longComment: limits.commentLength,
  mostOptions: limits.communityOptionsMax,
} as const;
