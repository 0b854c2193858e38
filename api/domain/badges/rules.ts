import { badgeKeys, badgeTargets } from '#api/members/badges/badges.contract.ts';
import type { BadgeCategory, BadgeColour, BadgeKey, BadgeTier } from '#api/members/badges/badges.contract.ts';
import type { Progress } from './progress.ts';

/** A badge with its one rule: it is earned when `count` of a member's progress reaches `target`. */
export interface Badge {
  readonly key: BadgeKey;
  readonly category: BadgeCategory;
  readonly tier: BadgeTier;
  readonly colour: BadgeColour;
  readonly target: number;
  readonly count: (progress: Progress) => number;
}

type Rule = Badge['count'];

/** A core badge has the color of its category, the others that of their tier. */
const categoryColours: Record<BadgeCategory, BadgeColour> = {
  voting: 'blue',
  creator: 'red',
  activity: 'green',
  community: 'amber',
  fun: 'purple',
};

const core = (category: BadgeCategory, count: Rule) =>
  ({ category, tier: 'core', colour: categoryColours[category], count }) as const;
const bonus = (category: BadgeCategory, count: Rule) => ({ category, tier: 'bonus', colour: 'ink', count }) as const;
const legacy = (category: BadgeCategory, count: Rule) =>
  ({ category, tier: 'legacy', colour: 'patina', count }) as const;

const entries: Readonly<Record<BadgeKey, Omit<Badge, 'key' | 'target'>>> = {
  votes_1: core('voting', (p) => p.counts.votes),
  votes_10: core('voting', (p) => p.counts.votes),
  votes_100: core('voting', (p) => p.counts.votes),
  votes_500: core('voting', (p) => p.counts.votes),
  weekly_votes_25: core('voting', (p) => p.counts.weeklyVotes),
  community_votes_25: core('voting', (p) => p.counts.communityVotes),
  vote_categories_8: core('voting', (p) => p.votedCategories.length),
  first_hour_votes_3: core('voting', (p) => p.counts.firstHourVotes),
  last_hour_vote: core('voting', (p) => p.counts.lastHourVotes),

  polls_1: core('creator', (p) => p.counts.qualifiedPolls),
  polls_10: core('creator', (p) => p.counts.qualifiedPolls),
  polls_50: core('creator', (p) => p.counts.qualifiedPolls),
  viral_poll: core('creator', (p) => p.mostVotes),
  mega_poll: core('creator', (p) => p.mostVotes),
  hot_topic: core('creator', (p) => p.mostComments),
  every_visibility: core('creator', (p) => p.visibilities.length),
  poll_categories_5: core('creator', (p) => p.createdCategories.length),

  streak_7: core('activity', (p) => p.days.longest),
  streak_30: core('activity', (p) => p.days.longest),
  streak_100: core('activity', (p) => p.days.longest),
  active_days_50: core('activity', (p) => p.days.total),
  opened_50: core('activity', (p) => p.counts.openedPolls),
  weekend_votes_20: core('activity', (p) => p.weekendVotes),
  four_seasons: core('activity', (p) => p.seasons.length),
  cake_day: core('activity', daysOfMembership),
  badges_10: core('activity', (p) => p.badges.length),
  badges_25: core('activity', (p) => p.badges.length),

  comments_1: core('community', (p) => p.counts.comments),
  comments_25: core('community', (p) => p.counts.comments),
  comments_100: core('community', (p) => p.counts.comments),
  shares_5: core('community', (p) => p.counts.shares),
  shares_25: core('community', (p) => p.counts.shares),
  invites_5: core('community', (p) => p.counts.acceptedInvites),
  invites_20: core('community', (p) => p.counts.acceptedInvites),

  close_call: core('fun', (p) => p.counts.closeCalls),
  landslide: core('fun', (p) => p.counts.landslides),
  night_votes_5: core('fun', (p) => p.counts.nightVotes),
  dawn_votes_5: core('fun', (p) => p.counts.dawnVotes),
  friday_13: core('fun', (p) => p.counts.fridayThe13thVotes),
  new_year: core('fun', (p) => p.counts.newYearVotes),
  day_votes_10: core('fun', (p) => p.dayVotes),
  own_horn: core('fun', (p) => p.counts.ownPollVotes),
  long_winded: core('fun', (p) => p.counts.fullComments),
  hat_trick: core('fun', (p) => p.dayActions),

  front_page: bonus('creator', (p) => p.counts.featuredPolls),
  five_winds: bonus('activity', (p) => new Set(coreBadgesOf(p).map((key) => badges[key].category)).size),
  weathercock: bonus('activity', (p) => coreBadgesOf(p).length),

  early_adopter: legacy('activity', ({ joined }) => Number(joined?.early === true)),
  midnight_vote: legacy('voting', (p) => p.counts.midnightVotes),
  leap_day: legacy('activity', (p) => p.counts.leapDayActions),
  solstice: legacy('fun', (p) => p.counts.solsticeVotes),
  dead_calm: legacy('fun', (p) => p.counts.deadHeats),
  ten_options: legacy('creator', (p) => p.counts.fullPolls),
  by_invitation: legacy('community', (p) => p.counts.followedInvitations),
};

/** All badges by key. */
export const badges = Object.fromEntries(
  badgeKeys.map((key) => [key, { key, target: badgeTargets[key], ...entries[key] }]),
) as Readonly<Record<BadgeKey, Badge>>;

/** The badges whose progress every member sees; the others are hidden until earned. */
export const trackedBadges: readonly BadgeKey[] = badgeKeys.filter((key) => badges[key].tier !== 'legacy');

/** Days from the sign-up to the last active day. */
function daysOfMembership({ joined, days }: Progress): number {
  return joined === null || days.last === null ? 0 : Math.max(0, days.last - joined.day);
}

function coreBadgesOf(progress: Progress): readonly BadgeKey[] {
  return progress.badges.filter((key) => badges[key].tier === 'core');
}

const allBadges = Object.values(badges);

/** The badges whose rule is met and that are not held yet; badges that count badges are checked until none is added. */
export function earnedAfter(progress: Progress): readonly BadgeKey[] {
  const met = allBadges.filter(({ count, target }) => count(progress) >= target);
  const added = met.map(({ key }) => key).filter((key) => !progress.badges.includes(key));
  if (added.length === 0) return [];
  return [...added, ...earnedAfter({ ...progress, badges: [...progress.badges, ...added] })];
}

/** How close a member is to one badge. */
export interface BadgeProgress {
  /** At most the target. */
  readonly current: number;
  readonly target: number;
  /** Rounded down: 100 only if the target is reached. */
  readonly percent: number;
}

export function progressToward(key: BadgeKey, progress: Progress): BadgeProgress {
  const { count, target } = badges[key];
  const current = Math.min(count(progress), target);
  return { current, target, percent: Math.floor((current * 100) / target) };
}
