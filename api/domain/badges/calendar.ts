/**
 * Days and weekends of the badges, all in UTC (decision 081). Moments are milliseconds since 1970, days are whole
 * days since then.
 */

export const dayMs = 86_400_000;

/** January 3, 1970, the first Saturday. */
const firstSaturday = 2;

export function dayOf(at: number): number {
  return Math.floor(at / dayMs);
}

/** The number of the weekend a day belongs to; null from Monday to Friday. */
export function weekendOf(day: number): number | null {
  const since = day - firstSaturday;
  const week = Math.floor(since / 7);
  return since - week * 7 < 2 ? week : null;
}

const isDate = (at: number, month: number, date: number) =>
  new Date(at).getUTCMonth() === month - 1 && new Date(at).getUTCDate() === date;

export function isNewYear(at: number): boolean {
  return isDate(at, 1, 1);
}

export function isLeapDay(at: number): boolean {
  return isDate(at, 2, 29);
}

/** June 21 and December 21. The astronomical solstices vary by a day. */
export function isSolstice(at: number): boolean {
  return isDate(at, 6, 21) || isDate(at, 12, 21);
}

export function isFridayThe13th(at: number): boolean {
  return new Date(at).getUTCDay() === 5 && new Date(at).getUTCDate() === 13;
}

/** The meteorological season, from 0: December to February, March to May, June to August, September to November. */
export function seasonOf(at: number): number {
  return Math.floor(((new Date(at).getUTCMonth() + 1) % 12) / 3);
}
