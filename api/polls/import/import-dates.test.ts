import { expect, test } from 'vitest';
import { DateOrder, parseDate } from './import-dates.ts';

const parsed = (text: string, dateFormat: 'iso' | 'month-first' | 'day-first', timeZone = 'UTC') => {
  const date = parseDate(text, { dateFormat, timeZone });
  return date === null || date === 'skipped' ? date : new Date(date.at).toISOString();
};

test.each([
  ['11/22/2026', 'month-first', '2026-11-22T00:00:00.000Z'],
  ['1/2/2026 9:05 PM', 'month-first', '2026-01-02T21:05:00.000Z'],
  ['1/2/2026, 12:00 a.m.', 'month-first', '2026-01-02T00:00:00.000Z'],
  ['22.11.2026', 'day-first', '2026-11-22T00:00:00.000Z'],
  ['2.1.2026 09:05:07', 'day-first', '2026-01-02T09:05:07.000Z'],
  ['22-11-2026', 'day-first', '2026-11-22T00:00:00.000Z'],
  ['2026/11/22 09:30', 'day-first', '2026-11-22T09:30:00.000Z'],
  ['2026-11-22 09:30', 'iso', '2026-11-22T09:30:00.000Z'],
  ['2026-11-22T09:30:15', 'month-first', '2026-11-22T09:30:15.000Z'],
  ['2026-11-22T09:30:15+02:00', 'day-first', '2026-11-22T07:30:15.000Z'],
  ['2026-11-22 09:30Z', 'iso', '2026-11-22T09:30:00.000Z'],
] as const)('%s, read %s, is %s', (text, format, moment) => expect(parsed(text, format)).toBe(moment));

test.each([
  ['11/22/2026', 'iso'],
  ['11/22/2026', 'day-first'],
  ['22.11.2026', 'month-first'],
  ['02/30/2026', 'month-first'],
  ['11/22/26', 'month-first'],
  ['11/22/2026 13:00 PM', 'month-first'],
  ['11/22/2026 25:00', 'month-first'],
  ['11/22-2026', 'month-first'],
  ['November 22, 2026', 'month-first'],
  ['46348', 'iso'],
  ['', 'iso'],
] as const)('“%s” is not a date that is read %s', (text, format) => expect(parsed(text, format)).toBeNull());

test('dates without an offset are in the chosen time zone, in summer and winter time', () => {
  expect(parsed('11/22/2026 9:00 AM', 'month-first', 'America/New_York')).toBe('2026-11-22T14:00:00.000Z');
  expect(parsed('7/4/2026 9:00 AM', 'month-first', 'America/New_York')).toBe('2026-07-04T13:00:00.000Z');
  expect(parsed('2026-07-04T09:00:30', 'iso', 'Europe/Berlin')).toBe('2026-07-04T07:00:30.000Z');
  expect(parsed('2026-07-04T09:00Z', 'iso', 'Europe/Berlin')).toBe('2026-07-04T09:00:00.000Z');
});

test('a date without a time is the beginning of its day, and as an end its last minute, in the time zone', () => {
  const of = (isEnd: boolean, timeZone: string, text = '2026-11-20') => {
    const date = parseDate(text, { dateFormat: null, timeZone }, isEnd);
    return date === null || date === 'skipped' ? date : new Date(date.at).toISOString();
  };
  expect([of(false, 'UTC'), of(true, 'UTC')]).toEqual(['2026-11-20T00:00:00.000Z', '2026-11-20T23:59:00.000Z']);
  expect([of(false, 'Europe/Berlin'), of(true, 'Europe/Berlin')]).toEqual([
    ...['2026-11-19T23:00:00.000Z', '2026-11-20T22:59:00.000Z'],
  ]);
  expect(of(true, 'America/New_York', '2026-11-20T18:00')).toBe('2026-11-20T23:00:00.000Z');
  expect(of(true, 'America/New_York', '2026-11-20T18:00Z')).toBe('2026-11-20T18:00:00.000Z');
  expect(of(true, 'Europe/Berlin', '9999-12-31')).toBe('9999-12-31T22:59:00.000Z');
});

test('a local time that clocks leave out is told apart from what is no date', () => {
  expect(parsed('2026-03-29 02:30', 'iso', 'Europe/Berlin')).toBe('skipped');
  expect(parsed('2026-03-29 02:30', 'iso')).toBe('2026-03-29T02:30:00.000Z');
  expect(parsed('2026-02-30 02:30', 'iso', 'Europe/Berlin')).toBeNull();
});

const order = (...dates: string[]) => {
  const found = new DateOrder();
  for (const date of dates) found.add(date);
  return [found.format, found.isMixed, found.isIso];
};

test('the order of day and month is taken from a number over 12, and never guessed', () => {
  expect(order('01/02/2026', '11/22/2026')).toEqual(['month-first', false, false]);
  expect(order('01.02.2026', '22.11.2026 09:00')).toEqual(['day-first', false, false]);
  expect(order('01/02/2026', '03/04/2026')).toEqual([null, false, false]);
  expect(order('22/11/2026', '11/22/2026')).toEqual([null, true, false]);
  expect(order('05/05/2026', '2026-01-02 09:00')).toEqual(['iso', false, false]);
  expect(order('2026-01-02', '', '2026-01-02T09:00Z')).toEqual(['iso', false, true]);
});
