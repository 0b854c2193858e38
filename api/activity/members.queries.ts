import type { Database } from '#platform/database.ts';
import { recountedFacts } from './facts.queries.ts';

export async function memberCount(db: Database): Promise<number> {
  const row = await db('users').count({ count: '*' }).first<{ count: number | string }>();
  return Number(row.count);
}

/** Some members in the order of their ids, behind one. */
export async function membersAfter(db: Database, id: string): Promise<{ id: string; username: string }[]> {
  return db('users').where('id', '>', id).orderBy('id').limit(recountedFacts).select('id', 'username');
}

/** How many members hold each badge, by key. */
export async function holdersByBadge(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db('badges')
    .groupBy('badge_type')
    .count({ count: '*' })
    .select<{ badge_type: string; count: number | string }[]>('badge_type');
  return new Map(rows.map(({ badge_type, count }) => [badge_type, Number(count)]));
}
