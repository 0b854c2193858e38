import type { PollEvent } from '#api/events/events.ts';
import type { Database } from '#platform/database.ts';

/**
 * Counts closed weekly polls by category, for the archive. Whoever changes the headline figures, too, does so afterward:
 * they are locked last.
 */
export async function countArchive(trx: Database, events: readonly PollEvent[]): Promise<void> {
  /** '' stands for no category. */
  const changes = new Map<string, number>();
  for (const { poll } of events)
    for (const [place, by] of [[poll.moved?.[0], -1] as const, [poll.moved?.[1], 1] as const])
      if (place?.closedAt != null) changes.set(place.category ?? '', (changes.get(place.category ?? '') ?? 0) + by);
  // In the order of names, to prevent deadlocks.
  for (const [category, change] of [...changes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (change < 0) await trx('archive_categories').where({ category }).increment('closed_polls', change);
    else if (change > 0)
      await trx('archive_categories')
        .insert({ category, closed_polls: change })
        .onConflict('category')
        .merge({ closed_polls: trx.raw('archive_categories.closed_polls + ?', [change]) });
  }
}
