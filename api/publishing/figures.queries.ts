import type { Database } from '#platform/database.ts';

/** How many jobs are in each state, and the milliseconds between their starts and ends, all together. */
export async function countJobs(db: Database): Promise<ReadonlyMap<string, { count: number; ms: number }>> {
  const rows = await db('build_jobs')
    .groupBy('status')
    .select<{ status: string; count: number | string; ms: number | string | null }[]>(
      'status',
      db.raw('count(*) as count'),
      db.raw('sum(finished_at - started_at) as ms'),
    );
  return new Map(rows.map(({ status, count, ms }) => [status, { count: Number(count), ms: Number(ms ?? 0) }]));
}

/** How long the newest ended build took; null before the first one. */
export async function lastBuildMs(db: Database): Promise<number | null> {
  const row = await db('build_jobs')
    .whereNotNull('finished_at')
    .whereNotNull('started_at')
    .orderBy('id', 'desc')
    .first<{ started_at: number; finished_at: number } | undefined>('started_at', 'finished_at');
  return row ? row.finished_at - row.started_at : null;
}

/** When the release that is served was published; null before the first one. */
export async function publishedAt(db: Database): Promise<number | null> {
  const row = await db('site_releases')
    .where('is_current', true)
    .first<{ published_at: number } | undefined>('published_at');
  return row?.published_at ?? null;
}
