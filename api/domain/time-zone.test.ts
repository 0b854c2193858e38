import { expect, test } from 'vitest';
import { isTimeZone } from '#contract/schedule.ts';
import {
  dayEnd,
  dayStart,
  isSkipped,
  localDayOf,
  localTimeOf,
  momentOf,
  monthBounds,
  readLocalTime,
  shiftDay,
  shiftMonth,
} from './time-zone.ts';

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
])(
  'around clock changes in %s, every local time reads back as itself, and only the skipped hour has no moment',
  (zone, ...days) => {
    const changed = days.map((day) => {
      const locals = Array.from({ length: 72 }, (_, hour) =>
        localTimeOf(Date.parse(`${shiftDay(day, -1)}T00:30Z`) + hour * 3_600_000, 'UTC'),
      );
      const skipped = locals.filter((local) => momentOf(local, zone) === null);
      expect(skipped.every((local) => isSkipped(local, zone))).toBe(true);
      const known = locals.filter((local) => !skipped.includes(local));
      expect(known.map((local) => localTimeOf(momentOf(local, zone)!, zone))).toEqual(known);
      return skipped.length;
    });
    expect(changed).toEqual([1, 0]);
  },
);

test('a local time that is skipped has no moment, and of a repeated one the first counts', () => {
  expect(momentOf('2026-03-29T02:30', 'Europe/Berlin')).toBeNull();
  expect(isSkipped('2026-03-29T02:30', 'Europe/Berlin')).toBe(true);
  expect(isSkipped('2026-03-29T03:30', 'Europe/Berlin')).toBe(false);
  expect(isSkipped('2026-02-30T02:30', 'Europe/Berlin')).toBe(false);
  expect(iso(momentOf('2026-10-25T02:30', 'Europe/Berlin'))).toBe('2026-10-25T00:30:00.000Z');
});

test('a day lasts until its last minute, also where its midnight is skipped', () => {
  expect([iso(dayStart('2026-11-23', 'Europe/Berlin')), iso(dayEnd('2026-11-23', 'Europe/Berlin'))]).toEqual([
    ...['2026-11-22T23:00:00.000Z', '2026-11-23T22:59:00.000Z'],
  ]);
  expect(localTimeOf(dayStart('2026-09-06', 'America/Santiago'), 'America/Santiago')).toBe('2026-09-06T01:00');
  expect(localTimeOf(dayEnd('2026-09-05', 'America/Santiago'), 'America/Santiago')).toBe('2026-09-05T23:59');
});

test('a date field needs a date; without a time, a start begins its day, and an end ends it', () => {
  const read = (value: string, isEnd = false) => {
    const found = readLocalTime(value, 'Europe/Berlin', isEnd);
    return typeof found === 'number' ? iso(found) : found;
  };
  expect([read('2026-11-23'), read('2026-11-23', true)]).toEqual([
    ...['2026-11-22T23:00:00.000Z', '2026-11-23T22:59:00.000Z'],
  ]);
  expect(read('2026-11-23T09:00', true)).toBe('2026-11-23T08:00:00.000Z');
  expect([read(''), read('T09:00'), read('2026-02-30'), read('soon')]).toEqual([
    ...['blank', 'incomplete', 'incomplete', 'incomplete'],
  ]);
  expect(read('2026-03-29T02:30')).toBe('skipped');
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
