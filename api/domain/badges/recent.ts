import * as limits from '#contract/limits.ts';

/**
 * Figures over time in bounded space: the newest windows are kept apart, of older ones only the best figure. Facts may
 * come late, in any order, as long as their window is among those that are kept. A later one counts for no window: a
 * figure may fall short of the truth then, and never exceeds it.
 */

/** Days without a gap, first and last. */
export type Run = readonly [first: number, last: number];

export interface ActiveDays {
  readonly total: number;
  /** Days of the longest run so far. */
  readonly longest: number;
  /** The newest runs, oldest first. Between two of them is at least one day. */
  readonly runs: readonly Run[];
  /** The last day of the runs that are no longer kept; days up to it are not taken any more. */
  readonly closedUntil: number | null;
}

export const noDays: ActiveDays = { total: 0, longest: 0, runs: [], closedUntil: null };

/** The same days and this one. It may lengthen a run, or join two. */
export function withDay(days: ActiveDays, day: number): ActiveDays {
  const { runs, closedUntil } = days;
  if (closedUntil !== null && day <= closedUntil) return days;
  if (runs.some(([first, last]) => first <= day && day <= last)) return days;
  const before = runs.find(([, last]) => last === day - 1);
  const after = runs.find(([first]) => first === day + 1);
  const joined: Run = [before?.[0] ?? day, after?.[1] ?? day];
  const all = [...runs.filter((run) => run !== before && run !== after), joined].sort((a, b) => a[0] - b[0]);
  const surplus = all.slice(0, -limits.badgeRunsKept);
  return {
    total: days.total + 1,
    longest: Math.max(days.longest, joined[1] - joined[0] + 1),
    runs: all.slice(-limits.badgeRunsKept),
    closedUntil: surplus.at(-1)?.[1] ?? closedUntil,
  };
}

/** Days of the run that is still alive: it reaches today, or yesterday, when today may still be added. */
export function currentRun(days: ActiveDays, today: number): number {
  const alive = days.runs.find(([first, last]) => first <= today && last >= today - 1);
  return alive === undefined ? 0 : Math.min(alive[1], today) - alive[0] + 1;
}

/** The newest days or weekends with what happened on each, and the best figure of all. */
export interface Windows {
  readonly best: number;
  readonly recent: readonly (readonly [window: number, value: number])[];
}

export const noWindows: Windows = { best: 0, recent: [] };

/** Whether a window is older than those that are kept, so that what happened in it cannot be told any more. */
export function isForgotten({ recent }: Windows, window: number): boolean {
  const [oldest] = recent;
  return recent.length === limits.badgeWindowsKept && oldest !== undefined && window < oldest[0];
}

/** The same windows after `change` to one of them; `figure` says what its value is worth. */
function changed(
  windows: Windows,
  window: number,
  change: (value: number) => number,
  figure: (value: number) => number,
): Windows {
  const value = change(windows.recent.find(([other]) => other === window)?.[1] ?? 0);
  const recent = [...windows.recent.filter(([other]) => other !== window), [window, value] as const]
    .sort((a, b) => a[0] - b[0])
    .slice(-limits.badgeWindowsKept);
  if (!recent.some(([other]) => other === window)) return windows;
  return { best: Math.max(windows.best, figure(value)), recent };
}

/** One more in a window; the figure is how many there are. */
export function oneMore(windows: Windows, window: number): Windows {
  return changed(
    windows,
    window,
    (count) => count + 1,
    (count) => count,
  );
}

/** One kind of thing (a power of two) happened in a window; the figure is how many kinds did. */
export function oneOfKinds(windows: Windows, window: number, kind: number): Windows {
  return changed(windows, window, (kinds) => kinds | kind, countBits);
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
