import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { serverLimits } from '#contract/server-limits.ts';
import { digestOf, matches } from '#site/etag.ts';
import type { Encoding, ServedFile, Variant } from './served-release.ts';

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
    if (content !== undefined && this.#bytes > serverLimits.siteCacheBytes / 2) {
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
        if (this.#bytes <= serverLimits.siteCacheBytes) break;
        this.#entries.delete(key);
        this.#bytes -= length;
      }
    }
    return content;
  }

  #remember(file: string, error: unknown): void {
    if (this.#damaged.has(file) || this.#damaged.size >= serverLimits.damagedFilesTold) return;
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

/**
 * Answers with a file in the best encoding that the client takes, or with 304 when it has it already. `status` is
 * 200 but for the page that says 404. Rejects, and has answered nothing, when the file is damaged or gone.
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
  if (variant.size > serverLimits.siteCacheFileBytes) {
    if ((await stat(variant.path)).size !== variant.size) throw new DamagedFileError(variant.path);
    response.writeHead(status, variant.headers as string[]);
    // A reader that goes away is no error, and a file that ends early breaks the connection, as it must.
    pipeline(createReadStream(variant.path), response, () => undefined);
    return;
  }
  const [sent, content] = await read(variant, file.identity, cache);
  response.writeHead(status, sent.headers as string[]);
  response.end(content);
}

/** The content of the best variant, or, when that is damaged, of the one that every reader takes. */
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

/** Which encodings an Accept-Encoding header allows. Browsers send a handful of different ones, so they are remembered. */
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
