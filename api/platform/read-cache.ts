import { LRUCache } from 'lru-cache';

/**
 * Coalesces concurrent reads of a key. Callers that arrive while a read is in flight share the next one: every result is of
 * a read that started after it was requested, so that it includes every write acknowledged before, and any number of
 * callers costs two reads.
 */
export class SingleFlight<T> {
  readonly #inFlight = new Map<string, { readonly end: Promise<void>; next: Promise<T> | null }>();

  /** The result of a `read` that starts now or later; rejects when it fails. All reads of one key must be equivalent. */
  get(key: string, read: () => Promise<T>): Promise<T> {
    const running = this.#inFlight.get(key);
    if (!running) return this.#start(key, read);
    running.next ??= running.end.then(() => this.#start(key, read));
    return running.next;
  }

  #start(key: string, read: () => Promise<T>): Promise<T> {
    const value = read();
    const ignore = () => undefined;
    const run = { end: value.then(ignore, ignore), next: null as Promise<T> | null };
    this.#inFlight.set(key, run);
    void run.end.then(() => {
      if (run.next === null) this.#inFlight.delete(key);
    });
    return value;
  }
}

/**
 * Caches reads by id for `ms` milliseconds of the process's monotonic clock, at most `maxEntries` of them, so that many
 * requests for the same thing cause one read.
 */
export class TtlCache<T> {
  readonly #read: (id: string) => Promise<T>;
  /** Reads in flight or done. */
  readonly #reads: LRUCache<string, Promise<T>>;

  constructor(read: (id: string) => Promise<T>, { ms, maxEntries }: { ms: number; maxEntries: number }) {
    this.#read = read;
    // Of the moment, so that a test can replace the clock.
    const perf = { now: () => performance.now() };
    this.#reads = new LRUCache({ max: maxEntries, ttl: ms, ttlResolution: 0, perf });
  }

  /** The cached value if `isFresh` accepts it, otherwise that of a new read; rejects when the read fails. */
  async get(id: string, isFresh: (value: T) => boolean = () => true): Promise<T> {
    const recent = this.#reads.get(id);
    if (recent) {
      const value = await recent;
      if (isFresh(value)) return value;
    }
    const value = this.#read(id);
    this.#reads.set(id, value);
    // A failed read must not be cached.
    value.catch(() => this.#reads.delete(id));
    return value;
  }
}
