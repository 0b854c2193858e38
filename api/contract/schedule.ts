/** Whether there is a time zone with this name, such as “Europe/Berlin” or “UTC”. */
export function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en-US', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** When a weekly poll opens, in the site’s time zone, and for how many days. */
export interface WeeklySlot {
  /** From 0 for Sunday. */
  readonly weekday: number;
  /** “09:00” */
  readonly time: string;
  readonly days: number;
}

/** The default of WEEKLY_SLOTS. */
export const defaultSlots = 'Monday 9:00, one week';

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const form = /^([a-z]+) (\d{1,2}):(\d\d), ?(one|\d{1,2}) (day|week)s?$/i;

/** Reads slots such as “Monday 9:00, one week; Friday 12:00, 2 days”; null if one can’t be read. */
export function parseSlots(text: string): readonly WeeklySlot[] | null {
  const slots = text.split(';').map((slot): WeeklySlot | null => {
    const [, name = '', hour = '', minute = '', count = '', unit = ''] = form.exec(slot.trim()) ?? [];
    const weekday = weekdays.indexOf(name.toLowerCase());
    const days = (count.toLowerCase() === 'one' ? 1 : Number(count)) * (unit.toLowerCase() === 'week' ? 7 : 1);
    if (weekday === -1 || Number(hour) > 23 || Number(minute) > 59 || days === 0) return null;
    return { weekday, time: `${hour.padStart(2, '0')}:${minute}`, days };
  });
  return slots.every((slot) => slot !== null) ? slots : null;
}
