import { expect, test } from 'vitest';
import { nextWave } from './recurrence.ts';
import type { Recurrence } from './recurrence.ts';
import { localTimeOf, momentOf } from './time-zone.ts';

const berlin = { every: 2, unit: 'week', until: null, timeZone: 'Europe/Berlin' } as const satisfies Recurrence;

/** The local times of the first waves of a rule. */
function waves(first: readonly [string, string], rule: Recurrence, count: number): (string | null)[] {
  const [startsAt, endsAt] = first.map((local) => momentOf(local, rule.timeZone)!) as [number, number];
  const found: (string | null)[] = [];
  for (let after = startsAt; found.length < count;) {
    const wave = nextWave({ startsAt, endsAt }, rule, after);
    const local = (at: number) => localTimeOf(at, rule.timeZone);
    found.push(wave && `${local(wave.startsAt)} to ${local(wave.endsAt)}`);
    if (wave === null) break;
    after = wave.startsAt;
  }
  return found;
}

test.each([
  ['Europe/Berlin', 'spring', '2027-03-18', ['2027-04-01', '2027-04-15']],
  ['Europe/Berlin', 'autumn', '2026-10-15', ['2026-10-29', '2026-11-12']],
  ['America/New_York', 'spring', '2027-03-04', ['2027-03-18', '2027-04-01']],
  ['America/New_York', 'autumn', '2026-10-22', ['2026-11-05', '2026-11-19']],
])('every two weeks at 9:00 in %s stays at 9:00 when clocks change in %s', (timeZone, _, day, days) => {
  const week = (opening: string) => `${opening}T09:00 to ${shifted(opening)}T09:00`;
  const shifted = (opening: string) => new Date(Date.parse(opening) + 7 * 86_400_000).toISOString().slice(0, 10);
  expect(waves([`${day}T09:00`, `${shifted(day)}T09:00`], { ...berlin, timeZone }, 2)).toEqual(days.map(week));
});

test('the distance of two waves in UTC is an hour more or less where clocks change between them', () => {
  const startsAt = Date.parse('2027-03-18T08:00:00Z');
  const wave = nextWave({ startsAt, endsAt: startsAt + 86_400_000 }, berlin, startsAt);
  expect(wave).toEqual({
    startsAt: Date.parse('2027-04-01T07:00:00Z'),
    endsAt: Date.parse('2027-04-02T07:00:00Z'),
  });
});

test('a time that clocks skip moves forward on that day only, and one that occurs twice is the first', () => {
  const weekly = { ...berlin, every: 1 };
  expect(waves(['2027-03-21T02:30', '2027-03-22T02:30'], weekly, 2)).toEqual([
    '2027-03-28T03:30 to 2027-03-29T02:30',
    '2027-04-04T02:30 to 2027-04-05T02:30',
  ]);
  const startsAt = momentOf('2026-10-18T02:30', 'Europe/Berlin')!;
  const twice = nextWave({ startsAt, endsAt: startsAt + 3_600_000 }, weekly, startsAt);
  expect(new Date(twice!.startsAt).toISOString()).toBe('2026-10-25T00:30:00.000Z');
});

test('a month without the day has its wave on the last one, and the next month has the day again', () => {
  const monthly = { ...berlin, every: 1, unit: 'month' } as const;
  expect(waves(['2028-01-31T09:00', '2028-02-02T18:00'], monthly, 4)).toEqual([
    '2028-02-29T09:00 to 2028-03-02T18:00',
    '2028-03-31T09:00 to 2028-04-02T18:00',
    '2028-04-30T09:00 to 2028-05-02T18:00',
    '2028-05-31T09:00 to 2028-06-02T18:00',
  ]);
  expect(waves(['2026-11-30T09:00', '2026-12-01T09:00'], { ...monthly, every: 3 }, 1)).toEqual([
    '2027-02-28T09:00 to 2027-03-01T09:00',
  ]);
});

test('the last day counts, and after it there is no wave; waves that were missed are left out', () => {
  const first = ['2026-12-03T09:00', '2026-12-10T09:00'] as const;
  expect(waves(first, { ...berlin, until: '2026-12-17' }, 3)).toEqual(['2026-12-17T09:00 to 2026-12-24T09:00', null]);
  const [startsAt, endsAt] = [momentOf(first[0], 'Europe/Berlin')!, momentOf(first[1], 'Europe/Berlin')!];
  const late = nextWave({ startsAt, endsAt }, berlin, Date.parse('2027-06-01T00:00:00Z'));
  expect(localTimeOf(late!.startsAt, 'Europe/Berlin')).toBe('2027-06-03T09:00');
});
