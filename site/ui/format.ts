// Apart, because the plain scripts of ballots need no dates.
export { formatCount, formatPercent } from './format-count.ts';

// The locale is fixed so that build and browser produce the same text.
const days = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const longDays = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const moments = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
  timeZoneName: 'short',
});
const dayMonths = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The day of a moment (ISO 8601) in UTC: Nov 21, 2026. */
export function formatDay(moment: string): string {
  return days.format(new Date(moment));
}

/** The day of a moment, or a date, with the month in full: November 21, 2026. */
export function formatLongDay(moment: string): string {
  return longDays.format(new Date(moment));
}

/** A moment (ISO 8601) to the minute in UTC: Nov 21, 2026, 08:00 UTC. */
export function formatMoment(moment: string): string {
  return moments.format(new Date(moment));
}

/** Two days in UTC, with the year once if it is the same: Nov 14 – Nov 21, 2026. */
export function formatDayRange(from: string, to: string): string {
  const sameYear = from.slice(0, 4) === to.slice(0, 4);
  return `${(sameYear ? dayMonths : days).format(new Date(from))} – ${formatDay(to)}`;
}
