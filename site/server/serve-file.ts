import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { matches } from '#site/etag.ts';
import { DamagedFileError } from './file-cache.ts';
import type { FileCache } from './file-cache.ts';
import type { Encoding, ServedFile, Variant } from './served-release.ts';

/** Size up to which a file is kept in memory. */
const siteCacheFileBytes = 512 * 1024;

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
  if (variant.size > siteCacheFileBytes) {
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
