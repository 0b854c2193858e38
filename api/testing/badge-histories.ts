import { badgeNumbers, badgeTargets } from '#api/members/badges/badges.contract.ts';
import type { BadgeCategory, BadgeKey } from '#api/members/badges/badges.contract.ts';
import { communityCategories, visibilities } from '#contract/vocabulary.ts';
import type { Visibility } from '#contract/vocabulary.ts';
import { progressOf } from '#domain/badges/progress.ts';
import type { Deed, OwnPoll, Progress, VoteTrait } from '#domain/badges/progress.ts';
import { earnedAfter } from '#domain/badges/rules.ts';
import { iso } from '#platform/clock.ts';
import type { Random } from './random.ts';

/** Random histories of a member, and a second, naive implementation of the badge rules. */

/** What happened to a member, as it was at that moment. `at` is milliseconds since 1970. */
export type BadgeEvent = { readonly at: number } & (AccountEvent | OwnAction | ReceivedEvent);

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

const hour = 3_600_000;
const day = 24 * hour;

interface CreatedPoll {
  readonly pollId: string;
  readonly created: Extract<BadgeEvent, { type: 'poll_created' }>;
  qualified: boolean;
  votes: number;
  comments: number;
}

/** The next event; one that needs an own poll is an active day if there is none. `voteShare` is percent. */
function nextEvent(random: Random, at: number, id: string, own: readonly CreatedPoll[], voteShare: number): BadgeEvent {
  const poll = own.length > 0 ? random.pick(own) : undefined;
  const category = random.chance(0.2) ? null : random.pick([...communityCategories, 'world-news', ' SCIENCE ']);
  const kind = random.whole(0, 99);
  if (kind < voteShare) {
    const ownPoll = poll !== undefined && random.chance(0.1);
    return {
      type: 'vote_cast',
      at,
      ballotId: id,
      kind: ownPoll || random.chance(0.5) ? 'community' : 'poll',
      category,
      ownPoll,
      startsAt: at - random.pick([0, hour - 1, hour, 2 * day]),
      endsAt: random.pick([null, at + hour, at + hour + 1, at + day]),
    };
  }
  const roll = random.whole(0, 13);
  const pollId = poll?.pollId ?? id;
  if (roll === 0)
    return {
      type: 'poll_created',
      at,
      pollId: id,
      visibility: random.pick(visibilities),
      category,
      options: random.whole(2, 10),
    };
  if (roll <= 2) {
    const length = random.pick([1, 200, 499, 500]);
    return { type: 'comment_posted', at, commentId: id, pollId: `${id}-poll`, length };
  }
  if (roll === 3) return { type: 'poll_shared', at, pollId: id };
  if (roll <= 5) return { type: 'poll_opened', at, pollId: id };
  if (roll === 6) return { type: 'invitation_followed', at, pollId: id };
  if (roll === 7) return { type: 'invite_accepted', at, pollId, guestId: id };
  if (poll === undefined) return { type: 'day_active', at };
  if (roll === 8 && !poll.qualified) {
    poll.qualified = true;
    return { ...poll.created, type: 'own_poll_qualified', at };
  }
  if (roll <= 9) return { type: 'own_poll_voted', at, pollId, votes: (poll.votes += random.pick([1, 5, 120])) };
  if (roll === 10) return { type: 'own_poll_commented', at, pollId, comments: (poll.comments += random.whole(1, 4)) };
  if (roll === 11) return { type: 'own_poll_featured', at, pollId };
  if (roll === 12) {
    const first = random.whole(0, 120);
    const second = random.chance(0.2) ? first : random.whole(0, first);
    return { type: 'own_poll_closed', at, pollId, votes: first + second + random.whole(0, 5), first, second };
  }
  return { type: 'day_active', at };
}

/** A history in order of time: busy hours, steady days, and pauses of up to two months. */
export function randomHistory(random: Random, length: number): BadgeEvent[] {
  let at = random.whole(Date.UTC(2025, 9, 1), Date.UTC(2028, 0, 1));
  const history: BadgeEvent[] = [{ type: 'account_created', at, early: random.chance(0.5) }];
  const own: CreatedPoll[] = [];
  const voteShare = random.whole(10, 80);
  const steps = random.pick([[hour], [1, hour, day], [1, 1, 60_000, hour, 10 * hour, day, day, 3 * day, 60 * day]]);
  while (history.length < length) {
    const step = random.pick(steps);
    at += step === day ? day : random.whole(0, step);
    const event = nextEvent(random, at, `id-${history.length}`, own, voteShare);
    if (event.type === 'poll_created')
      own.push({ pollId: event.pollId, created: event, qualified: false, votes: 0, comments: 0 });
    history.push(event);
  }
  return history;
}

/** What a history comes to. */
export function progressAfter(history: readonly BadgeEvent[]): Progress {
  return progressOf({
    deeds: history.flatMap((event) => deedOf(event) ?? []),
    polls: history.flatMap((event) => pollOf(event) ?? []),
    badges: history.flatMap((event) => (event.type === 'badge_earned' ? [event.badge] : [])),
  });
}

/** The badges that a history earns, together with those held. */
export function badgesAfter(history: readonly BadgeEvent[]): readonly BadgeKey[] {
  const progress = progressAfter(history);
  return [...progress.badges, ...earnedAfter(progress)];
}

function deedOf(event: BadgeEvent): Deed | null {
  const deed = { day: Math.floor(event.at / day), count: 1 };
  switch (event.type) {
    case 'account_created':
      return { ...deed, type: 'member.joined', early: event.early };
    case 'day_active':
      return { ...deed, type: 'member.active' };
    case 'vote_cast': {
      const { kind, category, setAside = false } = event;
      return { ...deed, type: 'vote.cast', kind, category, traits: traitsOf(event), setAside };
    }
    case 'poll_created':
      return { ...deed, type: 'poll.created' };
    case 'comment_posted':
      return { ...deed, type: 'comment.posted', full: event.length >= badgeNumbers.longComment };
    case 'poll_shared':
      return { ...deed, type: 'poll.shared' };
    case 'poll_opened':
      return { ...deed, type: 'poll.viewed' };
    case 'invitation_followed':
      return { ...deed, type: 'invitation.followed' };
    case 'invite_accepted':
      return { ...deed, type: 'invitation.accepted' };
    case 'own_poll_featured':
      return { ...deed, type: 'poll.featured' };
    default:
      return null;
  }
}

/** The traits of a vote as it is recorded; of its time, the hour and minute in UTC. */
export function traitsOf(vote: Extract<BadgeEvent, { type: 'vote_cast' }>): VoteTrait[] {
  const { at, ownPoll, startsAt, endsAt } = vote;
  const time = iso(at).slice(11, 16);
  const all: readonly (readonly [VoteTrait, boolean])[] = [
    ['own', ownPoll],
    ['firstHour', at < startsAt + hour],
    ['lastHour', endsAt !== null && at >= endsAt - hour],
    ['night', time < '05'],
    ['dawn', time >= '05' && time < '08'],
    ['midnight', time === '00:00'],
  ];
  return all.flatMap(([trait, has]) => (has ? [trait] : []));
}

/** A poll of which nothing but what an event says is known. */
function pollOf(event: BadgeEvent): OwnPoll | null {
  const poll = { visibility: 'public', category: null, options: 2, votes: 0, comments: 0 } as const;
  const figures = { ...poll, qualified: false, result: null };
  switch (event.type) {
    case 'own_poll_voted':
      return { ...figures, votes: event.votes };
    case 'own_poll_commented':
      return { ...figures, comments: event.comments };
    case 'own_poll_closed':
      return { ...figures, votes: event.votes, result: [event.first, event.second] };
    case 'own_poll_qualified': {
      const { visibility, category, options, setAside } = event;
      return { ...figures, visibility, category, options, qualified: setAside !== true };
    }
    default:
      return null;
  }
}

/** The count of a whole history for each badge that does not count badges. */
export function naiveCounts(history: readonly BadgeEvent[]): Record<Exclude<BadgeKey, BadgeOfBadges>, number> {
  const all = <Type extends BadgeEvent['type']>(type: Type) =>
    history.filter((event): event is Extract<BadgeEvent, { type: Type }> => event.type === type);
  const votes = all('vote_cast');
  const polls = all('own_poll_qualified');
  const comments = all('comment_posted');
  const results = all('own_poll_closed').filter((result) => result.votes >= 10);
  const mostVotes = Math.max(0, ...[...all('own_poll_voted'), ...all('own_poll_closed')].map((event) => event.votes));
  const joined = all('account_created')[0]!;

  const date = (at: number) => iso(at).slice(0, 10);
  const own = history.filter(
    ({ type }) => !['badge_earned', 'invite_accepted'].includes(type) && !type.startsWith('own_poll'),
  );
  const dates = [...new Set(own.map(({ at }) => date(at)))].sort();
  let streak = 0;
  let longest = 0;
  dates.forEach((today, index) => {
    const yesterday = date(Date.parse(today) - day);
    streak = index > 0 && dates[index - 1] === yesterday ? streak + 1 : 1;
    longest = Math.max(longest, streak);
  });

  const most = (groups: readonly (string | null)[]) => {
    const sizes = new Map<string, number>();
    for (const group of groups) if (group !== null) sizes.set(group, (sizes.get(group) ?? 0) + 1);
    return Math.max(0, ...sizes.values());
  };
  const saturday = (at: number) => {
    const weekday = new Date(at).getUTCDay();
    return weekday === 6 ? date(at) : weekday === 0 ? date(at - day) : null;
  };
  const categories = (list: readonly { category: string | null }[]) =>
    new Set(list.flatMap(({ category }) => (category === null ? [] : category.trim().toLowerCase().replace('-', ' '))))
      .size;
  const acts = [...votes, ...comments, ...all('poll_shared')];
  const kindsOn = Map.groupBy(acts, ({ at }) => date(at));
  const timed = (pattern: RegExp) => votes.filter(({ at }) => pattern.test(iso(at))).length;
  const lastDate = Date.parse(dates.at(-1)!);

  return {
    votes_1: votes.length,
    votes_10: votes.length,
    votes_100: votes.length,
    votes_500: votes.length,
    weekly_votes_25: votes.filter(({ kind }) => kind === 'poll').length,
    community_votes_25: votes.filter(({ kind, ownPoll }) => kind === 'community' && !ownPoll).length,
    vote_categories_8: categories(votes),
    first_hour_votes_3: votes.filter(({ at, startsAt, ownPoll }) => !ownPoll && at < startsAt + hour).length,
    last_hour_vote: votes.filter(({ at, endsAt, ownPoll }) => !ownPoll && endsAt !== null && at >= endsAt - hour)
      .length,
    polls_1: polls.length,
    polls_10: polls.length,
    polls_50: polls.length,
    viral_poll: mostVotes,
    mega_poll: mostVotes,
    hot_topic: Math.max(0, ...all('own_poll_commented').map((event) => event.comments)),
    every_visibility: new Set(polls.map(({ visibility }) => visibility)).size,
    poll_categories_5: categories(polls),
    streak_7: longest,
    streak_30: longest,
    streak_100: longest,
    active_days_50: dates.length,
    opened_50: all('poll_opened').length,
    weekend_votes_20: most(votes.map(({ at }) => saturday(at))),
    four_seasons: new Set(dates.map((today) => ['winter', 'spring', 'summer', 'autumn'][seasonIn(today)])).size,
    cake_day: (lastDate - Date.parse(date(joined.at))) / day,
    comments_1: comments.length,
    comments_25: comments.length,
    comments_100: comments.length,
    shares_5: all('poll_shared').length,
    shares_25: all('poll_shared').length,
    invites_5: all('invite_accepted').length,
    invites_20: all('invite_accepted').length,
    close_call: results.filter(({ votes: total, first, second }) => first - second < 0.05 * total - 1e-9).length,
    landslide: results.filter(({ votes: total, first }) => first / total >= 0.8 - 1e-9).length,
    night_votes_5: timed(/T0[0-4]:/),
    dawn_votes_5: timed(/T0[5-7]:/),
    friday_13: votes.filter(({ at }) => date(at).endsWith('-13') && new Date(at).getUTCDay() === 5).length,
    new_year: timed(/-01-01T/),
    day_votes_10: most(votes.map(({ at }) => date(at))),
    own_horn: votes.filter(({ ownPoll }) => ownPoll).length,
    long_winded: comments.filter(({ length }) => length >= badgeNumbers.longComment).length,
    hat_trick: Math.max(0, ...[...kindsOn.values()].map((list) => new Set(list.map(({ type }) => type)).size)),
    front_page: all('own_poll_featured').length,
    early_adopter: Number(joined.early),
    midnight_vote: timed(/T00:00:/),
    leap_day: own.filter(({ at }) => date(at).endsWith('-02-29')).length,
    solstice: timed(/-(06|12)-21T/),
    dead_calm: results.filter(({ first, second }) => first === second).length,
    ten_options: polls.filter(({ options }) => options === 10).length,
    by_invitation: all('invitation_followed').length,
  };
}

const seasonIn = (isoDate: string) => Math.floor((Number(isoDate.slice(5, 7)) % 12) / 3);

/** Badges that count badges. */
type BadgeOfBadges = 'badges_10' | 'badges_25' | 'five_winds' | 'weathercock';

/** All badges that a whole history earns. */
export function naiveBadges(
  history: readonly BadgeEvent[],
  categoryOfCore: ReadonlyMap<BadgeKey, BadgeCategory>,
): ReadonlySet<BadgeKey> {
  const counts = Object.entries(naiveCounts(history)) as [BadgeKey, number][];
  const held = new Set(counts.filter(([key, count]) => count >= badgeTargets[key]).map(([key]) => key));
  for (let before = -1; before !== held.size;) {
    before = held.size;
    const core = [...held].filter((key) => categoryOfCore.has(key));
    if (held.size >= 10) held.add('badges_10');
    if (held.size >= 25) held.add('badges_25');
    if (new Set(core.map((key) => categoryOfCore.get(key))).size === 5) held.add('five_winds');
    if (core.length === 44) held.add('weathercock');
  }
  return held;
}
