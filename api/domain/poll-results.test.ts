import { describe, expect, test } from 'vitest';
import {
  breadcrumbLabel,
  categoryLabel,
  chartLabel,
  chartSlices,
  cutText,
  daysActive,
  leadOf,
  marginsOf,
  metaDescription,
  offeredOptions,
  percentOneDecimal,
  percentWhole,
  rankOptions,
  topCountries,
} from './poll-results.ts';

const options = (...votes: number[]) =>
  votes.map((count, i) => ({ id: `option-${i + 1}`, text: `T${i + 1}`, votes: count }));

describe('percentages', () => {
  test('[S3.22] are 0 when nobody has voted', () => {
    expect(percentWhole(0, 0)).toBe(0);
    expect(percentOneDecimal(0, 0)).toBe(0);
  });

  test('[S3.22 S9.6] are whole on the card and have one decimal on the report', () => {
    expect(percentWhole(1, 3)).toBe(33);
    expect(percentWhole(2, 3)).toBe(67);
    expect(percentOneDecimal(1, 3)).toBe(33.3);
    expect(percentOneDecimal(2, 3)).toBe(66.7);
    expect(percentWhole(1, 200)).toBe(1);
    expect(percentOneDecimal(1, 2_000)).toBe(0.1);
    expect(percentOneDecimal(1, 2_001)).toBe(0);
    expect(percentOneDecimal(1_000_000, 1_000_000)).toBe(100);
  });
});

test('[S9.3] only the first three options of a poll are offered', () => {
  expect(offeredOptions(options(1, 2, 3, 4)).map((o) => o.id)).toEqual(['option-1', 'option-2', 'option-3']);
  expect(offeredOptions(options(1, 2))).toHaveLength(2);
});

describe('ranking', () => {
  test('[S2.46] puts most votes first; equal votes share a rank, and the next rank is skipped', () => {
    expect(rankOptions(options(5, 9, 5, 1)).map(({ id, rank }) => [id, rank])).toEqual([
      ['option-2', 1],
      ['option-1', 2],
      ['option-3', 2],
      ['option-4', 4],
    ]);
  });

  test('ranks a poll without votes as one tie', () => {
    expect(rankOptions(options(0, 0)).map(({ rank }) => rank)).toEqual([1, 1]);
  });
});

describe('the lead', () => {
  test('is a share of the total and a margin in percentage points', () => {
    const lead = leadOf({ options: options(20, 60, 20), totalVotes: 100 });
    expect(lead.leaders.map((o) => o.id)).toEqual(['option-2']);
    expect(lead.share).toBe(60);
    expect(lead.margin).toBe(40);
    expect(lead.runnerUp?.id).toBe('option-1');
  });

  test('is shared by all tied options and then has no margin', () => {
    const lead = leadOf({ options: options(40, 40, 20), totalVotes: 100 });
    expect(lead.leaders).toHaveLength(2);
    expect(lead.margin).toBe(0);
    expect(lead.runnerUp).toBeUndefined();
  });

  test('does not exist while nobody has voted', () => {
    expect(leadOf({ options: options(0, 0), totalVotes: 0 })).toEqual({
      leaders: [],
      share: 0,
      margin: 0,
      runnerUp: undefined,
    });
    expect(leadOf({ options: [], totalVotes: 0 }).leaders).toEqual([]);
  });

  test('of a single option is 100 percent', () => {
    expect(leadOf({ options: options(7), totalVotes: 7 })).toMatchObject({
      share: 100,
      margin: 100,
      runnerUp: undefined,
    });
  });
});

describe('days active', () => {
  const day = 86_400_000;
  test('[S2.43] are rounded up', () => {
    expect(daysActive(0, 7 * day)).toBe(7);
    expect(daysActive(0, 7 * day + 1)).toBe(8);
    expect(daysActive(0, 1)).toBe(1);
    expect(daysActive(0, 0)).toBe(0);
  });

  test('[S2.43] are unknown without an end, with an invalid time, or with an end before the start', () => {
    expect(daysActive(0, null)).toBeNull();
    expect(daysActive(Number.NaN, day)).toBeNull();
    expect(daysActive(2 * day, day)).toBeNull();
  });
});

describe('cut texts', () => {
  test('[S3.6 S9.5] a chart label keeps 15 characters and gets an ellipsis only when it is longer', () => {
    expect(chartLabel('a'.repeat(15))).toBe('a'.repeat(15));
    expect(chartLabel('a'.repeat(16))).toBe(`${'a'.repeat(15)}…`);
  });

  test('[S2.39 S9.5] a breadcrumb keeps 40 characters', () => {
    expect(breadcrumbLabel('q'.repeat(40))).toBe('q'.repeat(40));
    expect(breadcrumbLabel('q'.repeat(41))).toBe(`${'q'.repeat(40)}…`);
  });

  test('[S2.56 S9.5] a meta description is one line of at most 160 characters', () => {
    expect(metaDescription('d'.repeat(160))).toBe('d'.repeat(160));
    expect(metaDescription('d'.repeat(161))).toHaveLength(160);
    expect(metaDescription(' two\n  lines ')).toBe('two lines');
  });

  test('a character that is made of several code points is never split', () => {
    expect(cutText('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 2)).toBe('👩‍👩‍👧‍👦👩‍👩‍👧‍👦…');
    expect(cutText('👩‍👩‍👧‍👦', 1)).toBe('👩‍👩‍👧‍👦');
  });

  test('no space precedes the ellipsis', () => {
    expect(cutText('one two', 4)).toBe('one…');
  });
});

test('[S2.24 D4.3] a category is displayed as words', () => {
  expect(categoryLabel('world-news')).toBe('World News');
  expect(categoryLabel('Business & Finance')).toBe('Business & Finance');
  expect(categoryLabel('AI')).toBe('AI');
  expect(categoryLabel('économie-locale')).toBe('Économie Locale');
});

describe('chart slices', () => {
  test('[S3.6] have the whole text, a short name, votes, one decimal, and a color by their position', () => {
    expect(chartSlices([{ id: 'a', text: 'Strict rules before release', votes: 1 }], 3, 'Others')).toEqual([
      {
        text: 'Strict rules before release',
        name: 'Strict rules be…',
        value: 1,
        percentage: 33.3,
        position: 0,
        color: 0,
      },
    ]);
  });

  test('have the order of the breakdown, most votes first', () => {
    expect(chartSlices(options(1, 3, 2), 6, 'Others').map(({ position }) => position)).toEqual([1, 2, 0]);
  });

  test('are six and the sum of the others; a single other option has its own', () => {
    expect(chartSlices(options(1, 2, 3, 4, 5, 6, 7), 28, 'Others')).toHaveLength(7);
    const slices = chartSlices(options(...Array.from({ length: 20 }, (_, i) => i)), 190, 'Others');
    expect(slices).toHaveLength(7);
    expect(slices.at(-1)).toMatchObject({ text: 'Others', value: 91, position: null });
    expect(slices.reduce((sum, { value }) => sum + value, 0)).toBe(190);
  });
});

test('the margin of each option is its lead over the next in percentage points', () => {
  expect(marginsOf(rankOptions(options(60, 20, 20)), 100)).toEqual([40, 0, null]);
  expect(marginsOf([], 0)).toEqual([]);
});

describe('countries', () => {
  const countries = (...shares: number[]) => shares.map((percentage, index) => ({ name: `c${index}`, percentage }));

  test('[S9.3] are the six with the largest shares, largest first, and the remainder', () => {
    const shown = topCountries(countries(5, 30, 10, 20, 8, 7, 3), 'Other');
    expect(shown.map(({ name, percentage }) => [name, percentage])).toEqual([
      ...[
        ['c1', 30],
        ['c3', 20],
        ['c2', 10],
        ['c4', 8],
        ['c5', 7],
        ['c0', 5],
      ],
      ['Other', 20],
    ]);
    expect(shown.at(-1)!.isRest).toBe(true);
  });

  test('have no remainder if they are everything, or more through rounding', () => {
    expect(topCountries(countries(60, 40), 'Other')).toHaveLength(2);
    expect(topCountries(countries(60.1, 39.95), 'Other')).toHaveLength(2);
  });
});
