import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { digestOf } from '#site/etag.ts';
import type { Variant } from './served-release.ts';

/** Bytes of files that the site service keeps in memory. */
const siteCacheBytes = 128 * 1024 * 1024;
/** Damaged files of a release that are logged one by one. */
const damagedFilesTold = 1_000;

/** Small files in memory, by their content: a new release keeps what has not changed warm. */
export class FileCache {
  readonly #entries = new Map<string, Buffer>();
  readonly #onDamage: (error: unknown) => void;
  /** Files that need not be tried again. */
  readonly #damaged = new Set<string>();
  #bytes = 0;

  /** `onDamage` hears once of each file that is not as its build left it, or gone. */
  constructor(onDamage: (error: unknown) => void) {
    this.#onDamage = onDamage;
  }

  /** The content if it is in memory. */
  get(variant: Variant): Buffer | undefined {
    const content = this.#entries.get(variant.key);
    if (content !== undefined && this.#bytes > siteCacheBytes / 2) {
      // Order of use matters only when something may have to go.
      this.#entries.delete(variant.key);
      this.#entries.set(variant.key, content);
    }
    return content;
  }

  /**
   * Reads a small file and remembers it; the files used longest ago make room. Throws when it is not what the release says:
   * a page that is cut off or garbled must not be answered as if it were whole.
   */
  async read(variant: Variant): Promise<Buffer> {
    if (this.#damaged.has(damagedKey(variant))) throw new DamagedFileError(variant.path);
    const content = await readWhole(variant).catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof DamagedFileError || code === 'ENOENT') this.#remember(damagedKey(variant), error);
      throw error;
    });
    if (!this.#entries.has(variant.key)) {
      this.#entries.set(variant.key, content);
      this.#bytes += content.length;
      for (const [key, { length }] of this.#entries) {
        if (this.#bytes <= siteCacheBytes) break;
        this.#entries.delete(key);
        this.#bytes -= length;
      }
    }
    return content;
  }

  #remember(file: string, error: unknown): void {
    if (this.#damaged.has(file) || this.#damaged.size >= damagedFilesTold) return;
    this.#damaged.add(file);
    this.#onDamage(error);
  }
}

const decoders = { br: promisify(brotliDecompress), gz: promisify(gunzip), identity: (content: Buffer) => content };

/** Another content in the same place, where a removed poll was taken out, may be whole. */
const damagedKey = ({ path, key }: Variant) => `${path} ${key}`;

/** A file of the release is not as its build left it. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';

  constructor(path: string, options?: ErrorOptions) {
    super(`${path} has changed since it was built.`, options);
  }
}

async function readWhole({ path, size, encoding, hash }: Variant): Promise<Buffer> {
  const content = await readFile(path);
  if (content.length !== size) throw new DamagedFileError(path);
  let text: Buffer;
  try {
    text = await decoders[encoding](content);
  } catch (cause) {
    throw new DamagedFileError(path, { cause });
  }
  if (digestOf(text) !== hash) throw new DamagedFileError(path);
  return content;
}
