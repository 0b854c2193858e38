import { badgeKeys, badgeNumbers } from '#api/members/badges/badges.contract.ts';
import type { BadgeKey } from '#api/members/badges/badges.contract.ts';
import { communityCategories, visibilities } from '#contract/vocabulary.ts';
import { badges } from '#domain/badges/rules.ts';
import type { BadgeEvent } from './badge-histories.ts';

/** Noon on an ordinary Tuesday. */
export const noon = Date.UTC(2027, 2, 9, 12);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let ids = 0;
const id = () => `id-${++ids}`;

type Vote = Extract<BadgeEvent, { type: 'vote_cast' }>;
type Created = Extract<BadgeEvent, { type: 'poll_created' }>;
type Qualified = Extract<BadgeEvent, { type: 'own_poll_qualified' }>;

export const joined = (over: Partial<Extract<BadgeEvent, { type: 'account_created' }>> = {}): BadgeEvent => ({
  type: 'account_created',
  at: noon,
  early: false,
  ...over,
});
/** A vote in the middle of another member’s long community poll without a category. */
export const vote = (over: Partial<Vote> = {}): BadgeEvent => {
  const at = over.at ?? noon;
  const ballot = { ballotId: id(), kind: 'community', category: null, ownPoll: false } as const;
  return { type: 'vote_cast', at, ...ballot, startsAt: at - 3 * day, endsAt: at + 3 * day, ...over };
};
export const created = (over: Partial<Created> = {}): BadgeEvent => ({
  type: 'poll_created',
  at: noon,
  pollId: id(),
  visibility: 'public',
  category: null,
  options: 3,
  ...over,
});
/** Enough others have voted on an own poll. */
export const qualified = (over: Partial<Qualified> = {}): BadgeEvent => ({
  type: 'own_poll_qualified',
  at: noon,
  pollId: id(),
  visibility: 'public',
  category: null,
  options: 3,
  ...over,
});
export const comment = (length = 40, at = noon): BadgeEvent => ({
  type: 'comment_posted',
  at,
  commentId: id(),
  pollId: id(),
  length,
});
export const shared = (at = noon): BadgeEvent => ({ type: 'poll_shared', at, pollId: id() });
export const opened = (at = noon): BadgeEvent => ({ type: 'poll_opened', at, pollId: id() });
export const accepted = (): BadgeEvent => ({ type: 'invite_accepted', at: noon, pollId: id(), guestId: id() });
export const active = (at: number): BadgeEvent => ({ type: 'day_active', at });
export const holds = (badge: BadgeKey): BadgeEvent => ({ type: 'badge_earned', at: noon, badge });
export const closed = (votes: number, first: number, second: number): BadgeEvent => ({
  type: 'own_poll_closed',
  at: noon,
  pollId: id(),
  votes,
  first,
  second,
});
const ownVotes = (votes: number): BadgeEvent => ({ type: 'own_poll_voted', at: noon, pollId: id(), votes });
const ownComments = (n: number): BadgeEvent => ({ type: 'own_poll_commented', at: noon, pollId: id(), comments: n });

const times = (n: number, make: (index: number) => BadgeEvent): BadgeEvent[] =>
  Array.from({ length: n }, (_, i) => make(i));
const days = (n: number) => times(n, (i) => active(noon + i * day));
/** The first event for 0, the second for 1. */
const missThenHit = (miss: BadgeEvent, hit: BadgeEvent) => (n: number) => [n === 0 ? miss : hit];
const at = (iso: string) => Date.parse(iso);
const coreKeys = badgeKeys.filter((key) => badges[key].tier === 'core');

/** For each badge, events that count exactly `n` toward it. */
export const stories: Readonly<Record<BadgeKey, (n: number) => BadgeEvent[]>> = {
  votes_1: (n) => times(n, () => vote()),
  votes_10: (n) => times(n, () => vote()),
  votes_100: (n) => times(n, () => vote()),
  votes_500: (n) => times(n, () => vote()),
  weekly_votes_25: (n) => [vote(), ...times(n, () => vote({ kind: 'poll' }))],
  community_votes_25: (n) => [vote({ kind: 'poll' }), vote({ ownPoll: true }), ...times(n, () => vote())],
  vote_categories_8: (n) => times(n, (i) => vote({ category: communityCategories[i]! })),
  first_hour_votes_3: (n) => [
    vote({ startsAt: noon - badgeNumbers.edgeMs }),
    vote({ startsAt: noon, ownPoll: true }),
    ...times(n, () => vote({ startsAt: noon - badgeNumbers.edgeMs + 1 })),
  ],
  last_hour_vote: missThenHit(vote({ endsAt: noon + hour + 1 }), vote({ endsAt: noon + hour })),

  polls_1: (n) => [created(), qualified({ setAside: true }), ...times(n, () => qualified())],
  polls_10: (n) => [created(), ...times(n, () => qualified())],
  polls_50: (n) => [created(), ...times(n, () => qualified())],
  viral_poll: (n) => [ownVotes(n), ownVotes(60)],
  mega_poll: (n) => [ownVotes(n), ownVotes(600)],
  hot_topic: (n) => [ownComments(n), ownComments(12)],
  every_visibility: (n) => times(n, (i) => qualified({ visibility: visibilities[i]! })),
  poll_categories_5: (n) => times(n, (i) => qualified({ category: communityCategories[i]! })),

  streak_7: days,
  streak_30: days,
  streak_100: days,
  active_days_50: (n) => times(n, (i) => active(noon + 2 * i * day)),
  opened_50: (n) => times(n, () => opened()),
  // Saturday and Sunday together, and one on the Monday after, which does not count.
  weekend_votes_20: (n) => [
    ...times(n, (i) => vote({ at: i % 2 === 0 ? at('2027-03-13T00:00:00Z') : at('2027-03-14T23:59:59.999Z') })),
    vote({ at: at('2027-03-15T00:00:00Z') }),
  ],
  four_seasons: (n) => times(n, (i) => active(noon + i * 92 * day)),
  cake_day: (n) => [active(noon + n * day)],
  badges_10: (n) => coreKeys.slice(0, n).map(holds),
  // Includes the badge for ten badges, which would be earned on the way.
  badges_25: (n) => [...new Set<BadgeKey>(['badges_10', ...coreKeys])].slice(0, n).map(holds),

  comments_1: (n) => times(n, () => comment()),
  comments_25: (n) => times(n, () => comment()),
  comments_100: (n) => times(n, () => comment()),
  shares_5: (n) => times(n, () => shared()),
  shares_25: (n) => times(n, () => shared()),
  invites_5: (n) => times(n, accepted),
  invites_20: (n) => times(n, accepted),

  // 105 to 95 of 200 are five points apart, 104 to 95 less.
  close_call: missThenHit(closed(200, 105, 95), closed(200, 104, 95)),
  landslide: missThenHit(closed(100, 79, 21), closed(100, 80, 20)),
  night_votes_5: (n) => [
    vote({ at: at('2027-03-09T05:00:00Z') }),
    vote({ at: at('2027-03-09T23:59:59.999Z') }),
    ...times(n, () => vote({ at: at('2027-03-09T04:59:59.999Z') })),
  ],
  dawn_votes_5: (n) => [
    vote({ at: at('2027-03-09T08:00:00Z') }),
    vote({ at: at('2027-03-09T04:59:59.999Z') }),
    ...times(n, () => vote({ at: at('2027-03-09T05:00:00Z') })),
  ],
  friday_13: missThenHit(vote({ at: at('2027-08-12T23:59:59.999Z') }), vote({ at: at('2027-08-13T00:00:00Z') })),
  new_year: missThenHit(vote({ at: at('2027-12-31T23:59:59.999Z') }), vote({ at: at('2028-01-01T00:00:00Z') })),
  day_votes_10: (n) => [vote({ at: noon + day }), ...times(n, () => vote())],
  own_horn: missThenHit(vote(), vote({ ownPoll: true })),
  long_winded: missThenHit(comment(499), comment(500)),
  hat_trick: (n) => [comment(40, noon + day), ...[vote(), comment(), shared()].slice(0, n), opened()],

  front_page: missThenHit(created(), { type: 'own_poll_featured', at: noon, pollId: id() }),
  five_winds: (n) => (['votes_1', 'polls_1', 'streak_7', 'comments_1', 'landslide'] as const).slice(0, n).map(holds),
  weathercock: (n) => coreKeys.slice(0, n).map(holds),

  early_adopter: missThenHit(joined(), joined({ early: true })),
  midnight_vote: missThenHit(vote({ at: at('2027-03-10T00:01:00Z') }), vote({ at: at('2027-03-10T00:00:59.999Z') })),
  leap_day: missThenHit(active(at('2028-03-01T00:00:00Z')), active(at('2028-02-29T23:59:59.999Z'))),
  solstice: missThenHit(vote({ at: at('2027-06-22T00:00:00Z') }), vote({ at: at('2027-06-21T00:00:00Z') })),
  dead_calm: missThenHit(closed(11, 5, 4), closed(10, 5, 5)),
  ten_options: missThenHit(qualified({ options: 9 }), qualified({ options: 10 })),
  by_invitation: missThenHit(opened(), { type: 'invitation_followed', at: noon, pollId: id() }),
};
