import type { DateFormat } from './import-settings.contract.ts';
import { dayEnd, dayStart, isSkipped, momentOf } from '#domain/time-zone.ts';

/** How dates are read that are not ISO 8601 (null: not at all), and the IANA time zone of dates without an offset. */
export interface DateRules {
  readonly dateFormat: DateFormat | null;
  readonly timeZone: string;
}

/** A date of a file; times in milliseconds. */
export interface FileDate {
  readonly at: number;
  /** What else it can mean, if it has no time or no offset. */
  readonly vague?: VagueDate;
}

/**
 * What a date without a time or without an offset can mean: any time of its day in the zone (`to` excluded), and what it
 * means in UTC, as which imports have read it before the site’s time zone was set.
 */
export interface VagueDate {
  readonly day: { readonly from: number; readonly to: number } | null;
  readonly utc: readonly number[];
}

const isoForm = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * The time of an ISO 8601 calendar date, with or without a time of day, in milliseconds since 1970 UTC; UTC is assumed
 * without an offset. Null for any other format, for dates and times that do not exist, and for years outside 1 to 9999.
 */
export function parseIsoDate(text: string): number | null {
  const match = isoForm.exec(text);
  if (!match) return null;
  const part = (index: number) => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  if (hour > 23 || minute > 59 || second > 59) return null;
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));

  const date = new Date(0);
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  date.setUTCHours(hour, minute, second, milliseconds);

  const offset = offsetMinutes(match[8]);
  return offset === null ? null : storable(date.getTime() - offset * 60_000);
}

function storable(moment: number): number | null {
  const year = new Date(moment).getUTCFullYear();
  return year >= 1 && year <= 9999 ? moment : null;
}

function offsetMinutes(text: string | undefined): number | null {
  if (text === undefined || text === 'Z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', '') || 0);
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

const numericForm =
  /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})\.?(?:(?:T|,? +)(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?: ?([ap])\.?m\.?)?)?$/i;

/**
 * A date of a file: ISO 8601, or numbers in the order that the rules name, such as 11/22/2026 9:30 AM or 22.11.2026. Without a
 * time, it is the beginning of its day, or as an end the last minute. Null for any other format, and for dates and times that
 * do not exist; `skipped` for a local time that is left out because clocks are set forward.
 */
export function parseDate(
  text: string,
  { dateFormat, timeZone }: DateRules,
  isEnd = false,
): FileDate | 'skipped' | null {
  if (/:\d\d\S*(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(text)) {
    const at = parseIsoDate(dateFormat === null ? text : text.replace(' ', 'T'));
    return at === null ? null : { at };
  }
  const local = localDate(text, dateFormat);
  if (local === null) return null;
  const { day, time, rest } = local;
  const utc = parseIsoDate(`${day}T${time ?? '00:00'}`);
  if (utc === null) return null;
  if (time === null) {
    const [from, last] = [dayStart(day, timeZone), dayEnd(day, timeZone)];
    return dated(isEnd ? last : from, { day: { from, to: last + 60_000 }, utc: [utc, dayEnd(day, 'UTC')] });
  }
  if (isSkipped(`${day}T${time}`, timeZone)) return 'skipped';
  return dated(momentOf(`${day}T${time}`, timeZone)! + rest, { day: null, utc: [utc + rest] });
}

function dated(at: number, vague: VagueDate): FileDate | null {
  return storable(at) === null ? null : { at, vague };
}

/** The day and time (HH:MM, null without one) of a date without an offset; `rest`: milliseconds after the minute. */
function localDate(text: string, dateFormat: DateFormat | null) {
  if (dateFormat === null) {
    const moment = parseIsoDate(text);
    const hasTime = text.includes('T');
    return moment === null
      ? null
      : {
          day: text.slice(0, 10),
          time: hasTime ? text.slice(11, 16) : null,
          rest: ((moment % 60_000) + 60_000) % 60_000,
        };
  }
  const match = numericForm.exec(text);
  if (!match) return null;
  const [, first = '', , second = '', last = '', hour, minute = '', seconds = '00', half] = match;
  const day = dayInOrder([first, second, last], dateFormat);
  const hours = half === undefined ? Number(hour) : hourOfHalf(Number(hour), half);
  if (day === null || hours === null || Number(seconds) > 59) return null;
  return { day, time: hour === undefined ? null : `${padded(hours)}:${minute}`, rest: Number(seconds) * 1000 };
}

/** The day of three numbers as YYYY-MM-DD; the year must have four digits, so that it is never guessed. */
function dayInOrder([first, second, last]: readonly [string, string, string], format: DateFormat): string | null {
  if (first.length === 4 && last.length <= 2) return `${first}-${padded(second)}-${padded(last)}`;
  if (first.length > 2 || last.length !== 4 || format === 'iso') return null;
  const [month, day] = format === 'month-first' ? [first, second] : [second, first];
  return `${last}-${padded(month)}-${padded(day)}`;
}

const padded = (number: string | number) => String(number).padStart(2, '0');

function hourOfHalf(hour: number, half: string): number | null {
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** Finds the order of day and month in dates of numbers: only a number over 12 shows it. */
export class DateOrder {
  #dayFirst = false;
  #monthFirst = false;
  #unclear = false;
  #isIso = true;

  add(text: string): void {
    if (text !== '' && parseIsoDate(text) === null) this.#isIso = false;
    const [, first = '', , second = '', last = ''] = numericForm.exec(text) ?? [];
    if (last.length !== 4 || first.length > 2) return;
    if (Number(first) > 12) this.#dayFirst = true;
    else if (Number(second) > 12) this.#monthFirst = true;
    else if (first !== second) this.#unclear = true;
  }

  /** The format that all dates have; null if several fit, or none. */
  get format(): DateFormat | null {
    if (this.#dayFirst && this.#monthFirst) return null;
    if (this.#dayFirst) return 'day-first';
    if (this.#monthFirst) return 'month-first';
    return this.#unclear ? null : 'iso';
  }

  /** Whether all dates are ISO 8601. */
  get isIso(): boolean {
    return this.#isIso;
  }

  get isMixed(): boolean {
    return this.#dayFirst && this.#monthFirst;
  }
}
