import type { Database } from '#platform/database.ts';

/** Facts of each kind that are part of the figures of some members. */
export async function countedByKind(
  db: Database,
  userIds: readonly string[],
): Promise<{ userId: string; fact: string; count: number }[]> {
  const rows = await db('facts')
    .whereIn('user_id', userIds)
    .where({ counted: true })
    .groupBy('user_id', 'fact')
    .count({ count: '*' })
    .select<{ user_id: string; fact: string; count: number | string }[]>('user_id', 'fact');
  return rows.map(({ user_id, fact, count }) => ({ userId: user_id, fact, count: Number(count) }));
}

/** The badges of some members. */
export async function badgesOf(
  db: Database,
  userIds: readonly string[],
): Promise<{ user_id: string; badge_type: string }[]> {
  return db('badges').whereIn('user_id', userIds).select('user_id', 'badge_type');
}

/** The figures of some members that are up to date: nothing that a count would do by itself is left to do. */
export async function settledFigures(
  db: Database,
  userIds: readonly string[],
): Promise<{ user_id: string; figures: string }[]> {
  return db('progress').whereIn('user_id', userIds).where({ stale: false }).select('user_id', 'figures');
}
