import { localTimeOf, momentOf, zoneOffset } from '#domain/time-zone.ts';
import { showSiteZone, siteZone } from '#site/ui/format.ts';

// Weekly polls open and close at times of the site’s zone, so operators see and enter all times in it, wherever they are.
showSiteZone((zone) => zoneOffset(Date.now(), zone));

/** The local time (“2026-11-23T09:00”) of a moment in ISO 8601 or milliseconds, in the time zone of the site. */
export function toLocalTime(moment: string | number): string {
  return localTimeOf(typeof moment === 'string' ? Date.parse(moment) : moment, siteZone());
}

/** The moment in ISO 8601 of a local time in the time zone of the site; null if it isn’t one. */
export function fromLocalTime(local: string): string | null {
  const moment = momentOf(local, siteZone());
  return moment === null ? null : new Date(moment).toISOString();
}
