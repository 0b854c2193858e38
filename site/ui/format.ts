// Apart, because the plain scripts of ballots need no dates.
export { formatCount, formatPercent } from './format-count.ts';

// The locale is fixed so that build and browser produce the same text.
const formatsIn = (timeZone: string) => {
  const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone } as const;
  return {
    days: new Intl.DateTimeFormat('en-US', day),
    longDays: new Intl.DateTimeFormat('en-US', { ...day, month: 'long' }),
    dayMonths: new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone }),
    moments: new Intl.DateTimeFormat('en-US', {
      ...day,
      ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' },
    }),
  };
};
const utc = formatsIn('UTC');
let formats = utc;
let offsetMs = 0;
/** A date without a time is the same day everywhere. */
const formatsFor = (moment: string) => (moment.length > 10 ? formats : utc);

/**
 * Shows all times of this page in another time zone than UTC; `offset` is its distance from UTC now, in milliseconds. Only
 * the operator’s desk does: what readers see is the same everywhere.
 */
export function setDisplayZone(timeZone: string, offset: number): void {
  formats = formatsIn(timeZone);
  offsetMs = offset;
}

/** The distance of the displayed time zone from UTC now, in milliseconds. */
export const displayOffset = (): number => offsetMs;

/** The day of a moment (ISO 8601) in the displayed time zone, or a date: Nov 21, 2026. */
export function formatDay(moment: string): string {
  return formatsFor(moment).days.format(new Date(moment));
}

/** The same with the month in full: November 21, 2026. */
export function formatLongDay(moment: string): string {
  return formatsFor(moment).longDays.format(new Date(moment));
}

/** A moment (ISO 8601) to the minute in the displayed time zone: Nov 21, 2026, 08:00 UTC. */
export function formatMoment(moment: string): string {
  return formats.moments.format(new Date(moment));
}

/** Two days, with the year once if it is the same: Nov 14 – Nov 21, 2026. */
export function formatDayRange(from: string, to: string): string {
  const sameYear = from.slice(0, 4) === to.slice(0, 4);
  return `${formatsFor(from)[sameYear ? 'dayMonths' : 'days'].format(new Date(from))} – ${formatDay(to)}`;
}
