import { atom } from 'nanostores';
import { useSyncExternalStore } from 'react';
import { isTimeZone, localTimeOf, momentOf, zoneOffset } from '#domain/time-zone.ts';
import { setDisplayZone } from '#site/ui/format.ts';

const storageKey = 'deskTimeZone';

/** The time zone of this device. */
export const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

function chosenZone(): string | null {
  try {
    const zone = localStorage.getItem(storageKey);
    return zone !== null && isTimeZone(zone) ? zone : null;
  } catch {
    return null;
  }
}

/** The time zone of all times and date fields of the desk: the one chosen on this device, or the device’s own. */
export const deskZone = atom<string>(typeof window === 'undefined' ? 'UTC' : (chosenZone() ?? deviceZone()));

if (typeof window !== 'undefined') deskZone.subscribe((zone) => setDisplayZone(zone, zoneOffset(Date.now(), zone)));

const watchZone = (onChange: () => void) => deskZone.listen(onChange);
const readZone = () => deskZone.get();

/** The time zone of the desk, kept up to date. */
export const useDeskZone = (): string => useSyncExternalStore(watchZone, readZone, readZone);

/** Chooses the time zone of the desk on this device; null: the device’s own. */
export function chooseZone(zone: string | null): void {
  try {
    if (zone === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, zone);
  } catch {
    // Storage is blocked: the choice lasts until the operator leaves the page.
  }
  deskZone.set(zone ?? deviceZone());
}

/** The value of a date field (`datetime-local`) for a moment in ISO 8601 or milliseconds, in the time zone of the desk. */
export function toDateField(moment: string | number): string {
  return localTimeOf(typeof moment === 'string' ? Date.parse(moment) : moment, deskZone.get());
}

/** The moment in ISO 8601 of a date field’s value in the time zone of the desk; null if it isn’t one. */
export function fromDateField(value: string): string | null {
  const moment = momentOf(value.slice(0, 16), deskZone.get());
  return moment === null ? null : new Date(moment).toISOString();
}
