import { afterEach, describe, expect, test, vi } from 'vitest';
import { badgeKeys } from '#contract/badges.ts';
import type { BadgeKey } from '#contract/badges.ts';
import { arriving, naiveBadges, naiveCounts, projected, randomHistory } from '#api/testing/badge-histories.ts';
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
import { currentStreak, fold, noProgress } from './progress.ts';
import type { BadgeEvent, Progress } from './progress.ts';
import { applyEvent, badges, earnedAfter, progressOf } from './rules.ts';

const on = (iso: string) => active(Date.parse(iso));
const streak = (dates: readonly string[]) => projected(dates.map(on)).days.longest;

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
    const { days } = projected([...seven, active(noon + 8 * dayMs)]);
    expect([days.longest, days.total]).toEqual([7, 8]);
    expect(projected(seven.slice(0, 6)).badges).toEqual([]);
    expect(projected(seven).badges).toEqual(['streak_7']);
  });

  test('is alive today and yesterday, and over the day after', () => {
    const { days } = projected([active(noon), active(noon + dayMs), active(noon + 2 * dayMs)]);
    const today = dayOf(noon);
    expect([1, 2, 3, 4].map((later) => currentStreak(days, today + later))).toEqual([2, 3, 3, 0]);
    expect(currentStreak(noProgress.days, today)).toBe(0);
  });

  test('is complete even if its missing day is recorded last', () => {
    expect(projected([active(noon), active(noon + 2 * dayMs), active(noon + dayMs)]).days).toEqual({
      last: dayOf(noon) + 2,
      streak: 3,
      longest: 3,
      total: 3,
    });
  });

  test('is kept alive by everything a member does, and by nothing others do', () => {
    const actions = [joined(), vote(), created(), comment(), shared(), active(noon)];
    for (const action of actions) expect([action.type, fold(noProgress, action).days.total]).toEqual([action.type, 1]);
    const others: BadgeEvent[] = [
      accepted(),
      closed(20, 12, 8),
      qualified(),
      { type: 'own_poll_voted', at: noon, pollId: 'p', votes: 3 },
      { type: 'own_poll_commented', at: noon, pollId: 'p', comments: 3 },
      { type: 'own_poll_featured', at: noon, pollId: 'p' },
      holds('votes_1'),
    ];
    for (const other of others) expect([other.type, fold(noProgress, other).days.total]).toEqual([other.type, 0]);
  });
});

test('an active day recorded very late is counted once and joins the days around it', () => {
  const days = Array.from({ length: 40 }, (_, index) => active(noon + 2 * index * dayMs));
  expect(projected([...days, days[3]!]).days).toMatchObject({ longest: 1, total: 40 });
  expect(projected([...days, active(noon + 77 * dayMs)]).days).toMatchObject({ longest: 3, total: 41 });
  expect(projected([...days, active(noon + dayMs)]).days).toMatchObject({ longest: 3, total: 41 });
});

describe('cake day', () => {
  const cake = (later: number) => progressOf('cake_day', projected([joined(), active(noon + later * dayMs)]));

  test('is 365 days after the day of the sign-up, leap year or not', () => {
    expect([cake(364).percent, cake(365).percent]).toEqual([99, 100]);
    const signUp = joined({ at: Date.parse('2027-06-01T23:00:00Z') });
    expect(projected([signUp, on('2028-05-31T00:00:00Z')]).badges).toContain('cake_day');
    expect(projected([signUp, on('2028-05-30T23:59:59Z')]).badges).not.toContain('cake_day');
  });

  test('is zero before the sign-up is known', () => {
    expect(progressOf('cake_day', projected([active(noon)])).current).toBe(0);
    expect(progressOf('cake_day', projected([active(noon + 365 * dayMs), joined()])).current).toBe(365);
  });
});

describe('results of own polls', () => {
  const earned = (votes: number, first: number, second: number) => projected([closed(votes, first, second)]).badges;

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
  expect(projected(votes).votedCategories).toEqual(['world news', 'health']);
});

test('one event can cover a batch of votes on an own poll', () => {
  const batch: BadgeEvent = { type: 'own_poll_voted', at: noon, pollId: 'p', votes: 1_200 };
  expect(projected([batch]).badges).toEqual(['viral_poll', 'mega_poll']);
});

test('two kinds of actions on one day and the third on the next are not a hat trick', () => {
  const actions = [vote(), comment(), shared(noon + dayMs)];
  expect(progressOf('hat_trick', projected(actions)).current).toBe(2);
  expect(progressOf('hat_trick', projected([...actions, shared()])).current).toBe(3);
});

const seeds = Array.from({ length: 40 }, (_, index) => 1_000 + index);
const hour = 3_600_000;
const categoryOfCore = new Map(
  badgeKeys.flatMap((key) => (badges[key].tier === 'core' ? [[key, badges[key].category] as const] : [])),
);

describe.each(seeds)('in the random history %i', (seed) => {
  const random = seededRandom(seed);
  const history = randomHistory(random, random.whole(1, 700));
  const live = projected(history);

  test('badges earned one by one equal those of a naive count of the whole history', () => {
    expect(live.badges.toSorted()).toEqual([...naiveBadges(history, categoryOfCore)].sort());
  });

  test('checking the rules once at the end gives the same badges as after every event', () => {
    expect(earnedAfter(history.reduce(fold, { ...noProgress })).toSorted()).toEqual(live.badges.toSorted());
  });

  test('[D7.4] every progress is exactly what happened, up to the target', () => {
    for (const [key, count] of Object.entries(naiveCounts(history)) as [BadgeKey, number][]) {
      const { target } = badges[key];
      expect([key, progressOf(key, live).current]).toEqual([key, Math.min(count, target)]);
    }
  });

  test('events that arrive up to two days late, in any order, change nothing', () => {
    const disorder = projected(arriving(random, history, random.pick([hour, 12 * hour, 48 * hour])), undefined, 10);
    expect(disorder.badges.toSorted()).toEqual(live.badges.toSorted());
    for (const key of badgeKeys) expect([key, progressOf(key, disorder)]).toEqual([key, progressOf(key, live)]);
  });

  test('[D7.3] no badge is earned twice or lost, and no progress goes back', () => {
    let held: readonly BadgeKey[] = [];
    let figures = badgeKeys.map(() => 0);
    const compare = (progress: Progress, earned: readonly BadgeKey[]) => {
      expect(progress.badges).toEqual([...held, ...earned]);
      expect(earned.filter((key) => held.includes(key))).toEqual([]);
      held = progress.badges;
      const next = badgeKeys.map((key) => progressOf(key, progress).current);
      expect(next.every((figure, index) => figure >= figures[index]!)).toBe(true);
      figures = next;
    };
    projected(arriving(random, history, 12 * hour), compare, 5);
  });
});

test('the random histories are varied enough: together they earn most badges', () => {
  const earned = new Set(seeds.flatMap((seed) => projected(randomHistory(seededRandom(seed), 900)).badges));
  expect(earned.size).toBeGreaterThan(40);
});

test('a badge that was awarded by hand is kept, though no event earned it', () => {
  const kept = applyEvent(noProgress, holds('mega_poll'));
  expect(kept.progress.badges).toEqual(['mega_poll']);
  expect(applyEvent(kept.progress, vote()).progress.badges).toEqual(['mega_poll', 'votes_1']);
  expect(fold(kept.progress, holds('mega_poll')).badges).toEqual(['mega_poll']);
});

test('badges that count badges can earn each other', () => {
  // All core badges but those that count badges and the one for ten votes, and nine votes.
  const others = badgeKeys.filter(
    (key) => badges[key].tier === 'core' && !key.startsWith('badges_') && key !== 'votes_10',
  );
  const nine = [...others.map(holds), ...stories.votes_10(9)].reduce(fold, { ...noProgress });
  const { earned, progress } = applyEvent(nine, vote());
  expect(earned.toSorted()).toEqual(['badges_10', 'badges_25', 'five_winds', 'votes_10', 'weathercock']);
  expect(earnedAfter(progress)).toEqual([]);
});

test('a progress does not grow with the number of events', () => {
  let progress: Progress = { ...noProgress };
  let largest = 0;
  for (const event of randomHistory(seededRandom(7), 20_000)) {
    progress = applyEvent(progress, event).progress;
    largest = Math.max(largest, JSON.stringify(progress).length);
  }
  expect(largest).toBeLessThan(4_500);
  expect([progress.votedCategories.length, progress.createdCategories.length]).toEqual([8, 5]);
});
