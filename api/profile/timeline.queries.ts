import * as limits from '#contract/limits.ts';
import type { Activity } from '#contract/profile.ts';
import type { ActivityType } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';

/** A row of the timeline. Moments in milliseconds. */
export interface ActivityRow {
  readonly id: number;
  readonly activity_type: ActivityType;
  readonly entity_id: string;
  readonly entity_type: Activity['entityType'];
  /** JSON. */
  readonly metadata: string;
  readonly created_at: number;
}

/** Where a page begins: behind this activity. */
export interface TimelinePlace {
  readonly createdAt: number;
  readonly id: number;
}

const newestFirst = [
  { column: 'created_at', order: 'desc' },
  { column: 'id', order: 'desc' },
] as const;

/** The newest activities of a member, of one type or all, behind a place; a walk through one index, however deep. */
export async function newestActivities(
  db: Database,
  userId: string,
  page: { readonly type: ActivityType | undefined; readonly before: TimelinePlace | null; readonly limit: number },
): Promise<ActivityRow[]> {
  const { type, before, limit } = page;
  const rows = db('activities').where({ user_id: userId, ...(type !== undefined && { activity_type: type }) });
  if (before !== null) void rows.whereRaw('(created_at, id) < (?, ?)', [before.createdAt, before.id]);
  return rows
    .orderBy([...newestFirst])
    .limit(limit)
    .select<ActivityRow[]>('id', 'activity_type', 'entity_id', 'entity_type', 'metadata', 'created_at');
}

/** How much a member did on each day, or on each since `from`; days since 1970. */
export async function countsByDay(
  db: Database,
  userId: string,
  from?: number,
): Promise<{ day: number; count: number }[]> {
  const days = db('activity_days').where({ user_id: userId }).orderBy('day');
  if (from !== undefined) void days.where('day', '>=', from);
  return days.select('day', 'count');
}

/** The badges of a member, oldest first, with whether somebody was told of them. */
export async function earnedBadges(db: Database, userId: string): Promise<EarnedRow[]> {
  return db('badges')
    .where({ user_id: userId })
    .orderBy(['earned_at', 'id'])
    .limit(limits.badges)
    .select<EarnedRow[]>('badge_type', 'earned_at', 'metadata', 'announced');
}

export interface EarnedRow {
  readonly badge_type: string;
  readonly earned_at: number;
  readonly metadata: string;
  readonly announced: boolean | 0 | 1;
}

/** Takes on the announcement of badges that nobody has taken on; answers which. */
export async function takeAnnouncements(
  db: Database,
  userId: string,
  keys: readonly string[],
): Promise<Pick<EarnedRow, 'badge_type' | 'earned_at'>[]> {
  return db('badges')
    .where({ user_id: userId, announced: false })
    .whereIn('badge_type', [...keys])
    .update({ announced: true })
    .returning<Pick<EarnedRow, 'badge_type' | 'earned_at'>[]>(['badge_type', 'earned_at']);
}
