import { limits } from '#contract/limits.ts';
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
