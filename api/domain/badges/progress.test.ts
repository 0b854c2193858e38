import { afterEach, describe, expect, test, vi } from 'vitest';
import * as limits from '#contract/limits.ts';
import { accepted, closed, comment, created, here, joined, noon, shared, vote } from '#api/testing/badge-stories.ts';
import { earnedAfter, progressOf, recordFact } from './awards.ts';
import { dayMs, dayOf } from './calendar.ts';
import type { FactEvent } from './facts.ts';
import { noProgress, reduce } from './progress.ts';
import { currentRun, noDays, withDay } from './recent.ts';

const after = (facts: readonly FactEvent[]) => facts.reduce(reduce, noProgress);
const on = (iso: string) => here(Date.parse(iso));
const streak = (dates: readonly string[]) => after(dates.map(on)).days.longest;

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a streak', () => {
  test('counts days in a row, whatever the hour', () => {
    // Wherever the server is: there, the first is still the day before.
    vi.stubEnv('TZ', 'America/New_York');
    expect(new Date('2027-03-09T00:00:00Z').getDate()).toBe(8);
    expect(streak(['2027-03-09T00:00:00Z', '2027-03-10T23:59:59.999Z', '2027-03-11T12:00:00Z'])).toBe(3);
  });

  test('needs the next day, not the next 24 hours', () => {
    expect(streak(['2027-03-09T23:59:59.999Z', '2027-03-10T00:00:00Z'])).toBe(2);
    expect(streak(['2027-03-09T00:00:00Z', '2027-03-09T23:59:59.999Z'])).toBe(1);
    expect(streak(['2027-03-09T23:59:59.999Z', '2027-03-11T00:00:00Z'])).toBe(1);
  });

  test('goes on over a leap day, the end of a year and every change of the clocks', () => {
    expect(streak(['2028-02-28T12:00:00Z', '2028-02-29T12:00:00Z', '2028-03-01T12:00:00Z'])).toBe(3);
    expect(streak(['2027-12-31T23:00:00Z', '2028-01-01T01:00:00Z'])).toBe(2);
    expect(streak(['2027-03-27T23:30:00Z', '2027-03-28T00:30:00Z', '2027-03-29T00:30:00Z'])).toBe(3);
    expect(streak(['2028-02-28T12:00:00Z', '2028-03-01T12:00:00Z'])).toBe(1);
  });

  test('starts again after a day without the person, and the longest stays', () => {
    const seven = Array.from({ length: 7 }, (_, index) => here(noon + index * dayMs));
    const { days } = after([...seven, here(noon + 8 * dayMs)]);
    expect([days.longest, days.total]).toEqual([7, 8]);
    expect(earnedAfter(after(seven.slice(0, 6)))).toEqual([]);
    expect(earnedAfter(after(seven))).toEqual(['streak_7']);
  });

  test('is alive today and yesterday, and over the day after', () => {
    const { days } = after([here(noon), here(noon + dayMs), here(noon + 2 * dayMs)]);
    const today = dayOf(noon);
    expect([1, 2, 3, 4].map((later) => currentRun(days, today + later))).toEqual([2, 3, 3, 0]);
    expect(currentRun(noDays, today)).toBe(0);
  });

  test('is whole when its missing day comes last', () => {
    expect(after([here(noon), here(noon + 2 * dayMs), here(noon + dayMs)]).days).toMatchObject({
      longest: 3,
      total: 3,
      runs: [[dayOf(noon), dayOf(noon) + 2]],
    });
  });

  test('is kept alive by everything that a person does, and by nothing that others do', () => {
    const doings = [joined(), vote(), created(), comment(), shared(), here(noon)];
    for (const doing of doings) expect([doing.fact, after([doing]).days.total]).toEqual([doing.fact, 1]);
    const others: FactEvent[] = [
      accepted(),
      closed(20, 12, 8),
      { fact: 'own_poll_voted', at: noon, pollId: 'p', votes: 3 },
      { fact: 'own_poll_commented', at: noon, pollId: 'p', comments: 3 },
      { fact: 'own_poll_featured', at: noon, pollId: 'p' },
      { fact: 'badge_earned', at: noon, badge: 'votes_1' },
    ];
    for (const other of others) expect([other.fact, after([other]).days.total]).toEqual([other.fact, 0]);
  });
});

describe('days that come very late', () => {
  const everySecondDay = Array.from({ length: limits.badgeRunsKept + 5 }, (_, index) => 1_000 + 2 * index);
  const days = everySecondDay.reduce(withDay, noDays);

  test('are not counted a second time once their run is no longer kept', () => {
    expect(days.total).toBe(everySecondDay.length);
    expect(days.runs).toHaveLength(limits.badgeRunsKept);
    expect(everySecondDay.reduce(withDay, days)).toEqual(days);
  });

  test('still join runs that are kept', () => {
    const last = everySecondDay.at(-1)!;
    expect(withDay(days, last - 1)).toMatchObject({ longest: 3, total: days.total + 1 });
  });
});

describe('cake day', () => {
  const cake = (later: number) => progressOf('cake_day', after([joined(), here(noon + later * dayMs)]));

  test('is 365 days after the day of the sign-up, leap year or not', () => {
    expect([cake(364).percent, cake(365).percent]).toEqual([99, 100]);
    const leap = [joined({ at: Date.parse('2027-06-01T23:00:00Z') }), on('2028-05-31T00:00:00Z')];
    expect(earnedAfter(after(leap))).toContain('cake_day');
    expect(earnedAfter(after([leap[0]!, on('2028-05-30T23:59:59Z')]))).not.toContain('cake_day');
  });

  test('is nothing before the sign-up is known', () => {
    expect(progressOf('cake_day', after([here(noon)])).current).toBe(0);
    expect(progressOf('cake_day', after([here(noon + 365 * dayMs), joined()])).current).toBe(365);
  });
});

describe('results of own polls', () => {
  const earned = (votes: number, first: number, second: number) => earnedAfter(after([closed(votes, first, second)]));

  test('count from ten votes on: two friends who disagree are no close call', () => {
    expect(earned(2, 1, 1)).toEqual([]);
    expect(earned(9, 5, 4)).toEqual([]);
    expect(earned(0, 0, 0)).toEqual([]);
    expect(earned(10, 5, 5)).toEqual(['close_call', 'dead_calm']);
  });

  test('are a close call under five points, a landslide from 80 percent on', () => {
    expect(earned(1_000, 525, 475)).toEqual([]);
    expect(earned(1_000, 524, 475)).toEqual(['close_call']);
    expect(earned(10, 8, 2)).toEqual(['landslide']);
    expect(earned(1_000, 799, 201)).toEqual([]);
  });
});

test('categories are told apart by their words, not by how they are written', () => {
  const facts = ['World News', 'world-news', ' WORLD  NEWS ', 'Health', '', null].map((category) => vote({ category }));
  expect(after(facts).votedCategories).toEqual(['world news', 'health']);
});

test('one fact may stand for a batch of votes on an own poll', () => {
  const jump: FactEvent = { fact: 'own_poll_voted', at: noon, pollId: 'p', votes: 1_200 };
  expect(recordFact(noProgress, jump).earned).toEqual(['viral_poll', 'mega_poll']);
});

test('two different kinds of doing on one day and the third on the next are no hat trick', () => {
  const facts = [vote(), comment(), shared(noon + dayMs)];
  expect(progressOf('hat_trick', after(facts)).current).toBe(2);
  expect(progressOf('hat_trick', after([...facts, shared()])).current).toBe(3);
});
