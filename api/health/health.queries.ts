import type { Health } from '#contract/health.ts';
import { iso } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';

/** The published release, or null before the first one. Fails when the database does not answer. */
export async function currentRelease(db: Database): Promise<Health['release']> {
  const row = await db('site_releases')
    .where('is_current', true)
    .first<{ id: string; published_at: number } | undefined>('id', 'published_at');
  return row ? { id: row.id, publishedAt: iso(row.published_at) } : null;
}
