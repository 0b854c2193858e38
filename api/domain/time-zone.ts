/** The parts of a local time, made once per zone: constructing a format takes longer than everything else here. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
      ...{ hourCycle: 'h23', calendar: 'gregory', numberingSystem: 'latn', timeZone: zone },
    });
    formats.set(zone, format);
  }
  return format;
}

/** Whether there is a time zone with this name, such as “Europe/Berlin” or “UTC”. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The local time of a moment (milliseconds) in a zone, as the value of a date field: “2026-11-23T06:15”. */
export function localTimeOf(moment: number, zone: string): string {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  const [year = '', month, day, hour, minute] = ['year', 'month', 'day', 'hour', 'minute'].map(
    (type) => parts.get(type as Intl.DateTimeFormatPartTypes) ?? '',
  );
  return `${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}`;
}

/** By how many milliseconds a zone is ahead of UTC at a moment; whole minutes. */
export function zoneOffset(moment: number, zone: string): number {
  return Date.parse(`${localTimeOf(moment, zone)}Z`) - Math.floor(moment / minuteMs) * minuteMs;
}

/** The local day of a moment in a zone: “2026-11-23”. */
export const localDayOf = (moment: number, zone: string): string => localTimeOf(moment, zone).slice(0, 10);

const pattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;
const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * The moment in milliseconds of a local time in a zone; null if it isn’t one, such as February 30. Of a time that occurs
 * twice when clocks are set back, the first; one that is skipped moves forward by what is skipped.
 */
export function momentOf(local: string, zone: string): number | null {
  const asUtc = pattern.test(local) ? Date.parse(`${local}Z`) : NaN;
  // Date.parse may read February 30 as March 2.
  if (Number.isNaN(asUtc) || localTimeOf(asUtc, 'UTC') !== local) return null;
  const [before, after] = [asUtc - zoneOffset(asUtc - dayMs, zone), asUtc - zoneOffset(asUtc + dayMs, zone)];
  return localTimeOf(before, zone) !== local && localTimeOf(after, zone) === local ? after : before;
}

/** The first moment of a month “2026-11” in a zone, and of the next one, in milliseconds. */
export function monthBounds(month: string, zone: string): { readonly from: number; readonly to: number } {
  return { from: dayStart(`${month}-01`, zone), to: dayStart(`${shiftMonth(month, 1)}-01`, zone) };
}

/** The first moment of a local day “2026-11-23” in a zone, in milliseconds. */
export function dayStart(day: string, zone: string): number {
  return momentOf(`${day}T00:00`, zone)!;
}

/** The month that is `by` months after a month “2026-11”. */
export function shiftMonth(month: string, by: number): string {
  const shifted = new Date(`${month}-01T00:00Z`);
  shifted.setUTCMonth(shifted.getUTCMonth() + by);
  return shifted.toISOString().slice(0, 7);
}

/** The day that is `by` days after a day “2026-11-23”. */
export function shiftDay(day: string, by: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + by * dayMs).toISOString().slice(0, 10);
}
