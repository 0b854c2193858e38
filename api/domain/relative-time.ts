const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [
  ['year', 365 * day],
  ['month', 30 * day],
  ['week', 7 * day],
  ['day', day],
  ['hour', hour],
  ['minute', minute],
] as const;

const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** A moment as seen from now, in the largest unit that fits: "in 3 days", "2 hours ago", "now" within a minute. */
export function relativeTime(moment: number, now: number): string {
  const distance = moment - now;
  for (const [unit, length] of steps)
    if (Math.abs(distance) >= length) return format.format(Math.trunc(distance / length), unit);
  return format.format(0, 'second');
}
