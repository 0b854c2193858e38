import type { TimelineActivity } from '#contract/profile.ts';

/** Activities of one day in UTC, as they were listed. */
export interface TimelineDay {
  readonly day: string;
  readonly activities: readonly TimelineActivity[];
}

/** Activities by day, in their order. What two pages both have, because something happened between them, is there once. */
export function daysOf(activities: readonly TimelineActivity[]): readonly TimelineDay[] {
  const days = new Map<string, Map<number, TimelineActivity>>();
  const seen = new Set<number>();
  for (const activity of activities) {
    if (seen.has(activity.id)) continue;
    seen.add(activity.id);
    const day = activity.createdAt.slice(0, 10);
    days.set(day, (days.get(day) ?? new Map<number, TimelineActivity>()).set(activity.id, activity));
  }
  return [...days].map(([day, ofDay]) => ({ day, activities: [...ofDay.values()] }));
}
