// Apart, because the plain scripts of ballots need no dates.
export { formatCount, formatPercent } from './format-count.ts';

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
// The locale is fixed so that build and browser produce the same text.
const formatsIn = (timeZone: string) => ({
  days: new Intl.DateTimeFormat('en-US', { ...day, timeZone }),
  longDays: new Intl.DateTimeFormat('en-US', { ...day, month: 'long', timeZone }),
  moments: new Intl.DateTimeFormat('en-US', {
    ...day,
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short', timeZone },
  }),
});
const made = new Map<string, ReturnType<typeof formatsIn>>();
/** The formats of a zone; a date without a time is the same day everywhere. */
function formatsFor(moment: string, zone = shownZone()) {
  const name = moment.length > 10 ? zone : 'UTC';
  let formats = made.get(name);
  if (!formats) made.set(name, (formats = formatsIn(name)));
  return formats;
}

const isBrowser = typeof document !== 'undefined';
let settingOfSite = 'UTC';

/** Sets the time zone of the site, where pages are rendered; pages carry it to the browser. */
export function setSiteZone(zone: string): void {
  settingOfSite = zone;
}

/** The time zone of the site, in which pages are saved and operators work. */
export const siteZone = (): string =>
  isBrowser ? (document.documentElement.dataset.zone ?? settingOfSite) : settingOfSite;

/** The time zone of this device. */
export const readerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

let offsetOfSite: ((zone: string) => number) | null = null;

/**
 * Shows all times of this page in the site’s time zone, as the operator’s pages do: their forms take times in it. `offsetOf`:
 * the distance of a zone from UTC now, in milliseconds.
 */
export function showSiteZone(offsetOf: (zone: string) => number): void {
  offsetOfSite = offsetOf;
}

/** The time zone of times on this page: saved, the site’s; shown by scripts, the reader’s. */
export const shownZone = (): string => (isBrowser && offsetOfSite === null ? readerZone() : siteZone());

/** The distance of that time zone from UTC now, in milliseconds. */
export const displayOffset = (): number =>
  offsetOfSite === null ? -new Date().getTimezoneOffset() * 60_000 : offsetOfSite(siteZone());

/** The day of a moment (ISO 8601) in a time zone, by default the one that the page shows, or a date: Nov 21, 2026. */
export function formatDay(moment: string, zone?: string): string {
  return formatsFor(moment, zone).days.format(new Date(moment));
}

/** The same with the month in full: November 21, 2026. */
export function formatLongDay(moment: string, zone?: string): string {
  return formatsFor(moment, zone).longDays.format(new Date(moment));
}

/** A moment (ISO 8601) to the minute, with the time zone: Nov 21, 2026, 08:00 UTC. */
export function formatMoment(moment: string, zone?: string): string {
  return formatsFor(moment, zone).moments.format(new Date(moment));
}

/** The days from one moment to another, as short as they can be: Jun 3, 2014; Jun 3–5, 2014; May 30 – Jun 2, 2014. */
export function formatDayRange(from: string, to: string, zone?: string): string {
  const parts = formatsFor(from, zone).days.formatRangeToParts(new Date(from), new Date(to));
  const isMonth = parts.filter(({ type }) => type === 'month').length === 1;
  return parts.map(({ value }) => (value.includes('–') ? (isMonth ? '–' : ' – ') : value)).join('');
}
