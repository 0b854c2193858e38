import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, crc32, gzip, gzipSync } from 'node:zlib';
import { compactPages, fileOf } from '#contract/publishing.ts';
import type { StoredFile } from '#contract/publishing.ts';

/** Bytes from which a file is worth compressing. */
const compressFrom = 500;

const compressible = new Set('.html .css .js .mjs .svg .json .xml .txt .ico .webmanifest .map'.split(' '));

/** The endings of a stored file’s copies; '' is the uncompressed one. */
export const endings = ['', '.br', '.gz'] as const;
export type Ending = (typeof endings)[number];

/** A file’s manifest entry and the copies to store; null if they are already stored. */
export interface Encoded {
  readonly file: StoredFile;
  readonly copies: Readonly<Record<Ending, Buffer | null>> | null;
}

/** Two thirds of the time of level 6, and 2% more bytes, which fit the same blocks on disk. */
const compactGzip = { level: 4, memLevel: 9 };

const brotli = promisify(brotliCompress);
const gzipped = promisify<Buffer, { level: number }, Buffer>(gzip);

/** The digest of a file’s content, as used in manifests and in ETags. */
export const digestOf = (content: Buffer | string) =>
  createHash('sha256').update(content).digest('base64url').slice(0, 27);

/**
 * Compresses the content of an address as `content/handbook/publishing.md` says. `kept` is the entry that the address
 * has now: if the content is the same, nothing is compressed.
 */
export async function encode(address: string, content: Buffer, kept: StoredFile | null = null): Promise<Encoded> {
  const hash = digestOf(content);
  if (kept?.hash === hash) return { file: kept, copies: null };
  const size = content.length;
  const path = fileOf(address);
  if (compactPages.test(address)) {
    // In the thread pool it would take a third more CPU time, and many pages are compressed one after the other.
    const gz = gzipSync(content, compactGzip);
    return {
      file: { hash, size, plain: false, br: null, gz: gz.length, gzCrc: crc32(gz) },
      copies: { '': null, '.br': null, '.gz': gz },
    };
  }
  if (size < compressFrom || !compressible.has(extname(path))) return encodedAs(content, null, null, hash);
  // Pages, feeds, and sitemaps change all the time; everything else is rare and kept for long.
  const [brotliQuality, gzipLevel] = /\.(html|xml)$/.test(path) ? [5, 6] : [11, 9];
  const [br, gz] = await Promise.all([
    brotli(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: size,
        // Allocating the default window of 4 MB for each small page would cost more than the compression.
        [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(size)))),
      },
    }),
    gzipped(content, { level: gzipLevel }),
  ]);
  const worth = (copy: Buffer) => (copy.length < size ? copy : null);
  return encodedAs(content, worth(br), worth(gz), hash);
}

/** A file that is stored as it is, and in the encodings that it has. */
export const encodedAs = (
  content: Buffer,
  br: Buffer | null,
  gz: Buffer | null,
  hash = digestOf(content),
): Encoded => ({
  file: { hash, size: content.length, plain: true, br: br?.length ?? null, gz: gz?.length ?? null },
  copies: { '': content, '.br': br, '.gz': gz },
});

/** The size of each stored copy in bytes; null where it isn’t stored. */
export function storedSizes({ size, plain, br, gz }: StoredFile): Readonly<Record<Ending, number | null>> {
  return { '': plain ? size : null, '.br': br, '.gz': gz };
}
