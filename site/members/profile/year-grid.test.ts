import { expect, test } from 'vitest';
import { monthsOf, weeksOf } from './year-grid.ts';

test('a year is divided into weeks from Monday to Sunday, and days outside it are empty', () => {
  const weeks = weeksOf([{ day: '2026-11-21', count: 4 }], '2025-11-22', '2026-11-21');
  expect(weeks).toHaveLength(53);
  expect(weeks[0]).toMatchObject({ begins: '2025-11-17', count: 0, activeDays: 0 });
  expect(weeks[0]!.days.map((day) => day?.day)).toEqual([
    ...Array<undefined>(5).fill(undefined),
    '2025-11-22',
    '2025-11-23',
  ]);
  expect(weeks.at(-1)).toMatchObject({ begins: '2026-11-16', count: 4, activeDays: 1 });
  expect(weeks.at(-1)!.days.at(-1)).toBeNull();
});

test('every activity of the year is in exactly one week', () => {
  const counts = Array.from({ length: 366 }, (_, index) => ({
    day: new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10),
    count: index % 5,
  }));
  const weeks = weeksOf(counts, '2024-01-01', '2024-12-31');
  const days = weeks.flatMap((week) => week.days).filter((day) => day !== null);
  expect(days.map(({ day }) => day)).toEqual(counts.map(({ day }) => day));
  expect(days.some(({ day }) => day === '2024-02-29')).toBe(true);
  expect(weeks.reduce((sum, { count }) => sum + count, 0)).toBe(counts.reduce((sum, { count }) => sum + count, 0));
});

test('a dot grows with the activity of its day in four steps', () => {
  const levels = [0, 1, 2, 3, 5, 6, 9, 10, 1_000].map((count) => {
    const [week] = weeksOf([{ day: '2026-11-16', count }], '2026-11-16', '2026-11-16');
    return week!.days[0]!.level;
  });
  expect(levels).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4]);
});

test('months span their weeks and cover all columns', () => {
  const weeks = weeksOf([], '2025-11-22', '2026-11-21');
  const months = monthsOf(weeks);
  expect(months[0]).toEqual({ month: '2025-11', weeks: 2 });
  expect(months.at(-1)).toEqual({ month: '2026-11', weeks: 3 });
  expect(months).toHaveLength(13);
  expect(months.reduce((sum, month) => sum + month.weeks, 0)).toBe(53);
});
