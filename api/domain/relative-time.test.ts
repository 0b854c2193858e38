import { expect, test } from 'vitest';
import { relativeTime } from './relative-time.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test('[S2.36] a time is shown in a fitting unit, rounded down', () => {
  expect(relativeTime(0, 0)).toBe('just now');
  expect(relativeTime(0, minute - 1)).toBe('just now');
  expect(relativeTime(50_000, 0)).toBe('now');
  expect(relativeTime(0, minute)).toBe('1 minute ago');
  expect(relativeTime(110 * minute, 0)).toBe('in 1 hour');
  expect(relativeTime(3 * day, 0)).toBe('in 3 days');
  expect(relativeTime(day, 0)).toBe('in 24 hours');
  expect(relativeTime(45 * hour, 0)).toBe('in 45 hours');
  expect(relativeTime(0, 2 * day)).toBe('2 days ago');
  expect(relativeTime(14 * day, 0)).toBe('in 14 days');
  expect(relativeTime(0, 45 * day)).toBe('45 days ago');
  expect(relativeTime(60 * day, 0)).toBe('in 2 months');
  expect(relativeTime(0, 400 * day)).toBe('13 months ago');
  expect(relativeTime(0, 800 * day)).toBe('2 years ago');
});

test.each([
  [7 * day, 'in 7 days', 2 * hour, 3 * hour, 'in 6 days'],
  [2 * day, 'in 2 days', 2 * hour, 3 * hour, 'in 45 hours'],
  [day, 'in 24 hours', 6 * minute, 7 * minute, 'in 23 hours'],
  [hour, 'in 1 hour', 6 * minute, 7 * minute, 'in 53 minutes'],
  [60 * day, 'in 2 months', 3 * day, 4 * day, 'in 56 days'],
])('an end that was just chosen is shown as it was chosen: %d ms is “%s”', (chosen, text, soon, later, then) => {
  expect([0, soon, later].map((since) => relativeTime(chosen, since))).toEqual([text, text, then]);
});

test('[S2.36] from 24 hours on, past times are shown in calendar days', () => {
  expect(relativeTime(0, day - 1)).toBe('23 hours ago');
  expect(relativeTime(0, day)).toBe('yesterday');
  expect(relativeTime(0, 36 * hour)).toBe('yesterday');
  expect(relativeTime(20 * hour, 56 * hour)).toBe('2 days ago');
});
