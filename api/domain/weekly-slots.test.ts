import { expect, test } from 'vitest';
import { defaultSlots, parseSlots } from '#contract/schedule.ts';
import { localTimeOf } from './time-zone.ts';
import { nextSlot } from './weekly-slots.ts';

const next = (text: string, from: string, zone = 'UTC') => {
  const { startsAt, endsAt } = nextSlot(parseSlots(text)!, Date.parse(from), zone);
  return [localTimeOf(startsAt, zone), localTimeOf(endsAt, zone)];
};

test('the next weekly slot begins on its day at its time, and lasts a week by default', () => {
  expect(next(defaultSlots, '2026-11-28T12:00Z')).toEqual(['2026-11-30T09:00', '2026-12-07T09:00']);
  expect(next(defaultSlots, '2026-11-30T09:00Z')).toEqual(['2026-11-30T09:00', '2026-12-07T09:00']);
  expect(next(defaultSlots, '2026-11-30T09:01Z')).toEqual(['2026-12-07T09:00', '2026-12-14T09:00']);
});

test('a slot has its time of day in the time zone, before and after a clock change', () => {
  expect(next(defaultSlots, '2026-10-18T12:00Z', 'Europe/Berlin')).toEqual(['2026-10-19T09:00', '2026-10-26T09:00']);
  expect(next('Sunday 2:30, one week', '2026-03-22T12:00Z', 'Europe/Berlin')[0]).toBe('2026-03-29T03:30');
});

test('of several slots, the first one counts', () => {
  const slots = 'Monday 9:00, 4 days; friday 18:30, 1 day';
  expect(next(slots, '2026-11-24T00:00Z')).toEqual(['2026-11-27T18:30', '2026-11-28T18:30']);
  expect(next(slots, '2026-11-28T00:00Z')).toEqual(['2026-11-30T09:00', '2026-12-04T09:00']);
});

test('a slot in which a poll opens is skipped, as often as needed, and the others of its week are not', () => {
  const free = (slots: string, ...openings: string[]) => {
    const opens = openings.map((opening) => Date.parse(opening));
    return localTimeOf(nextSlot(parseSlots(slots)!, Date.parse('2026-11-28T12:00Z'), 'UTC', opens).startsAt, 'UTC');
  };
  expect(free(defaultSlots, '2026-11-30T09:00Z')).toBe('2026-12-07T09:00');
  expect(free(defaultSlots, '2026-12-03T20:00Z', '2026-12-07T09:00Z', '2026-12-21T09:00Z')).toBe('2026-12-14T09:00');
  expect(free(defaultSlots, '2026-11-29T09:00Z', '2026-12-07T09:00Z')).toBe('2026-11-30T09:00');
  expect(free('Monday 9:00, 4 days; Friday 9:00, 3 days', '2026-11-30T09:00Z')).toBe('2026-12-04T09:00');
});

test('what is no slot is refused', () => {
  for (const text of ['', 'Monday', 'Moonday 9:00, one week', 'Monday 24:00, one week', 'Monday 9:60, one week'])
    expect([text, parseSlots(text)]).toEqual([text, null]);
  expect(parseSlots('Monday 9:00, 0 days')).toBeNull();
  expect(parseSlots('Monday 9:00, one week; soon')).toBeNull();
});
