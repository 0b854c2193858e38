/**
 * What was read from the database a moment ago, by id, so that a crowd that asks for the same thing causes one read.
 * A read is good for `ms` milliseconds of the process's own clock; the `most` latest ones are kept.
 */
export class RecentReads<T> {
  readonly #read: (id: string) => Promise<T>;
  readonly #ms: number;
  readonly #most: number;
  /** Reads that are under way or done, and when they began. */
  readonly #reads = new Map<string, { readonly value: Promise<T>; readonly at: number }>();

  constructor(read: (id: string) => Promise<T>, { ms, most }: { ms: number; most: number }) {
    this.#read = read;
    this.#ms = ms;
    this.#most = most;
  }

  /** The value of a recent read if `isGood` agrees, else of a new one; rejects when the read fails. */
  async get(id: string, isGood: (value: T) => boolean = () => true): Promise<T> {
    const recent = this.#reads.get(id);
    if (recent && performance.now() - recent.at < this.#ms) {
      const value = await recent.value;
      if (isGood(value)) return value;
    }
    return this.#again(id);
  }

  #again(id: string): Promise<T> {
    const value = this.#read(id);
    this.#reads.delete(id);
    this.#reads.set(id, { value, at: performance.now() });
    // A read that failed must not be what the next ones get.
    value.catch(() => this.#reads.delete(id));
    const [oldest] = this.#reads.keys();
    if (this.#reads.size > this.#most && oldest !== undefined) this.#reads.delete(oldest);
    return value;
  }
}
