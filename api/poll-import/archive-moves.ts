/** What the archive asks about a poll. */
interface Archived {
  readonly category: string | null;
  readonly closedAt: number | null;
}

/** Adds up how the archive's counters move when polls change; '' stands for no category. */
export class ArchiveMoves {
  readonly changes = new Map<string, number>();

  /** From how a poll was to how it is; null: there was, or is, none. */
  move(before: Archived | null, after: Archived | null): void {
    if (before !== null && before.closedAt !== null) this.#add(before.category, -1);
    if (after !== null && after.closedAt !== null) this.#add(after.category, 1);
  }

  #add(category: string | null, by: number): void {
    this.changes.set(category ?? '', (this.changes.get(category ?? '') ?? 0) + by);
  }
}
