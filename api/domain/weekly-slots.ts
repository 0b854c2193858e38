import type { WeeklySlot } from '#contract/schedule.ts';
import { localDayOf, nearestMoment, shiftDay } from './time-zone.ts';

/** The first slot that begins at or after a moment, as a period in milliseconds. It ends at the time of day at which it begins. */
export function nextSlot(
  slots: readonly WeeklySlot[],
  from: number,
  zone: string,
): { readonly startsAt: number; readonly endsAt: number } {
  const today = localDayOf(from, zone);
  const weekday = new Date(today).getUTCDay();
  const periods = slots.flatMap((slot) =>
    [0, 7].map((weeks) => {
      const day = shiftDay(today, ((slot.weekday - weekday + 7) % 7) + weeks);
      // Where clocks skip the time on that day, the slot begins as they are set forward.
      const at = (of: string) => nearestMoment(`${of}T${slot.time}`, zone)!;
      return { startsAt: at(day), endsAt: at(shiftDay(day, slot.days)) };
    }),
  );
  return periods.filter(({ startsAt }) => startsAt >= from).reduce((a, b) => (b.startsAt < a.startsAt ? b : a));
}
