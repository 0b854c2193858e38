import { expect, test } from 'vitest';
import type { PollCalendar } from '#api/admin/today/today.contract.ts';
import { calendarDays } from './calendar-days.ts';

const poll = (id: string, startsAt: string, endsAt: string) => ({
  ...{ id, question: `${id}?`, state: 'open' as const, startsAt, endsAt },
});
const november: PollCalendar = {
  month: '2026-11',
  polls: [
    poll('long', '2026-10-01T08:00:00.000Z', '2026-12-24T08:00:00.000Z'),
    poll('late', '2026-11-08T23:30:00.000Z', '2026-11-20T20:00:00.000Z'),
    poll('early', '2026-11-20T08:00:00.000Z', '2026-12-01T00:30:00.000Z'),
  ],
  total: 3,
  gaps: [{ from: '2026-11-24T20:00:00.000Z', to: '2026-11-26T00:00:00.000Z' }],
  overlaps: [{ from: '2026-11-28T08:00:00.000Z', to: '2026-11-28T09:00:00.000Z', polls: 9 }],
};
const eventsOf = (zone: string) =>
  calendarDays(november, zone).days.flatMap(({ day, events }) =>
    events.map(({ kind, time, poll: { id } }) => `${day} ${time} ${id} ${kind}`),
  );

test('openings and closings are listed on the local day of the operator’s time zone, in their order', () => {
  expect(eventsOf('UTC')).toEqual([
    '2026-11-08 23:30 late opens',
    '2026-11-20 08:00 early opens',
    '2026-11-20 20:00 late closes',
  ]);
  expect(eventsOf('Europe/Berlin')[0]).toBe('2026-11-09 00:30 late opens');
  expect(eventsOf('America/New_York').at(-1)).toBe('2026-11-30 19:30 early closes');
});

test('a month has all its days with their weekdays, and the polls that are open throughout it', () => {
  const { days, throughout } = calendarDays(november, 'Europe/Berlin');
  expect([days.length, days[0]?.weekday, days.at(-1)?.day]).toEqual([30, 0, '2026-11-30']);
  expect(throughout.map(({ id }) => id)).toEqual(['long']);
});

test('every day that a gap or an overlap touches is marked', () => {
  const { days } = calendarDays(november, 'UTC');
  expect(days.filter(({ hasGap }) => hasGap).map(({ day }) => day)).toEqual(['2026-11-24', '2026-11-25']);
  expect(days.flatMap(({ day, crowd }) => (crowd === null ? [] : [[day, crowd]]))).toEqual([['2026-11-28', 9]]);
});
