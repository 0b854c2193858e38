import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, brotliDecompressSync, crc32, gunzip, gunzipSync } from 'node:zlib';
import type { BrotliOptions, ZlibOptions } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { digestOf, matches } from '#site/etag.ts';
import type { ServedFile, Variant } from './served-file.ts';

/** Bytes of files that the site service keeps in memory. */
const siteCacheBytes = 48 * 1024 * 1024;
/** Size up to which a file is kept in memory. */
const siteCacheFileBytes = 512 * 1024;
const empty = Buffer.alloc(0);
/** Damaged files of a release that are logged one by one. */
const maxDamagedFilesLogged = 1_000;

/** The most recently used small files by content digest, so that a new release keeps unchanged files cached. */
export class FileCache {
  readonly #contents = new LRUCache<string, Buffer>({
    maxSize: siteCacheBytes,
    // A size must be positive.
    sizeCalculation: ({ length }) => length + 1,
  });
  readonly #reading = new Map<string, Promise<Buffer>>();
  readonly #onDamage: (error: unknown) => void;
  /** Files that are known to be damaged. */
  readonly #damaged = new Set<string>();

  /** `onDamage` is called once per file that is missing or differs from the manifest. */
  constructor(onDamage: (error: unknown) => void) {
    this.#onDamage = onDamage;
  }

  /** The content if it is in memory. */
  get({ etag }: Variant): Buffer | undefined {
    return this.#contents.get(etag);
  }

  /**
   * Reads a small file through the cache. Throws if the file differs from the
   * manifest: a truncated or garbled page must not be served as complete.
   */
  read(variant: Variant): Promise<Buffer> {
    let reading = this.#reading.get(variant.etag);
    if (reading === undefined) {
      reading = this.#read(variant).finally(() => this.#reading.delete(variant.etag));
      this.#reading.set(variant.etag, reading);
    }
    return reading;
  }

  /** Reads damaged files again, which may have been repaired. */
  forgetDamage(): void {
    this.#damaged.clear();
  }

  async #read(variant: Variant): Promise<Buffer> {
    if (this.#damaged.has(variant.path)) throw new DamagedFileError(variant.path);
    const content = await readWhole(variant).catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof DamagedFileError || code === 'ENOENT') this.#remember(variant.path, error);
      throw error;
    });
    this.#contents.set(variant.etag, content);
    return content;
  }

  #remember(file: string, error: unknown): void {
    if (this.#damaged.has(file) || this.#damaged.size >= maxDamagedFilesLogged) return;
    this.#damaged.add(file);
    this.#onDamage(error);
  }
}

/** Synchronous for small files, which takes a quarter of the CPU time. */
const inflate = {
  br: [brotliDecompressSync, promisify<Buffer, BrotliOptions, Buffer>(brotliDecompress)],
  gz: [gunzipSync, promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
} as const;

/** A file of the release that differs from its manifest. */
class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';

  constructor(path: string, options?: ErrorOptions) {
    super(`${path} has changed since it was published.`, options);
  }
}

/** The bytes to send: the stored ones, or inflated if the file is stored only compressed. */
async function readWhole({ path, stored, storedSize, storedCrc, encoding, hash, textSize }: Variant): Promise<Buffer> {
  const content = await readFile(path);
  if (content.length !== storedSize) throw new DamagedFileError(path);
  // Inflating it takes many times as long. Another copy of the same text may have been stored since.
  if (encoding === stored && storedCrc !== undefined && crc32(content) === storedCrc) return content;
  let text: Buffer = content;
  try {
    // The whole text in one buffer, which can’t be smaller than 64 bytes, and no more than that.
    const limits = { chunkSize: Math.max(64, textSize + 1), maxOutputLength: textSize };
    if (stored !== 'identity') text = await inflate[stored][textSize > siteCacheFileBytes ? 1 : 0](content, limits);
  } catch (cause) {
    throw new DamagedFileError(path, { cause });
  }
  if (digestOf(text) !== hash) throw new DamagedFileError(path);
  return encoding === stored ? content : text;
}

/**
 * Responds with a file in the client’s best encoding, or with 304 if the client has it. `status` is 200 except for the
 * 404 page. Returns nothing if it has responded from memory; otherwise rejects, without having responded, if the file is
 * damaged or missing.
 */
export function serveFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: ServedFile,
  cache: FileCache,
  status = 200,
): Promise<void> | undefined {
  const variant = file.best(preferredEncodings(request.headers['accept-encoding']));
  const known = request.headers['if-none-match'];
  if (known !== undefined && status === 200 && matches(known, variant.etag)) {
    response.writeHead(304, variant.notModifiedHeaders as string[]);
    response.end();
    return undefined;
  }
  const content = request.method === 'HEAD' ? empty : cache.get(variant);
  if (content === undefined) return serveFromDisk(response, file, variant, cache, status);
  response.writeHead(status, variant.headers as string[]);
  response.end(content);
  return undefined;
}

async function serveFromDisk(
  response: ServerResponse,
  file: ServedFile,
  variant: Variant,
  cache: FileCache,
  status: number,
): Promise<void> {
  if (variant.size > siteCacheFileBytes && variant.stored === variant.encoding) {
    if ((await stat(variant.path)).size !== variant.size) throw new DamagedFileError(variant.path);
    response.writeHead(status, variant.headers as string[]);
    // A client that disconnects is not an error, and a truncated file must break the connection.
    pipeline(createReadStream(variant.path), response, () => undefined);
    return;
  }
  const [sent, content] = await read(variant, file, cache);
  response.writeHead(status, sent.headers as string[]);
  response.end(content);
}

/** The content of the best variant, or of one that every client accepts if that is damaged. */
async function read(variant: Variant, file: ServedFile, cache: FileCache): Promise<readonly [Variant, Buffer]> {
  try {
    return [variant, await cache.read(variant)];
  } catch (error) {
    for (const other of file.others(variant)) {
      const content = cache.get(other) ?? (await cache.read(other).catch(() => null));
      if (content !== null) return [other, content];
    }
    throw error;
  }
}

const seen = new Map<string, Readonly<Record<'br' | 'gz', boolean>>>();

/**
 * The encodings that an Accept-Encoding header allows. Browsers send only a handful of values, so the results are
 * cached.
 */
export function preferredEncodings(header = ''): Readonly<Record<'br' | 'gz', boolean>> {
  const remembered = seen.get(header);
  if (remembered) return remembered;
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const allows = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  const result = { br: allows('br'), gz: allows('gzip') || (weights.get('x-gzip') ?? 0) > 0 };
  if (seen.size < 200) seen.set(header, result);
  return result;
}
