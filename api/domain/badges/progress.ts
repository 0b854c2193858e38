import { badgeNumbers, badgeTargets } from '#contract/badges.ts';
import type { BadgeKey } from '#contract/badges.ts';
import type { Visibility } from '#contract/vocabulary.ts';
import * as calendar from './calendar.ts';

/**
 * Something the server saw about one member. An event carries everything the rules need, as it was when it happened, so
 * that a rule never reads today's tables. `at` is milliseconds since 1970.
 */
export type BadgeEvent = {
  readonly at: number;
  /** It replaces what was recorded of it before. */
  readonly corrected?: true;
} & (AccountEvent | OwnAction | ReceivedEvent);

type AccountEvent =
  /** The member signed up; `early` is whether early adopters were still counted then. */
  | { readonly type: 'account_created'; readonly early: boolean }
  /** The first request of the day while signed in. */
  | { readonly type: 'day_active' }
  | { readonly type: 'badge_earned'; readonly badge: BadgeKey };

/** What the member did. */
type OwnAction =
  | {
      readonly type: 'vote_cast';
      readonly ballotId: string;
      readonly kind: 'poll' | 'community';
      readonly category: string | null;
      readonly ownPoll: boolean;
      readonly startsAt: number;
      readonly endsAt: number | null;
      /** It is set aside or held: the member was active, but the vote doesn’t count. */
      readonly setAside?: true;
    }
  | {
      readonly type: 'poll_created';
      readonly pollId: string;
      readonly visibility: Visibility;
      readonly category: string | null;
      /** How many answers it offers. */
      readonly options: number;
    }
  /** `length` in code points after trimming, as the limit counts them. */
  | { readonly type: 'comment_posted'; readonly commentId: string; readonly pollId: string; readonly length: number }
  /** Copied the link of a poll for the first time. */
  | { readonly type: 'poll_shared'; readonly pollId: string }
  /** Opened the page of a poll for the first time. */
  | { readonly type: 'poll_opened'; readonly pollId: string }
  /** Opened a private poll the member was invited to for the first time. */
  | { readonly type: 'invitation_followed'; readonly pollId: string };

/** What others did with a community poll of the member. */
type ReceivedEvent =
  /** A guest opened it for the first time. */
  | { readonly type: 'invite_accepted'; readonly pollId: string; readonly guestId: string }
  /** Its votes or comments so far. Totals, so that one event can cover a batch. */
  | { readonly type: 'own_poll_voted'; readonly pollId: string; readonly votes: number }
  | { readonly type: 'own_poll_commented'; readonly pollId: string; readonly comments: number }
  /** It closed with this many votes; `first` and `second` are those of the two leading answers. */
  | {
      readonly type: 'own_poll_closed';
      readonly pollId: string;
      readonly votes: number;
      readonly first: number;
      readonly second: number;
    }
  /** Enough others have voted on it: from now on the badges for creating polls count it, as it was created. */
  | {
      readonly type: 'own_poll_qualified';
      readonly pollId: string;
      readonly visibility: Visibility;
      readonly category: string | null;
      readonly options: number;
      /** Votes were set aside, and too few are left. */
      readonly setAside?: true;
    }
  /** The operator features it. */
  | { readonly type: 'own_poll_featured'; readonly pollId: string };

/** Events that do not make a day an active one. */
const notOwnActions: readonly BadgeEvent['type'][] = [
  'badge_earned',
  'invite_accepted',
  'own_poll_voted',
  'own_poll_commented',
  'own_poll_closed',
  'own_poll_qualified',
  'own_poll_featured',
];

const isOwnAction = (event: BadgeEvent) => !notOwnActions.includes(event.type);

const noCounts = {
  votes: 0,
  weeklyVotes: 0,
  communityVotes: 0,
  firstHourVotes: 0,
  lastHourVotes: 0,
  ownPollVotes: 0,
  nightVotes: 0,
  dawnVotes: 0,
  midnightVotes: 0,
  fridayThe13thVotes: 0,
  newYearVotes: 0,
  solsticeVotes: 0,
  polls: 0,
  qualifiedPolls: 0,
  fullPolls: 0,
  featuredPolls: 0,
  closeCalls: 0,
  landslides: 0,
  deadHeats: 0,
  comments: 0,
  fullComments: 0,
  shares: 0,
  openedPolls: 0,
  acceptedInvites: 0,
  followedInvitations: 0,
  leapDayActions: 0,
};
type Counter = keyof typeof noCounts;

/** Days on which the member was active: the last one, the streak that ends with it, and the longest streak. */
export interface ActiveDays {
  readonly last: number | null;
  readonly streak: number;
  readonly longest: number;
  readonly total: number;
}

/** What happened in the latest window (a day or a weekend), and the highest figure of any window. */
interface LatestWindow {
  readonly window: number | null;
  readonly value: number;
  readonly best: number;
}

const noWindow: LatestWindow = { window: null, value: 0, best: 0 };

/** Must change whenever a stored progress becomes unreadable or would be different; it is then computed again. */
const version = 4;

/** Everything about one member that the rules read: bounded in size and stored as JSON. Figures never decrease. */
export interface Progress {
  version: number;
  /** Null before the sign-up event. */
  joined: { readonly at: number; readonly early: boolean } | null;
  counts: Record<Counter, number>;
  /** Of the member's poll that has the most. */
  mostVotes: number;
  mostComments: number;
  /** Different ones, at most as many as the badge needs. */
  votedCategories: readonly string[];
  createdCategories: readonly string[];
  visibilities: readonly Visibility[];
  seasons: readonly number[];
  days: ActiveDays;
  weekendVotes: LatestWindow;
  dayVotes: LatestWindow;
  /** Kinds of actions (bits of `actionKinds`) on one day. */
  dayActions: LatestWindow;
  badges: readonly BadgeKey[];
}

export const noProgress: Readonly<Progress> = {
  version,
  joined: null,
  counts: noCounts,
  mostVotes: 0,
  mostComments: 0,
  votedCategories: [],
  createdCategories: [],
  visibilities: [],
  seasons: [],
  days: { last: null, streak: 0, longest: 0, total: 0 },
  weekendVotes: noWindow,
  dayVotes: noWindow,
  dayActions: noWindow,
  badges: [],
};

/** A stored progress; null if it is of another version. */
export function readProgress(figures: string): Progress | null {
  const progress = JSON.parse(figures) as Progress;
  return progress.version === version ? progress : null;
}

/** Whether all events must be folded again, in order of time: for a corrected one, or one of a day before the last one. */
export function needsReplay({ days }: Pick<Progress, 'days'>, event: BadgeEvent): boolean {
  return event.corrected === true || (isOwnAction(event) && days.last !== null && calendar.dayOf(event.at) < days.last);
}

/** The progress after one more event that needs no replay. */
export function fold(before: Readonly<Progress>, event: BadgeEvent): Progress {
  const progress: Progress = { ...before, counts: { ...before.counts } };
  if (isOwnAction(event)) addActiveDay(progress, event.at);
  switch (event.type) {
    case 'account_created':
      progress.joined = { at: event.at, early: event.early };
      break;
    case 'day_active':
      break;
    case 'badge_earned':
      progress.badges = withOne(progress.badges, event.badge);
      break;
    case 'vote_cast':
      if (event.setAside !== true) addVote(progress, event);
      break;
    case 'poll_created':
      count(progress, { polls: true });
      break;
    case 'comment_posted':
      count(progress, { comments: true, fullComments: event.length >= badgeNumbers.longComment });
      progress.dayActions = withAction(progress.dayActions, event.at, actionKinds.comment);
      break;
    case 'poll_shared':
      count(progress, { shares: true });
      progress.dayActions = withAction(progress.dayActions, event.at, actionKinds.share);
      break;
    case 'poll_opened':
      count(progress, { openedPolls: true });
      break;
    case 'invitation_followed':
      count(progress, { followedInvitations: true });
      break;
    case 'invite_accepted':
      count(progress, { acceptedInvites: true });
      break;
    case 'own_poll_voted':
      progress.mostVotes = Math.max(progress.mostVotes, event.votes);
      break;
    case 'own_poll_commented':
      progress.mostComments = Math.max(progress.mostComments, event.comments);
      break;
    case 'own_poll_closed':
      addResult(progress, event);
      break;
    case 'own_poll_qualified':
      if (event.setAside !== true) addQualifiedPoll(progress, event);
      break;
    case 'own_poll_featured':
      count(progress, { featuredPolls: true });
      break;
  }
  return progress;
}

/** Days of the streak that is still alive: its last day is today, or yesterday, when today can still be added. */
export function currentStreak({ last, streak }: ActiveDays, today: number): number {
  if (last === null || last < today - 1) return 0;
  return Math.max(0, streak - Math.max(0, last - today));
}

function addActiveDay(progress: Progress, at: number): void {
  const day = calendar.dayOf(at);
  const { last, streak, longest, total } = progress.days;
  if (day !== last) {
    const length = last === day - 1 ? streak + 1 : 1;
    progress.days = { last: day, streak: length, longest: Math.max(longest, length), total: total + 1 };
  }
  progress.seasons = withOne(progress.seasons, calendar.seasonOf(at));
  count(progress, { leapDayActions: calendar.isLeapDay(at) });
}

function addVote(progress: Progress, event: BadgeEvent & { readonly type: 'vote_cast' }): void {
  const { at, ownPoll, startsAt, endsAt } = event;
  const day = calendar.dayOf(at);
  const weekend = calendar.weekendOf(day);
  count(progress, {
    votes: true,
    weeklyVotes: event.kind === 'poll',
    communityVotes: event.kind === 'community' && !ownPoll,
    firstHourVotes: !ownPoll && at - startsAt < badgeNumbers.edgeMs,
    lastHourVotes: !ownPoll && endsAt !== null && endsAt - at <= badgeNumbers.edgeMs,
    ownPollVotes: ownPoll,
    nightVotes: calendar.isNight(at),
    dawnVotes: calendar.isDawn(at),
    midnightVotes: calendar.isMidnight(at),
    fridayThe13thVotes: calendar.isFridayThe13th(at),
    newYearVotes: calendar.isNewYear(at),
    solsticeVotes: calendar.isSolstice(at),
  });
  progress.votedCategories = withCategory(progress.votedCategories, event.category, badgeTargets.vote_categories_8);
  progress.dayVotes = withVote(progress.dayVotes, day);
  if (weekend !== null) progress.weekendVotes = withVote(progress.weekendVotes, weekend);
  progress.dayActions = withAction(progress.dayActions, at, actionKinds.vote);
}

function addQualifiedPoll(progress: Progress, event: BadgeEvent & { readonly type: 'own_poll_qualified' }): void {
  count(progress, { qualifiedPolls: true, fullPolls: event.options >= badgeNumbers.mostOptions });
  progress.visibilities = withOne(progress.visibilities, event.visibility);
  progress.createdCategories = withCategory(progress.createdCategories, event.category, badgeTargets.poll_categories_5);
}

/** Compares whole numbers, so that exactly 5% is not a matter of rounding. */
function addResult(progress: Progress, event: BadgeEvent & { readonly type: 'own_poll_closed' }): void {
  const { votes, first, second } = event;
  if (votes < badgeNumbers.resultVotes) return;
  count(progress, {
    closeCalls: (first - second) * 100 < badgeNumbers.closeCallPoints * votes,
    landslides: first * 100 >= badgeNumbers.landslidePercent * votes,
    deadHeats: first === second,
  });
}

function count({ counts }: Progress, happened: Partial<Record<Counter, boolean>>): void {
  for (const counter in happened) if (happened[counter as Counter]) counts[counter as Counter] += 1;
}

const valueIn = (latest: LatestWindow, window: number) => (latest.window === window ? latest.value : 0);

function withVote(latest: LatestWindow, window: number): LatestWindow {
  const value = valueIn(latest, window) + 1;
  return { window, value, best: Math.max(latest.best, value) };
}

const actionKinds = { vote: 1, comment: 2, share: 4 } as const;

function withAction(latest: LatestWindow, at: number, kind: number): LatestWindow {
  const window = calendar.dayOf(at);
  const value = valueIn(latest, window) | kind;
  const kinds = Object.values(actionKinds).filter((bit) => (value & bit) !== 0).length;
  return { window, value, best: Math.max(latest.best, kinds) };
}

function withOne<T>(list: readonly T[], one: T): readonly T[] {
  return list.includes(one) ? list : [...list, one];
}

/** Ignores case and hyphens: weekly polls have the category `world-news`, community polls World News. */
function withCategory(list: readonly string[], category: string | null, most: number): readonly string[] {
  const name = category
    ?.toLowerCase()
    .replace(/[-\s]+/g, ' ')
    .trim();
  return !name || list.length >= most ? list : withOne(list, name);
}
