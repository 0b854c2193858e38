import type { Database } from '#platform/database.ts';

/** Adds closed polls to the archive's counters, one entry of `categories` for each poll (null: without one). */
export async function countIntoArchive(trx: Database, categories: readonly (string | null)[]): Promise<void> {
  const counts = new Map<string, number>();
  for (const category of categories) counts.set(category ?? '', (counts.get(category ?? '') ?? 0) + 1);
  // In the order of names, so that two processes cannot wait for each other in a circle.
  for (const [category, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await trx('archive_categories')
      .insert({ category, closed_polls: count })
      .onConflict('category')
      .merge({ closed_polls: trx.raw('archive_categories.closed_polls + ?', [count]) });
  }
}
