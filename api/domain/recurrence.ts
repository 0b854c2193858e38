import { localTimeOf, nearestMoment, shiftDay, shiftMonth } from './time-zone.ts';

/** How often a poll is asked again. */
export interface Recurrence {
  /** Every so many weeks or months. */
  readonly every: number;
  readonly unit: 'week' | 'month';
  /** The last day on which a wave opens; null: there is none. */
  readonly until: string | null;
  /** The zone of its times of day, an IANA name. */
  readonly timeZone: string;
}

/** When a wave is open, in milliseconds. */
export interface WavePeriod {
  readonly startsAt: number;
  readonly endsAt: number;
}

/**
 * The first wave that opens after a moment, on the weekday and at the local time at which the first one did, for as many days;
 * null if the last one has. A month without that day has the wave on its last one; a time that clocks skip moves forward.
 */
export function nextWave(first: WavePeriod, rule: Recurrence, after: number): WavePeriod | null {
  const [day = '', opens] = localTimeOf(first.startsAt, rule.timeZone).split('T');
  const [lastDay = '', closes] = localTimeOf(first.endsAt, rule.timeZone).split('T');
  const days = (Date.parse(lastDay) - Date.parse(day)) / 86_400_000;
  for (let wave = 1; ; wave += 1) {
    const opening = waveDay(day, rule, wave);
    if (opening > (rule.until ?? '9998')) return null;
    const startsAt = nearestMoment(`${opening}T${opens}`, rule.timeZone)!;
    if (startsAt > after)
      return { startsAt, endsAt: nearestMoment(`${shiftDay(opening, days)}T${closes}`, rule.timeZone)! };
  }
}

function waveDay(day: string, { every, unit }: Recurrence, wave: number): string {
  if (unit === 'week') return shiftDay(day, 7 * every * wave);
  const month = shiftMonth(day.slice(0, 7), every * wave);
  const last = shiftDay(`${shiftMonth(month, 1)}-01`, -1);
  const same = `${month}-${day.slice(8)}`;
  return same < last ? same : last;
}
