import type { PollCalendar } from '#api/admin/today/today.contract.ts';
import { dayStart, localDayOf, localTimeOf, shiftDay } from '#domain/time-zone.ts';

type CalendarPoll = PollCalendar['polls'][number];

/** An opening or closing; `time` is local, such as “08:00”. */
export interface CalendarEvent {
  readonly kind: 'opens' | 'closes';
  readonly time: string;
  readonly poll: CalendarPoll;
}

/** A day of a month with what happens on it. */
export interface CalendarDay {
  /** “2026-11-23” */
  readonly day: string;
  /** From 0 for Sunday. */
  readonly weekday: number;
  readonly events: readonly CalendarEvent[];
  /** At some time of the day, no poll is open. */
  readonly hasGap: boolean;
  /** The largest number of open polls, if that is too many. */
  readonly crowd: number | null;
}

/** The days of a month in a time zone, and the polls that are open throughout it. */
export function calendarDays(
  { month, polls, gaps, overlaps }: PollCalendar,
  zone: string,
): { readonly days: readonly CalendarDay[]; readonly throughout: readonly CalendarPoll[] } {
  const events = polls
    .flatMap((poll) => [
      { kind: 'opens' as const, at: Date.parse(poll.startsAt), poll },
      ...(poll.endsAt === null ? [] : [{ kind: 'closes' as const, at: Date.parse(poll.endsAt), poll }]),
    ])
    .sort((a, b) => a.at - b.at);
  const eventsOf = Map.groupBy(events, ({ at }) => localDayOf(at, zone));
  const days: CalendarDay[] = [];
  for (let day = `${month}-01`; day.startsWith(month); day = shiftDay(day, 1)) {
    const [from, to] = [dayStart(day, zone), dayStart(shiftDay(day, 1), zone)];
    const touches = (period: { readonly from: string; readonly to: string }) =>
      Date.parse(period.from) < to && Date.parse(period.to) > from;
    const crowds = overlaps.filter(touches).map(({ polls: count }) => count);
    days.push({
      day,
      weekday: new Date(`${day}T00:00Z`).getUTCDay(),
      events: (eventsOf.get(day) ?? []).map(({ kind, at, poll }) => ({
        kind,
        time: localTimeOf(at, zone).slice(11),
        poll,
      })),
      hasGap: gaps.some(touches),
      crowd: crowds.length === 0 ? null : Math.max(...crowds),
    });
  }
  const inMonth = new Set(days.flatMap((day) => day.events.map(({ poll }) => poll)));
  return { days, throughout: polls.filter((poll) => !inMonth.has(poll)) };
}
