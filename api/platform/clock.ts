/** The source of the current time: milliseconds since 1970 in UTC. Tests use a fixed one. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that changes only when set. */
export function fixedClock(start: number | string): Clock & { set(moment: number | string): void } {
  let now = typeof start === 'string' ? Date.parse(start) : start;
  return {
    now: () => now,
    set(moment) {
      now = typeof moment === 'string' ? Date.parse(moment) : moment;
    },
  };
}

/** A time as ISO 8601 in UTC, as in API responses and exports. */
export const iso = (moment: number): string => new Date(moment).toISOString();
export const isoOrNull = (moment: number | null): string | null => (moment === null ? null : iso(moment));

/** The result of a promise if it settles within `ms`; rejects with `error` otherwise. The work itself continues. */
export function withTimeout<T>(
  ms: number,
  promise: Promise<T>,
  error: () => Error = () => Object.assign(new Error(`There was no response within ${ms} ms.`), { code: 'ETIMEDOUT' }),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(error()), ms);
    const stop = () => clearTimeout(timer);
    promise.then(stop, stop);
    promise.then(resolve, reject);
  });
}
