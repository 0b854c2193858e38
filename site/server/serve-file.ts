import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { digestOf, matches } from '#site/etag.ts';
import type { Encoding, ServedFile, Variant } from './served-release.ts';

/** Bytes of files that the site service keeps in memory. */
const siteCacheBytes = 128 * 1024 * 1024;
/** Size up to which a file is kept in memory. */
const siteCacheFileBytes = 512 * 1024;
/** Damaged files of a release that are logged one by one. */
const maxDamagedFilesLogged = 1_000;

/** Small files in memory by content digest, so that a new release keeps unchanged files cached. */
export class FileCache {
  readonly #entries = new Map<string, Buffer>();
  readonly #onDamage: (error: unknown) => void;
  /** Files that are known to be damaged. */
  readonly #damaged = new Set<string>();
  #bytes = 0;

  /** `onDamage` is called once per file that is missing or differs from the manifest. */
  constructor(onDamage: (error: unknown) => void) {
    this.#onDamage = onDamage;
  }

  /** The content if it is in memory. */
  get(variant: Variant): Buffer | undefined {
    const content = this.#entries.get(variant.key);
    if (content !== undefined && this.#bytes > siteCacheBytes / 2) {
      // The order of use matters only when the cache may have to evict.
      this.#entries.delete(variant.key);
      this.#entries.set(variant.key, content);
    }
    return content;
  }

  /**
   * Reads a small file through the cache, which evicts the least recently used. Throws if the file differs from the
   * manifest: a truncated or garbled page must not be served as complete.
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
    if (this.#damaged.has(file) || this.#damaged.size >= maxDamagedFilesLogged) return;
    this.#damaged.add(file);
    this.#onDamage(error);
  }
}

const decoders = { br: promisify(brotliDecompress), gz: promisify(gunzip), identity: (content: Buffer) => content };

/** The path may have new content after a takedown, which may be intact. */
const damagedKey = ({ path, key }: Variant) => `${path} ${key}`;

/** A file of the release that differs from its manifest. */
class DamagedFileError extends Error {
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

/**
 * Responds with a file in the client’s best encoding, or with 304 if the client has it. `status` is 200 except for the
 * 404 page. Rejects, without having responded, if the file is damaged or missing.
 */
export async function serveFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: ServedFile,
  cache: FileCache,
  status = 200,
): Promise<void> {
  const variant = chooseVariant(file, request.headers['accept-encoding']);
  const known = request.headers['if-none-match'];
  if (known !== undefined && status === 200 && matches(known, variant.etag)) {
    response.writeHead(304, variant.notModifiedHeaders as string[]);
    response.end();
    return;
  }
  if (request.method === 'HEAD') {
    response.writeHead(status, variant.headers as string[]);
    response.end();
    return;
  }
  if (variant.size > siteCacheFileBytes) {
    if ((await stat(variant.path)).size !== variant.size) throw new DamagedFileError(variant.path);
    response.writeHead(status, variant.headers as string[]);
    // A client that disconnects is not an error, and a truncated file must break the connection.
    pipeline(createReadStream(variant.path), response, () => undefined);
    return;
  }
  const [sent, content] = await read(variant, file.identity, cache);
  response.writeHead(status, sent.headers as string[]);
  response.end(content);
}

/** The content of the best variant, or of the uncompressed one if that is damaged. */
async function read(variant: Variant, identity: Variant, cache: FileCache): Promise<readonly [Variant, Buffer]> {
  const kept = cache.get(variant);
  if (kept) return [variant, kept];
  try {
    return [variant, await cache.read(variant)];
  } catch (error) {
    if (variant === identity) throw error;
    return [identity, cache.get(identity) ?? (await cache.read(identity))];
  }
}

function chooseVariant(file: ServedFile, accepts: string | undefined): Variant {
  if (file.br === null && file.gz === null) return file.identity;
  const order = preferredEncodings(accepts);
  if (order.br && file.br) return file.br;
  return order.gz && file.gz ? file.gz : file.identity;
}

const seen = new Map<string, Readonly<Record<Exclude<Encoding, 'identity'>, boolean>>>();

/**
 * The encodings that an Accept-Encoding header allows. Browsers send only a handful of values, so the results are
 * cached.
 */
export function preferredEncodings(header = ''): Readonly<Record<Exclude<Encoding, 'identity'>, boolean>> {
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
