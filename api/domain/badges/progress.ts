import { badgeNumbers, badgeTargets } from '#contract/badges.ts';
import type { BadgeKey } from '#contract/badges.ts';
import type { Visibility } from '#contract/vocabulary.ts';
import * as calendar from './calendar.ts';
import { isOwnDoing } from './facts.ts';
import type { FactEvent } from './facts.ts';
import { isForgotten, noDays, noWindows, oneMore, oneOfKinds, withDay } from './recent.ts';
import type { ActiveDays, Windows } from './recent.ts';

/** Things that are simply counted. */
const counters = [
  'votes',
  'weeklyVotes',
  'communityVotes',
  'firstHourVotes',
  'lastHourVotes',
  'ownPollVotes',
  'nightVotes',
  'dawnVotes',
  'midnightVotes',
  'fridayThe13thVotes',
  'newYearVotes',
  'solsticeVotes',
  'polls',
  'fullPolls',
  'featuredPolls',
  'closeCalls',
  'landslides',
  'deadHeats',
  'comments',
  'fullComments',
  'shares',
  'openedPolls',
  'acceptedInvites',
  'followedInvitations',
  'leapDayDoings',
] as const;
type Counter = (typeof counters)[number];

/** Changes when a stored progress can no longer be read, or would have become another: it is then computed anew. */
export const progressVersion = 2;

/**
 * Everything about one person that the rules ask, in bounded space and ready to be stored as JSON. Every figure only
 * grows, and a fact never makes another one count for less; so neither the order of the facts nor the moment of asking
 * decides what is earned.
 */
export interface Progress {
  readonly version: number;
  /** Day and circumstances of the sign-up; null until that fact has arrived. */
  readonly joined: { readonly at: number; readonly early: boolean } | null;
  /** The last day on which the person was here. */
  readonly lastDay: number | null;
  readonly counts: Readonly<Record<Counter, number>>;
  /** Votes and comments of the own poll that has the most of them. */
  readonly mostVotes: number;
  readonly mostComments: number;
  /** Different ones, as many as the badge asks for and no more. */
  readonly votedCategories: readonly string[];
  readonly createdCategories: readonly string[];
  readonly visibilities: readonly Visibility[];
  readonly seasons: readonly number[];
  readonly days: ActiveDays;
  readonly weekendVotes: Windows;
  readonly dayVotes: Windows;
  /** Kinds of doing (vote, comment, share) on one day. */
  readonly dayKinds: Windows;
  readonly badges: readonly BadgeKey[];
}

export const noProgress: Progress = {
  version: progressVersion,
  joined: null,
  lastDay: null,
  counts: Object.fromEntries(counters.map((counter) => [counter, 0])) as Record<Counter, number>,
  mostVotes: 0,
  mostComments: 0,
  votedCategories: [],
  createdCategories: [],
  visibilities: [],
  seasons: [],
  days: noDays,
  weekendVotes: noWindows,
  dayVotes: noWindows,
  dayKinds: noWindows,
  badges: [],
};

/** The progress after one more fact. Pure, and its cost does not depend on how much has happened before. */
export function reduce(progress: Progress, event: FactEvent): Progress {
  return heard(isOwnDoing(event) ? wasHere(progress, event.at) : progress, event);
}

/**
 * Whether a fact comes so late that it may count for less than it would have in its time: the days or weekends around it
 * are no longer kept. The progress is still right after a count of the whole history in order of time.
 */
export function comesTooLate({ days, dayVotes, dayKinds, weekendVotes }: Progress, event: FactEvent): boolean {
  if (!isOwnDoing(event)) return false;
  const day = calendar.dayOf(event.at);
  const weekend = calendar.weekendOf(day);
  return (
    (days.closedUntil !== null && day <= days.closedUntil) ||
    isForgotten(dayVotes, day) ||
    isForgotten(dayKinds, day) ||
    (weekend !== null && isForgotten(weekendVotes, weekend))
  );
}

function heard(progress: Progress, event: FactEvent): Progress {
  switch (event.fact) {
    case 'account_created':
      return { ...progress, joined: { at: event.at, early: event.early } };
    case 'day_active':
      return progress;
    case 'badge_earned':
      return { ...progress, badges: withOne(progress.badges, event.badge) };
    case 'vote_cast':
      return voted(progress, event);
    case 'poll_created':
      return {
        ...counted(progress, { polls: true, fullPolls: event.options >= badgeNumbers.mostOptions }),
        visibilities: withOne(progress.visibilities, event.visibility),
        createdCategories: withCategory(progress.createdCategories, event.category, badgeTargets.poll_categories_5),
      };
    case 'comment_posted':
      return {
        ...counted(progress, { comments: true, fullComments: event.length >= badgeNumbers.longComment }),
        dayKinds: oneOfKinds(progress.dayKinds, calendar.dayOf(event.at), kinds.comment),
      };
    case 'poll_shared':
      return {
        ...counted(progress, { shares: true }),
        dayKinds: oneOfKinds(progress.dayKinds, calendar.dayOf(event.at), kinds.share),
      };
    case 'poll_opened':
      return counted(progress, { openedPolls: true });
    case 'invitation_followed':
      return counted(progress, { followedInvitations: true });
    case 'invite_accepted':
      return counted(progress, { acceptedInvites: true });
    case 'own_poll_voted':
      return { ...progress, mostVotes: Math.max(progress.mostVotes, event.votes) };
    case 'own_poll_commented':
      return { ...progress, mostComments: Math.max(progress.mostComments, event.comments) };
    case 'own_poll_closed':
      return counted(progress, resultOf(event));
    case 'own_poll_featured':
      return counted(progress, { featuredPolls: true });
  }
}

const kinds = { vote: 1, comment: 2, share: 4 } as const;

function wasHere(progress: Progress, at: number): Progress {
  const day = calendar.dayOf(at);
  return {
    ...counted(progress, { leapDayDoings: calendar.isLeapDay(at) }),
    lastDay: Math.max(progress.lastDay ?? day, day),
    days: withDay(progress.days, day),
    seasons: withOne(progress.seasons, calendar.seasonOf(at)),
  };
}

function voted(progress: Progress, event: FactEvent & { readonly fact: 'vote_cast' }): Progress {
  const { at, startsAt, endsAt } = event;
  const day = calendar.dayOf(at);
  const weekend = calendar.weekendOf(day);
  const others = !event.ownPoll;
  return {
    ...counted(progress, {
      votes: true,
      weeklyVotes: event.kind === 'poll',
      communityVotes: event.kind === 'community' && others,
      firstHourVotes: others && at - startsAt < badgeNumbers.edgeMs,
      lastHourVotes: others && endsAt !== null && endsAt - at <= badgeNumbers.edgeMs,
      ownPollVotes: event.ownPoll,
      nightVotes: calendar.isNight(at),
      dawnVotes: calendar.isDawn(at),
      midnightVotes: calendar.isMidnight(at),
      fridayThe13thVotes: calendar.isFridayThe13th(at),
      newYearVotes: calendar.isNewYear(at),
      solsticeVotes: calendar.isSolstice(at),
    }),
    votedCategories: withCategory(progress.votedCategories, event.category, badgeTargets.vote_categories_8),
    dayVotes: oneMore(progress.dayVotes, day),
    weekendVotes: weekend === null ? progress.weekendVotes : oneMore(progress.weekendVotes, weekend),
    dayKinds: oneOfKinds(progress.dayKinds, day, kinds.vote),
  };
}

/** What a result is worth telling. Whole numbers are compared, so that 5 % exactly is no rounding matter. */
function resultOf(event: FactEvent & { readonly fact: 'own_poll_closed' }): Partial<Record<Counter, boolean>> {
  const { votes, first, second } = event;
  if (votes < badgeNumbers.resultVotes) return {};
  return {
    closeCalls: (first - second) * 100 < badgeNumbers.closeCallPoints * votes,
    landslides: first * 100 >= badgeNumbers.landslidePercent * votes,
    deadHeats: first === second,
  };
}

function counted(progress: Progress, happened: Partial<Record<Counter, boolean>>): Progress {
  const counts = { ...progress.counts };
  for (const [counter, did] of Object.entries(happened)) if (did) counts[counter as Counter] += 1;
  return { ...progress, counts };
}

function withOne<T>(list: readonly T[], one: T): readonly T[] {
  return list.includes(one) ? list : [...list, one];
}

/** Letter case and hyphens make no other category: the operator writes `world-news`, the members' list says World News. */
function withCategory(list: readonly string[], category: string | null, most: number): readonly string[] {
  const plain =
    category
      ?.toLowerCase()
      .replace(/[-\s]+/g, ' ')
      .trim() ?? '';
  return plain === '' || list.length >= most ? list : withOne(list, plain);
}
