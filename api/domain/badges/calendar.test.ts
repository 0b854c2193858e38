import { afterEach, describe, expect, test, vi } from 'vitest';
import * as calendar from './calendar.ts';

const at = (iso: string) => Date.parse(iso);

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('days', () => {
  test('[D7.5] begin at midnight UTC, to the millisecond', () => {
    // In the server's time zone, the first is still the day before.
    vi.stubEnv('TZ', 'America/New_York');
    expect(new Date('2027-03-10T00:00:00Z').getDate()).toBe(9);
    expect(calendar.dayOf(at('2027-03-10T00:00:00Z')) - calendar.dayOf(at('2027-03-09T23:59:59.999Z'))).toBe(1);
    expect(calendar.dayOf(at('2027-03-09T00:00:00Z'))).toBe(calendar.dayOf(at('2027-03-09T23:59:59.999Z')));
  });

  test.each([
    ['the end of a year', '2027-12-31', '2028-01-01'],
    ['a leap day', '2028-02-28', '2028-02-29'],
    ['the day after a leap day', '2028-02-29', '2028-03-01'],
    ['February of other years', '2027-02-28', '2027-03-01'],
    ['the start of summer time in Europe', '2027-03-27', '2027-03-28'],
    ['the end of summer time in the United States', '2027-11-06', '2027-11-07'],
  ])('follow each other over %s', (_, one, next) => {
    expect(calendar.dayOf(at(`${next}T00:30:00Z`)) - calendar.dayOf(at(`${one}T23:30:00Z`))).toBe(1);
  });
});

describe('weekends', () => {
  const weekend = (date: string) => calendar.weekendOf(calendar.dayOf(at(`${date}T12:00:00Z`)));

  test('are Saturday and Sunday, counted together', () => {
    expect(weekend('2027-03-13')).not.toBeNull();
    expect(weekend('2027-03-14')).toBe(weekend('2027-03-13'));
    expect(weekend('2027-03-20')).toBe(weekend('2027-03-13')! + 1);
  });

  test('continue over the end of a year', () => {
    expect(new Date('2022-12-31').getUTCDay()).toBe(6);
    expect(weekend('2023-01-01')).toBe(weekend('2022-12-31'));
  });

  test('exclude weekdays, before 1970, too', () => {
    for (const date of ['2027-03-08', '2027-03-09', '2027-03-10', '2027-03-11', '2027-03-12', '1969-12-31'])
      expect(weekend(date)).toBeNull();
    expect(weekend('1969-12-28')).toBe(weekend('1969-12-27'));
  });
});

describe('dates', () => {
  test('a Friday the 13th is both', () => {
    const is = (date: string) => calendar.isFridayThe13th(at(date));
    expect(['2027-08-13', '2027-08-12', '2027-08-14', '2027-09-13', '2027-08-20'].map(is)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test('there is no leap day in 2100', () => {
    expect(calendar.isLeapDay(at('2028-02-29T12:00:00Z'))).toBe(true);
    expect(calendar.isLeapDay(at('2100-02-28T24:00:00Z'))).toBe(false);
  });

  test('seasons are meteorological; winter continues over the end of a year', () => {
    const months = Array.from({ length: 12 }, (_, month) => calendar.seasonOf(Date.UTC(2027, month, 1)));
    expect(months).toEqual([0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0]);
    expect(calendar.seasonOf(at('2028-02-29T23:59:59Z'))).toBe(0);
  });
});
