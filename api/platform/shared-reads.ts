/**
 * Reads that a crowd asks for at once. Whoever comes while the read of a key is under way shares the next one with all
 * others who came meanwhile: every answer is of a read that began after it was asked for, so that nobody sees less than
 * what had been acknowledged before, and a crowd costs as much as two readers.
 */
export class SharedReads<T> {
  readonly #underWay = new Map<string, { readonly end: Promise<void>; next: Promise<T> | null }>();

  /** What `read` finds from now on at the earliest; rejects when it fails. Reads of one key must be the same. */
  get(key: string, read: () => Promise<T>): Promise<T> {
    const running = this.#underWay.get(key);
    if (!running) return this.#begin(key, read);
    running.next ??= running.end.then(() => this.#begin(key, read));
    return running.next;
  }

  #begin(key: string, read: () => Promise<T>): Promise<T> {
    const value = read();
    const nothing = () => undefined;
    const run = { end: value.then(nothing, nothing), next: null as Promise<T> | null };
    this.#underWay.set(key, run);
    void run.end.then(() => {
      if (run.next === null) this.#underWay.delete(key);
    });
    return value;
  }
}
