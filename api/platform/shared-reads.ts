/**
 * Reads that a crowd asks for at once, by key. Whoever comes while such a read is under way shares the next one with all
 * others who came meanwhile: every answer is of a read that began after it was asked for, so that nobody sees less than
 * what had been acknowledged before, and a crowd costs as much as two readers.
 */
export class SharedReads<T> {
  readonly #read: (key: string) => Promise<T>;
  readonly #underWay = new Map<string, { readonly end: Promise<void>; next: Promise<T> | null }>();

  constructor(read: (key: string) => Promise<T>) {
    this.#read = read;
  }

  /** What is there from now on at the earliest; rejects when that read fails. */
  get(key: string): Promise<T> {
    const running = this.#underWay.get(key);
    if (!running) return this.#begin(key);
    running.next ??= running.end.then(() => this.#begin(key));
    return running.next;
  }

  #begin(key: string): Promise<T> {
    const value = this.#read(key);
    const nothing = () => undefined;
    const run = { end: value.then(nothing, nothing), next: null as Promise<T> | null };
    this.#underWay.set(key, run);
    void run.end.then(() => {
      if (run.next === null) this.#underWay.delete(key);
    });
    return value;
  }
}
