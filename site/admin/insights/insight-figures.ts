import type { Insights } from '#api/admin/insights/insights.contract.ts';

/** Votes of a day or an hour, with its name. */
export interface Bar {
  readonly name: string;
  readonly votes: number;
}

/** Days that a chart shows, newest last. */
const daysShown = 90;
const dayMs = 86_400_000;

/** Votes by day in a time zone, from the first with votes to the last, with the empty ones between; of a long time, the end. */
export function votesByDay({ hours, days }: Pick<Insights, 'hours' | 'days'>, timeZone: string): Bar[] {
  // In this locale, a date is written like 2026-11-23.
  const dayOf = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone });
  const counted = new Map<string, number>();
  for (const { startsAt, votes } of hours) add(counted, dayOf.format(new Date(startsAt)), votes);
  for (const { day, votes } of days) add(counted, day, votes);
  const found = [...counted.keys()].sort();
  const [first, last] = [found[0], found.at(-1)].map((day) => Date.parse(day ?? ''));
  if (first === undefined || last === undefined || Number.isNaN(first)) return [];
  const bars: Bar[] = [];
  for (let day = Math.max(first, last - (daysShown - 1) * dayMs); day <= last; day += dayMs) {
    const name = new Date(day).toISOString().slice(0, 10);
    bars.push({ name, votes: counted.get(name) ?? 0 });
  }
  return bars;
}

/** Votes by hour of the day in a time zone, from midnight on; none if no hours are known. */
export function votesByHour({ hours }: Pick<Insights, 'hours'>, timeZone: string): Bar[] {
  if (hours.length === 0) return [];
  const hourOf = new Intl.DateTimeFormat('en-US', { hour: '2-digit', hourCycle: 'h23', timeZone });
  const counted = new Map<string, number>();
  for (const { startsAt, votes } of hours) add(counted, hourOf.format(new Date(startsAt)), votes);
  return Array.from({ length: 24 }, (_, hour) => {
    const name = String(hour).padStart(2, '0');
    return { name: `${name}:00`, votes: counted.get(name) ?? 0 };
  });
}

function add(counts: Map<string, number>, name: string, votes: number): void {
  counts.set(name, (counts.get(name) ?? 0) + votes);
}
