import { afterEach, describe, expect, test, vi } from 'vitest';
import { badgeKeys } from '#api/members/badges/badges.contract.ts';
import type { BadgeKey } from '#api/members/badges/badges.contract.ts';
import { badgesAfter, naiveBadges, naiveCounts, progressAfter, randomHistory } from '#api/testing/badge-histories.ts';
import type { BadgeEvent } from '#api/testing/badge-histories.ts';
import {
  accepted,
  active,
  closed,
  comment,
  created,
  holds,
  joined,
  noon,
  qualified,
  shared,
  stories,
  vote,
} from '#api/testing/badge-stories.ts';
import { seededRandom } from '#api/testing/random.ts';
import { dayMs, dayOf } from './calendar.ts';
import { currentStreak } from './progress.ts';
import { badges, earnedAfter, progressToward } from './rules.ts';

const on = (iso: string) => active(Date.parse(iso));
const streak = (dates: readonly string[]) => progressAfter(dates.map(on)).days.longest;

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a streak', () => {
  test('[D7.5] counts days in a row, whatever the hour', () => {
    // In the server's time zone, the first is still the day before.
    vi.stubEnv('TZ', 'America/New_York');
    expect(new Date('2027-03-09T00:00:00Z').getDate()).toBe(8);
    expect(streak(['2027-03-09T00:00:00Z', '2027-03-10T23:59:59.999Z', '2027-03-11T12:00:00Z'])).toBe(3);
  });

  test('needs the next day, not the next 24 hours', () => {
    expect(streak(['2027-03-09T23:59:59.999Z', '2027-03-10T00:00:00Z'])).toBe(2);
    expect(streak(['2027-03-09T00:00:00Z', '2027-03-09T23:59:59.999Z'])).toBe(1);
    expect(streak(['2027-03-09T23:59:59.999Z', '2027-03-11T00:00:00Z'])).toBe(1);
  });

  test('continues over a leap day, the end of a year, and every clock change', () => {
    expect(streak(['2028-02-28T12:00:00Z', '2028-02-29T12:00:00Z', '2028-03-01T12:00:00Z'])).toBe(3);
    expect(streak(['2027-12-31T23:00:00Z', '2028-01-01T01:00:00Z'])).toBe(2);
    expect(streak(['2027-03-27T23:30:00Z', '2027-03-28T00:30:00Z', '2027-03-29T00:30:00Z'])).toBe(3);
    expect(streak(['2028-02-28T12:00:00Z', '2028-03-01T12:00:00Z'])).toBe(1);
  });

  test('starts again after a day without the member, and the longest stays', () => {
    const seven = Array.from({ length: 7 }, (_, index) => active(noon + index * dayMs));
    const { days } = progressAfter([...seven, active(noon + 8 * dayMs)]);
    expect([days.longest, days.total]).toEqual([7, 8]);
    expect(badgesAfter(seven.slice(0, 6))).toEqual([]);
    expect(badgesAfter(seven)).toEqual(['streak_7']);
  });

  test('is alive today and yesterday, and over the day after', () => {
    const { days } = progressAfter([active(noon), active(noon + dayMs), active(noon + 2 * dayMs)]);
    const today = dayOf(noon);
    expect([1, 2, 3, 4].map((later) => currentStreak(days, today + later))).toEqual([2, 3, 3, 0]);
    expect(currentStreak(progressAfter([]).days, today)).toBe(0);
  });

  test('is complete even if its missing day is recorded last', () => {
    expect(progressAfter([active(noon), active(noon + 2 * dayMs), active(noon + dayMs)]).days).toEqual({
      last: dayOf(noon) + 2,
      streak: 3,
      longest: 3,
      total: 3,
    });
  });

  test('is kept alive by everything a member does, and by nothing others do', () => {
    const actions = [joined(), vote(), created(), comment(), shared(), active(noon)];
    for (const action of actions) expect([action.type, progressAfter([action]).days.total]).toEqual([action.type, 1]);
    const others: BadgeEvent[] = [
      accepted(),
      closed(20, 12, 8),
      qualified(),
      { type: 'own_poll_voted', at: noon, pollId: 'p', votes: 3 },
      { type: 'own_poll_commented', at: noon, pollId: 'p', comments: 3 },
      { type: 'own_poll_featured', at: noon, pollId: 'p' },
      holds('votes_1'),
    ];
    for (const other of others) expect([other.type, progressAfter([other]).days.total]).toEqual([other.type, 0]);
  });
});

test('an active day recorded very late is counted once and joins the days around it', () => {
  const days = Array.from({ length: 40 }, (_, index) => active(noon + 2 * index * dayMs));
  expect(progressAfter([...days, days[3]!]).days).toMatchObject({ longest: 1, total: 40 });
  expect(progressAfter([...days, active(noon + 77 * dayMs)]).days).toMatchObject({ longest: 3, total: 41 });
  expect(progressAfter([...days, active(noon + dayMs)]).days).toMatchObject({ longest: 3, total: 41 });
});

describe('cake day', () => {
  const cake = (later: number) => progressToward('cake_day', progressAfter([joined(), active(noon + later * dayMs)]));

  test('is 365 days after the day of the sign-up, leap year or not', () => {
    expect([cake(364).percent, cake(365).percent]).toEqual([99, 100]);
    const signUp = joined({ at: Date.parse('2027-06-01T23:00:00Z') });
    expect(badgesAfter([signUp, on('2028-05-31T00:00:00Z')])).toContain('cake_day');
    expect(badgesAfter([signUp, on('2028-05-30T23:59:59Z')])).not.toContain('cake_day');
  });

  test('is zero before the sign-up is known', () => {
    expect(progressToward('cake_day', progressAfter([active(noon)])).current).toBe(0);
    expect(progressToward('cake_day', progressAfter([active(noon + 365 * dayMs), joined()])).current).toBe(365);
  });
});

describe('results of own polls', () => {
  const earned = (votes: number, first: number, second: number) =>
    badgesAfter([closed(votes, first, second)]).filter((key) => !['viral_poll', 'mega_poll'].includes(key));

  test('count from ten votes on: two friends who disagree are no close call', () => {
    expect(earned(2, 1, 1)).toEqual([]);
    expect(earned(9, 5, 4)).toEqual([]);
    expect(earned(0, 0, 0)).toEqual([]);
    expect(earned(10, 5, 5)).toEqual(['close_call', 'dead_calm']);
  });

  test('[S9.12] are a close call under five points, a landslide from 80 percent on', () => {
    expect(earned(1_000, 525, 475)).toEqual([]);
    expect(earned(1_000, 524, 475)).toEqual(['close_call']);
    expect(earned(10, 8, 2)).toEqual(['landslide']);
    expect(earned(1_000, 799, 201)).toEqual([]);
  });
});

test('categories that differ only in case and hyphens are one', () => {
  const votes = ['World News', 'world-news', ' WORLD  NEWS ', 'Health', '', null].map((category) => vote({ category }));
  expect(progressAfter(votes).votedCategories).toEqual(['world news', 'health']);
});

test('one event can cover a batch of votes on an own poll', () => {
  const batch: BadgeEvent = { type: 'own_poll_voted', at: noon, pollId: 'p', votes: 1_200 };
  expect(badgesAfter([batch])).toEqual(['viral_poll', 'mega_poll']);
});

test('two kinds of actions on one day and the third on the next are not a hat trick', () => {
  const actions = [vote(), comment(), shared(noon + dayMs)];
  expect(progressToward('hat_trick', progressAfter(actions)).current).toBe(2);
  expect(progressToward('hat_trick', progressAfter([...actions, shared()])).current).toBe(3);
});

const seeds = Array.from({ length: 40 }, (_, index) => 1_000 + index);
const categoryOfCore = new Map(
  badgeKeys.flatMap((key) => (badges[key].tier === 'core' ? [[key, badges[key].category] as const] : [])),
);

describe.each(seeds)('in the random history %i', (seed) => {
  const random = seededRandom(seed);
  const history = randomHistory(random, random.whole(1, 700));
  const progress = progressAfter(history);

  test('[D7.3] badges equal those of a naive count', () => {
    expect(badgesAfter(history).toSorted()).toEqual([...naiveBadges(history, categoryOfCore)].sort());
  });

  test('[D7.4] every progress is exactly what happened, up to the target', () => {
    for (const [key, count] of Object.entries(naiveCounts(history)) as [BadgeKey, number][]) {
      const { target } = badges[key];
      expect([key, progressToward(key, progress).current]).toEqual([key, Math.min(count, target)]);
    }
  });

  test('events that are known in any order change nothing', () => {
    const disorder = progressAfter(history.toSorted(() => random.whole(-1, 1)));
    for (const key of badgeKeys)
      expect([key, progressToward(key, disorder)]).toEqual([key, progressToward(key, progress)]);
  });

  test('[D7.3] no badge is lost with more events, and no progress goes back', () => {
    let figures = badgeKeys.map(() => 0);
    for (let known = 0; known <= history.length; known += 20) {
      const after = progressAfter(history.slice(0, known));
      const next = badgeKeys.map((key) => progressToward(key, after).current);
      expect(next.every((figure, index) => figure >= figures[index]!)).toBe(true);
      figures = next;
    }
  });
});

test('the random histories are varied enough: together they earn most badges', () => {
  const earned = new Set(seeds.flatMap((seed) => badgesAfter(randomHistory(seededRandom(seed), 900))));
  expect(earned.size).toBeGreaterThan(40);
});

test('a badge that was awarded by hand is kept, though no event earned it', () => {
  expect(badgesAfter([holds('mega_poll')])).toEqual(['mega_poll']);
  expect(badgesAfter([holds('mega_poll'), vote()])).toEqual(['mega_poll', 'votes_1']);
});

test('badges that count badges can earn each other', () => {
  // All core badges but those that count badges and the one for ten votes, and ten votes.
  const others = badgeKeys.filter(
    (key) => badges[key].tier === 'core' && !key.startsWith('badges_') && key !== 'votes_10',
  );
  const progress = progressAfter([...others.map(holds), ...stories.votes_10(10)]);
  const earned = earnedAfter(progress);
  expect(earned.toSorted()).toEqual(['badges_10', 'badges_25', 'five_winds', 'votes_10', 'weathercock']);
  expect(earnedAfter({ ...progress, badges: [...progress.badges, ...earned] })).toEqual([]);
});
