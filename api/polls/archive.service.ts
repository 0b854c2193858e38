import type { Database } from '#platform/database.ts';

/** Moves the archive's counters: how many closed polls each category gains or loses ('' for those without one). */
export async function countArchive(trx: Database, changes: ReadonlyMap<string, number>): Promise<void> {
  // In the order of names, so that two processes cannot wait for each other in a circle.
  for (const [category, change] of [...changes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (change < 0) await trx('archive_categories').where({ category }).increment('closed_polls', change);
    else if (change > 0)
      await trx('archive_categories')
        .insert({ category, closed_polls: change })
        .onConflict('category')
        .merge({ closed_polls: trx.raw('archive_categories.closed_polls + ?', [change]) });
  }
}

/** Adds closed polls to the archive's counters, one entry of `categories` for each poll (null: without one). */
export async function countIntoArchive(trx: Database, categories: readonly (string | null)[]): Promise<void> {
  const counts = new Map<string, number>();
  for (const category of categories) counts.set(category ?? '', (counts.get(category ?? '') ?? 0) + 1);
  await countArchive(trx, counts);
}
