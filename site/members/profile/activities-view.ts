import * as limits from '#contract/limits.ts';
import type { TimelineActivity } from '#api/members/profile/profile.contract.ts';
import { activityTypes } from '#contract/vocabulary.ts';
import type { ActivityType } from '#contract/vocabulary.ts';
import { localDayOf } from '#domain/time-zone.ts';
import { readerZone } from '#site/ui/format.ts';

/** The filters of the timeline and the page of the member's polls, as stored in the URL. */
export interface ActivitiesView {
  /** Null for all types. */
  readonly type: ActivityType | null;
  /** The trimmed search text; empty for no search. */
  readonly q: string;
  /** Page of the member's polls, from 1. */
  readonly polls: number;
}

export const activitiesPath = '/profile/activities';

/** Reads a view from a query string; invalid parameters are ignored. */
export function readActivitiesView(search: string): ActivitiesView {
  const query = new URLSearchParams(search);
  const page = query.get('polls') ?? '';
  return {
    type: activityTypes.find((type) => type === query.get('type')) ?? null,
    q: searchText(query.get('q') ?? ''),
    polls: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  };
}

/** The URL of a view. */
export function activitiesAddress({ type, q, polls }: ActivitiesView): string {
  const query = new URLSearchParams();
  if (type !== null) query.set('type', type);
  if (q !== '') query.set('q', q);
  if (polls > 1) query.set('polls', String(polls));
  return query.size > 0 ? `${activitiesPath}?${query}` : activitiesPath;
}

/** The search text for what was typed: trimmed and cut to the allowed length. */
export function searchText(typed: string): string {
  return typed.trim().slice(0, limits.activitySearchLength).trim();
}

/** Whether more than the day is known: of votes, the time is not kept for long. */
export const hasTime = ({ activityType, createdAt }: TimelineActivity): boolean =>
  activityType !== 'vote' || !createdAt.includes('T00:00:00');

/** The activities of one day in the reader’s time zone. */
export interface TimelineDay {
  readonly day: string;
  readonly activities: readonly TimelineActivity[];
}

/**
 * Groups activities by day in a time zone, in their order; a vote of which only the day is known is on that day in UTC. Entries
 * that appear on two pages, because new ones shifted them, are there once.
 */
export function daysOf(activities: readonly TimelineActivity[], zone = readerZone()): readonly TimelineDay[] {
  const days = new Map<string, Map<number, TimelineActivity>>();
  const seen = new Set<number>();
  for (const activity of activities) {
    if (seen.has(activity.id)) continue;
    seen.add(activity.id);
    const { createdAt } = activity;
    const day = hasTime(activity) ? localDayOf(Date.parse(createdAt), zone) : createdAt.slice(0, 10);
    days.set(day, (days.get(day) ?? new Map<number, TimelineActivity>()).set(activity.id, activity));
  }
  return [...days]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([day, ofDay]) => ({ day, activities: [...ofDay.values()] }));
}
