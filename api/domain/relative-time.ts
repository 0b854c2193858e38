const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Units with their length, and the smallest distance for which they are used. */
const steps = [
  ['year', 365 * day, 730 * day],
  ['month', 30 * day, 60 * day],
  ['day', day, day],
  ['hour', hour, hour],
  ['minute', minute, minute],
] as const;

const format = new Intl.RelativeTimeFormat('en-US', { numeric: 'always' });
const pastDays = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });

/** The part of a unit that a deadline may lack and still count as whole: who has just chosen 7 days reads 7 days. */
const tolerance = 0.1;

/**
 * A time relative to now: "in 3 days", "2 hours ago", "just now" within a minute. Past days are calendar days (UTC), like
 * the dates shown beside them; deadlines within two days are in hours, since "in 1 day" could be off by 23 hours.
 */
export function relativeTime(moment: number, now: number): string {
  const distance = moment - now;
  for (const [unit, length, from] of steps) {
    const shown = distance > 0 ? distance + tolerance * length : distance;
    if (Math.abs(shown) < from) continue;
    if (unit !== 'day') return format.format(Math.trunc(shown / length), unit);
    if (shown < 0) return pastDays.format(Math.floor(moment / day) - Math.floor(now / day), unit);
    if (shown >= 2 * day) return format.format(Math.trunc(shown / day), unit);
  }
  // On a device whose clock is slow, a recent event is in the future: "now" fits both.
  return distance > 0 ? 'now' : 'just now';
}
