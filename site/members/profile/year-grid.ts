/** Number of activities on a UTC day, `2026-11-21`. */
interface DayCount {
  readonly day: string;
  readonly count: number;
}

/** A day of the chart. `level` is the size of its dot, 0 (no activity) to 4. */
interface DayCell extends DayCount {
  readonly level: number;
}

/** Monday to Sunday; days outside the year are null. */
export interface Week {
  /** The day of its Monday. */
  readonly begins: string;
  readonly days: readonly (DayCell | null)[];
  readonly count: number;
  readonly activeDays: number;
}

/** Minimum activities for each dot size. */
export const dotSteps = [1, 3, 6, 10] as const;

const dayMs = 86_400_000;
const daysOfWeek = 7;

const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / dayMs;
const dayOf = (number: number) => new Date(number * dayMs).toISOString().slice(0, 10);
/** 0 for Monday; January 1, 1970 was a Thursday. */
const weekday = (number: number) => (number + 3) % daysOfWeek;

/** The days from `from` to `to` as weeks, oldest first. Days missing in `counts` had no activity. */
export function weeksOf(counts: readonly DayCount[], from: string, to: string): readonly Week[] {
  const known = new Map(counts.map(({ day, count }) => [day, count]));
  const [first, last] = [dayNumber(from), dayNumber(to)];
  const weeks: Week[] = [];
  for (let monday = first - weekday(first); monday <= last; monday += daysOfWeek) {
    const days = Array.from({ length: daysOfWeek }, (_, offset) => {
      const number = monday + offset;
      if (number < first || number > last) return null;
      const day = dayOf(number);
      const count = known.get(day) ?? 0;
      return { day, count, level: dotSteps.filter((step) => count >= step).length };
    });
    weeks.push({
      begins: dayOf(monday),
      days,
      count: days.reduce((sum, day) => sum + (day?.count ?? 0), 0),
      activeDays: days.filter((day) => day !== null && day.count > 0).length,
    });
  }
  return weeks;
}

/** A month and the number of week columns it spans. */
interface Month {
  /** `2026-11` */
  readonly month: string;
  readonly weeks: number;
}

/** The months of the weeks in order. A week belongs to the month of its Monday. */
export function monthsOf(weeks: readonly Week[]): readonly Month[] {
  const months: { month: string; weeks: number }[] = [];
  for (const { begins } of weeks) {
    const month = begins.slice(0, 7);
    const last = months.at(-1);
    if (last?.month === month) last.weeks += 1;
    else months.push({ month, weeks: 1 });
  }
  return months;
}
