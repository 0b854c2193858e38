import * as limits from '#contract/limits.ts';
import type { TimelineActivity } from '#contract/profile.ts';
import { activityTypes } from '#contract/vocabulary.ts';
import type { ActivityType } from '#contract/vocabulary.ts';

/** Which activities, and which page of the own polls, are shown. The address says it. */
export interface ActivitiesView {
  /** Null: all types. */
  readonly type: ActivityType | null;
  /** What is searched for, trimmed; empty: everything. */
  readonly q: string;
  /** Page of the own polls, from 1. */
  readonly polls: number;
}

export const activitiesPath = '/profile/activities';

/** What an address asks for. What means nothing is left out: somebody's own page has no wrong addresses. */
export function readActivitiesView(search: string): ActivitiesView {
  const query = new URLSearchParams(search);
  const page = query.get('polls') ?? '';
  return {
    type: activityTypes.find((type) => type === query.get('type')) ?? null,
    q: searchText(query.get('q') ?? ''),
    polls: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  };
}

/** The address of a view. */
export function activitiesAddress({ type, q, polls }: ActivitiesView): string {
  const query = new URLSearchParams();
  if (type !== null) query.set('type', type);
  if (q !== '') query.set('q', q);
  if (polls > 1) query.set('polls', String(polls));
  return query.size > 0 ? `${activitiesPath}?${query}` : activitiesPath;
}

/** What was typed, as it is searched for. */
export function searchText(typed: string): string {
  return typed.trim().slice(0, limits.activitySearchLength).trim();
}

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
