import { badgeNumbers } from '#api/members/badges/badges.contract.ts';
import type { BadgeKey } from '#api/members/badges/badges.contract.ts';
import type { PollKind, Visibility } from '#contract/vocabulary.ts';
import * as calendar from './calendar.ts';

/** What is known of a vote besides its poll and its day: from its time, and whose poll it is on. */
export const voteTraits = ['own', 'firstHour', 'lastHour', 'night', 'dawn', 'midnight'] as const;
export type VoteTrait = (typeof voteTraits)[number];

/** What a member did on a day in UTC, `count` times with the same details. */
export type Deed = {
  /** Since 1970. */
  readonly day: number;
  readonly count: number;
} & (
  | { readonly type: 'member.joined'; readonly early: boolean }
  | {
      readonly type: 'vote.cast';
      readonly kind: PollKind;
      readonly category: string | null;
      readonly traits: readonly VoteTrait[];
      /** Set aside or held: the member was active, but the votes don’t count. */
      readonly setAside: boolean;
    }
  /** `full`: as long as comments can be. */
  | { readonly type: 'comment.posted'; readonly full: boolean }
  | { readonly type: PlainDeed }
);

/** Deeds without details; the last two are what others did with a poll of the member. */
type PlainDeed =
  | 'member.active'
  | 'poll.created'
  | 'poll.viewed'
  | 'poll.shared'
  | 'invitation.followed'
  | 'invitation.accepted'
  | 'poll.featured';

const ofOthers: readonly Deed['type'][] = ['invitation.accepted', 'poll.featured'];

/** How well a community poll did: as it is now, or was when it was deleted. */
export interface PollFigures {
  readonly votes: number;
  readonly comments: number;
  /** Enough others have voted on it. */
  readonly qualified: boolean;
  /** Votes of the two leading answers; null until it has closed, and while a decision about held votes is pending. */
  readonly result: readonly [first: number, second: number] | null;
}

/** A community poll of the member, as it was created. */
export interface OwnPoll extends PollFigures {
  readonly visibility: Visibility;
  readonly category: string | null;
  /** How many answers it offers. */
  readonly options: number;
}

/** Everything about one member that the rules read. */
export interface History {
  readonly deeds: readonly Deed[];
  readonly polls: readonly OwnPoll[];
  /** Held, oldest first. */
  readonly badges: readonly BadgeKey[];
}

/** Days on which the member was active: the last one, the streak that ends with it, and the longest streak. */
export interface ActiveDays {
  readonly last: number | null;
  readonly streak: number;
  readonly longest: number;
  readonly total: number;
}

/** The figures of the rules. */
export type Progress = ReturnType<typeof progressOf>;

/** What a member’s history comes to. */
export function progressOf({ deeds, polls, badges }: History) {
  const of = <Type extends Deed['type']>(type: Type) =>
    deeds.filter((deed): deed is Extract<Deed, { type: Type }> => deed.type === type);
  const votes = of('vote.cast').filter(({ setAside }) => !setAside);
  const votesWith = (trait: VoteTrait) => total(votes.filter(({ traits }) => traits.includes(trait)));
  const on = (is: (at: number) => boolean) => total(votes.filter(({ day }) => is(day * calendar.dayMs)));
  const ofOthersPolls = votes.filter(({ traits }) => !traits.includes('own'));
  const comments = of('comment.posted');
  const shares = of('poll.shared');
  const own = deeds.filter(({ type }) => !ofOthers.includes(type));
  const [joined] = of('member.joined');
  const qualified = polls.filter((poll) => poll.qualified);
  // Whole numbers, so that exactly 5% is not a matter of rounding.
  const results = polls.flatMap(({ votes: all, result }) =>
    result === null || all < badgeNumbers.resultVotes ? [] : [{ all, first: result[0], second: result[1] }],
  );
  const { closeCallPoints, landslidePercent, mostOptions } = badgeNumbers;
  return {
    /** Null before the sign-up event. */
    joined: joined === undefined ? null : { day: joined.day, early: joined.early },
    counts: {
      votes: total(votes),
      weeklyVotes: total(votes.filter(({ kind }) => kind === 'poll')),
      communityVotes: total(ofOthersPolls.filter(({ kind }) => kind === 'community')),
      firstHourVotes: total(ofOthersPolls.filter(({ traits }) => traits.includes('firstHour'))),
      lastHourVotes: total(ofOthersPolls.filter(({ traits }) => traits.includes('lastHour'))),
      ownPollVotes: votesWith('own'),
      nightVotes: votesWith('night'),
      dawnVotes: votesWith('dawn'),
      midnightVotes: votesWith('midnight'),
      fridayThe13thVotes: on(calendar.isFridayThe13th),
      newYearVotes: on(calendar.isNewYear),
      solsticeVotes: on(calendar.isSolstice),
      polls: total(of('poll.created')),
      qualifiedPolls: qualified.length,
      fullPolls: qualified.filter(({ options }) => options >= mostOptions).length,
      featuredPolls: total(of('poll.featured')),
      closeCalls: results.filter(({ all, first, second }) => (first - second) * 100 < closeCallPoints * all).length,
      landslides: results.filter(({ all, first }) => first * 100 >= landslidePercent * all).length,
      deadHeats: results.filter(({ first, second }) => first === second).length,
      comments: total(comments),
      fullComments: total(comments.filter(({ full }) => full)),
      shares: total(shares),
      openedPolls: total(of('poll.viewed')),
      acceptedInvites: total(of('invitation.accepted')),
      followedInvitations: total(of('invitation.followed')),
      leapDayActions: total(own.filter(({ day }) => calendar.isLeapDay(day * calendar.dayMs))),
    },
    /** Of the member's poll that has the most. */
    mostVotes: Math.max(0, ...polls.map((poll) => poll.votes)),
    mostComments: Math.max(0, ...polls.map((poll) => poll.comments)),
    votedCategories: categoriesOf(votes),
    createdCategories: categoriesOf(qualified),
    visibilities: [...new Set(qualified.map(({ visibility }) => visibility))],
    seasons: [...new Set(own.map(({ day }) => calendar.seasonOf(day * calendar.dayMs)))],
    days: activeDays(own.map(({ day }) => day)),
    /** On one weekend and on one day. */
    weekendVotes: most(votes, ({ day }) => calendar.weekendOf(day)),
    dayVotes: most(votes, ({ day }) => day),
    /** Kinds of actions on one day. */
    dayActions: Math.max(0, ...kindsByDay([...votes, ...comments, ...shares])),
    badges,
  };
}

/** Days of the streak that is still alive: its last day is today, or yesterday, when today can still be added. */
export function currentStreak({ last, streak }: ActiveDays, today: number): number {
  if (last === null || last < today - 1) return 0;
  return Math.max(0, streak - Math.max(0, last - today));
}

const total = (deeds: readonly Deed[]): number => deeds.reduce((sum, { count }) => sum + count, 0);

function activeDays(active: readonly number[]): ActiveDays {
  let days: ActiveDays = { last: null, streak: 0, longest: 0, total: 0 };
  for (const day of [...new Set(active)].sort((a, b) => a - b)) {
    const streak = days.last === day - 1 ? days.streak + 1 : 1;
    days = { last: day, streak, longest: Math.max(days.longest, streak), total: days.total + 1 };
  }
  return days;
}

/** The most that was done in one window; null is in none. */
function most(deeds: readonly Deed[], windowOf: (deed: Deed) => number | null): number {
  const byWindow = Map.groupBy(deeds, windowOf);
  byWindow.delete(null);
  return Math.max(0, ...[...byWindow.values()].map(total));
}

function kindsByDay(deeds: readonly Deed[]): number[] {
  const byDay = Map.groupBy(deeds, ({ day }) => day);
  return [...byDay.values()].map((some) => new Set(some.map(({ type }) => type)).size);
}

/** Ignores case and hyphens: weekly polls have the category `world-news`, community polls World News. */
function categoriesOf(some: readonly { readonly category: string | null }[]): readonly string[] {
  const names = some.map(({ category }) =>
    category
      ?.toLowerCase()
      .replace(/[-\s]+/g, ' ')
      .trim(),
  );
  return [...new Set(names.filter((name) => name !== undefined && name !== ''))] as string[];
}
