import { expect, test } from 'vitest';
import { isTimeZone, localDayOf, localTimeOf, momentOf, monthBounds, shiftDay, shiftMonth } from './time-zone.ts';

const iso = (moment: number | null) => moment && new Date(moment).toISOString();

test('a local time names the same moment in every zone with its own offset', () => {
  expect(iso(momentOf('2026-11-23T08:00', 'Europe/Berlin'))).toBe('2026-11-23T07:00:00.000Z');
  expect(iso(momentOf('2026-07-01T08:00', 'Europe/Berlin'))).toBe('2026-07-01T06:00:00.000Z');
  expect(iso(momentOf('2026-11-23T08:00', 'Asia/Kathmandu'))).toBe('2026-11-23T02:15:00.000Z');
  expect(iso(momentOf('2026-11-23T08:00', 'UTC'))).toBe('2026-11-23T08:00:00.000Z');
});

test.each([
  ['America/New_York', '2026-03-08', '2026-11-01'],
  ['America/Santiago', '2026-09-06', '2026-04-05'],
  ['Europe/London', '2026-03-29', '2026-10-25'],
])('around clock changes in %s, every local time reads back as itself, except the skipped hour', (zone, ...days) => {
  const changed = days.map((day) => {
    const locals = Array.from({ length: 72 }, (_, hour) =>
      localTimeOf(Date.parse(`${shiftDay(day, -1)}T00:30Z`) + hour * 3_600_000, 'UTC'),
    );
    return locals.filter((local) => localTimeOf(momentOf(local, zone)!, zone) !== local).length;
  });
  expect(changed).toEqual([1, 0]);
});

test('a skipped local time moves forward, and of a repeated one the first counts', () => {
  expect(localTimeOf(momentOf('2026-03-29T02:30', 'Europe/Berlin')!, 'Europe/Berlin')).toBe('2026-03-29T03:30');
  expect(iso(momentOf('2026-10-25T02:30', 'Europe/Berlin'))).toBe('2026-10-25T00:30:00.000Z');
});

test('what is no local time has no moment', () => {
  for (const text of ['', '2026-02-30T08:00', '2026-11-23', '2026-13-01T00:00', '2026-11-23T25:00', 'soon'])
    expect([text, momentOf(text, 'UTC')]).toEqual([text, null]);
});

test('a month lasts from local midnight to local midnight, also across a clock change', () => {
  const { from, to } = monthBounds('2026-10', 'Europe/Berlin');
  expect([iso(from), iso(to)]).toEqual(['2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z']);
  expect(localDayOf(from, 'Europe/Berlin')).toBe('2026-10-01');
});

test('months and days are counted across years', () => {
  expect([shiftMonth('2026-12', 1), shiftMonth('2026-01', -1), shiftMonth('2026-03', -14)]).toEqual([
    ...['2027-01', '2025-12', '2025-01'],
  ]);
  expect([shiftDay('2026-12-31', 1), shiftDay('2026-03-01', -1)]).toEqual(['2027-01-01', '2026-02-28']);
});

test('only names of time zones are time zones', () => {
  expect(['Europe/Berlin', 'UTC', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, true, false, false]);
});
