import { readFile } from 'node:fs/promises';
import { serverLimits } from '#contract/server-limits.ts';
import type { Variant } from './served-release.ts';

/** Small files in memory, by their content: a new release keeps what has not changed warm. */
export class FileCache {
  readonly #entries = new Map<string, Buffer>();
  #bytes = 0;

  /** The content if it is in memory. */
  get(variant: Variant): Buffer | undefined {
    const content = this.#entries.get(variant.key);
    if (content !== undefined && this.#bytes > serverLimits.siteCacheBytes / 2) {
      // Order of use matters only when something may have to go.
      this.#entries.delete(variant.key);
      this.#entries.set(variant.key, content);
    }
    return content;
  }

  /** Reads a small file and remembers it; the files used longest ago make room. */
  async read(variant: Variant): Promise<Buffer> {
    const content = await readFile(variant.path);
    if (!this.#entries.has(variant.key)) {
      this.#entries.set(variant.key, content);
      this.#bytes += content.length;
      for (const [key, { length }] of this.#entries) {
        if (this.#bytes <= serverLimits.siteCacheBytes) break;
        this.#entries.delete(key);
        this.#bytes -= length;
      }
    }
    return content;
  }
}
