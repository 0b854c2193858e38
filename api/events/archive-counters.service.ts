import type { Database } from '#platform/database.ts';

/** The properties of a poll that the archive’s counters depend on. */
interface Archived {
  readonly category: string | null;
  readonly closedAt: number | null;
}

/** Sums the changes of the archive’s counters of closed polls, by category. */
export class ArchiveMoves {
  /** '' stands for no category. */
  readonly #changes = new Map<string, number>();

  /** Adds the change of one poll; null if it did or does not exist. */
  move(before: Archived | null, after: Archived | null): this {
    if (before !== null && before.closedAt !== null) this.#add(before.category, -1);
    if (after !== null && after.closedAt !== null) this.#add(after.category, 1);
    return this;
  }

  /** Changes the counters, once in a transaction and before the headline figures, which are locked after them. */
  async count(trx: Database): Promise<void> {
    // In the order of names, to prevent deadlocks.
    for (const [category, change] of [...this.#changes].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (change < 0) await trx('archive_categories').where({ category }).increment('closed_polls', change);
      else if (change > 0)
        await trx('archive_categories')
          .insert({ category, closed_polls: change })
          .onConflict('category')
          .merge({ closed_polls: trx.raw('archive_categories.closed_polls + ?', [change]) });
    }
  }

  #add(category: string | null, by: number): void {
    this.#changes.set(category ?? '', (this.#changes.get(category ?? '') ?? 0) + by);
  }
}
