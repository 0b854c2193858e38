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

const localTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;
const minuteMs = 60_000;
const dayMs = 86_400_000;

/** The moment in milliseconds of a local time in a zone; null if it isn’t one. A time that is skipped moves forward. */
export function nearestMoment(local: string, zone: string): number | null {
  const asUtc = localTime.test(local) ? Date.parse(`${local}Z`) : NaN;
  // Date.parse may read February 30 as March 2.
  if (Number.isNaN(asUtc) || localTimeOf(asUtc, 'UTC') !== local) return null;
  const [before, after] = [asUtc - zoneOffset(asUtc - dayMs, zone), asUtc - zoneOffset(asUtc + dayMs, zone)];
  return localTimeOf(before, zone) !== local && localTimeOf(after, zone) === local ? after : before;
}

/**
 * The moment in milliseconds of a local time in a zone; null if it isn’t one, such as February 30, or is skipped when clocks
 * are set forward. Of a time that occurs twice when clocks are set back, the first.
 */
export function momentOf(local: string, zone: string): number | null {
  const moment = nearestMoment(local, zone);
  return moment !== null && localTimeOf(moment, zone) === local ? moment : null;
}

/** Whether a local time is left out because clocks are set forward, such as 02:30 on a day in spring. */
export function isSkipped(local: string, zone: string): boolean {
  const moment = nearestMoment(local, zone);
  return moment !== null && localTimeOf(moment, zone) !== local;
}

/** The first moment of a month “2026-11” in a zone, and of the next one, in milliseconds. */
export function monthBounds(month: string, zone: string): { readonly from: number; readonly to: number } {
  return { from: dayStart(`${month}-01`, zone), to: dayStart(`${shiftMonth(month, 1)}-01`, zone) };
}

/** The first moment of a local day “2026-11-23” in a zone, in milliseconds. */
export function dayStart(day: string, zone: string): number {
  return nearestMoment(`${day}T00:00`, zone)!;
}

/** The last minute of a local day in a zone, in milliseconds: what a date without a time means as an end. */
export function dayEnd(day: string, zone: string): number {
  // No year has five digits here.
  if (day === '9999-12-31') return nearestMoment(`${day}T23:59`, zone)!;
  return dayStart(shiftDay(day, 1), zone) - minuteMs;
}

/**
 * The moment in milliseconds that a date field’s value means in a zone: “2026-11-23T09:00”, or a date alone, which is the
 * beginning of that day, or as an end its last minute. Otherwise what is wrong with it.
 */
export function readLocalTime(
  value: string,
  zone: string,
  isEnd: boolean,
): number | 'blank' | 'incomplete' | 'skipped' {
  if (value === '') return 'blank';
  const [day = '', time] = value.split('T');
  if (momentOf(`${day}T00:00`, 'UTC') === null) return 'incomplete';
  if (time === undefined) return isEnd ? dayEnd(day, zone) : dayStart(day, zone);
  if (isSkipped(value, zone)) return 'skipped';
  return momentOf(value, zone) ?? 'incomplete';
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
