const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Units with their length and the distance from which they are used. */
const steps = [
  ['year', 365 * day, 730 * day],
  ['month', 30 * day, 60 * day],
  ['day', day, day],
  ['hour', hour, hour],
  ['minute', minute, minute],
] as const;

const format = new Intl.RelativeTimeFormat('en-US', { numeric: 'always' });
const pastDays = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });

/**
 * A moment as seen from now, in a unit that fits: "in 3 days", "2 hours ago", "just now" for a minute. Days that have
 * passed are calendar days (UTC), as the dates beside them; a deadline is counted in hours for two days, since "in 1 day"
 * could be late by 23 hours.
 */
export function relativeTime(moment: number, now: number): string {
  const distance = moment - now;
  for (const [unit, length, from] of steps) {
    if (Math.abs(distance) < from) continue;
    if (unit !== 'day') return format.format(Math.trunc(distance / length), unit);
    if (distance < 0) return pastDays.format(Math.floor(moment / day) - Math.floor(now / day), unit);
    if (distance >= 2 * day) return format.format(Math.trunc(distance / day), unit);
  }
  // A clock that is behind sees what has just happened in the future: "now" fits both.
  return distance > 0 ? 'now' : 'just now';
}
