const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Units with their length and the distance from which they are used: "in 47 hours" says more than "in 1 day". */
const steps = [
  ['year', 365 * day, 730 * day],
  ['month', 30 * day, 60 * day],
  ['day', day, 2 * day],
  ['hour', hour, hour],
  ['minute', minute, minute],
] as const;

// Never "tomorrow": a distance of 47 hours may lead to the day after it.
const format = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** A moment as seen from now, in a unit that fits: "in 3 days", "2 hours ago", "just now" for a minute. */
export function relativeTime(moment: number, now: number): string {
  const distance = moment - now;
  for (const [unit, length, from] of steps)
    if (Math.abs(distance) >= from) return format.format(Math.trunc(distance / length), unit);
  // A clock that is behind sees what has just happened in the future: "now" fits both.
  return distance > 0 ? 'now' : 'just now';
}
