import type { WeeklySlot } from '#contract/schedule.ts';
import { localDayOf, nearestMoment, shiftDay } from './time-zone.ts';

/**
 * The first slot that begins at or after a moment, as a period in milliseconds, and in which no poll of `openings` opens. It
 * ends at the time of day at which it begins.
 */
export function nextSlot(
  slots: readonly WeeklySlot[],
  from: number,
  zone: string,
  openings: readonly number[] = [],
): { readonly startsAt: number; readonly endsAt: number } {
  const today = localDayOf(from, zone);
  const weekday = new Date(today).getUTCDay();
  // A slot for each opening, and the one that has begun.
  const weeks = Array.from({ length: openings.length + 2 }, (_, week) => week);
  const periods = slots.flatMap((slot) =>
    weeks.map((week) => {
      const day = shiftDay(today, ((slot.weekday - weekday + 7) % 7) + 7 * week);
      // Where clocks skip the time on that day, the slot begins as they are set forward.
      const at = (of: string) => nearestMoment(`${of}T${slot.time}`, zone)!;
      return { startsAt: at(day), endsAt: at(shiftDay(day, slot.days)) };
    }),
  );
  return periods
    .filter(({ startsAt, endsAt }) => startsAt >= from && !openings.some((at) => at >= startsAt && at < endsAt))
    .reduce((a, b) => (b.startsAt < a.startsAt ? b : a));
}
