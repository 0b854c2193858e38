import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompressSync, constants, gunzipSync, gzip, gzipSync } from 'node:zlib';
import { compactPages, fileOf } from '#domain/build-files.ts';

/** Bytes from which a file is worth compressing. */
const compressFrom = 500;

const compressible = new Set('.html .css .js .mjs .svg .json .xml .txt .ico .webmanifest .map'.split(' '));

/** The endings of a file’s copies; '' is the uncompressed one. */
export const endings = ['', '.br', '.gz'] as const;
export type Ending = (typeof endings)[number];

/** A content in each encoding in which it is stored. */
export type Copies = ReadonlyMap<Ending, Buffer>;

/** Two thirds of the time of level 6, and 2% more bytes, which fit the same blocks on disk. */
const compactGzip = { level: 4, memLevel: 9 };

const brotli = promisify(brotliCompress);
const gzipped = promisify<Buffer, { level: number }, Buffer>(gzip);

/** The encodings in which a content of `size` bytes is stored at an address. */
export function endingsOf(address: string, size: number): readonly Ending[] {
  if (compactPages.test(address)) return ['.gz'];
  return size >= compressFrom && compressible.has(extname(fileOf(address))) ? endings : [''];
}

/** The copies of a content to be stored at an address, as `content/handbook/publishing.md` says. */
export async function encode(address: string, content: Buffer): Promise<Copies> {
  const stored = endingsOf(address, content.length);
  // In the thread pool it would take a third more CPU time, and many pages are compressed one after the other.
  if (!stored.includes('')) return new Map([['.gz', gzipSync(content, compactGzip)]]);
  if (stored.length === 1) return new Map([['', content]]);
  // Pages, feeds, and sitemaps change all the time; everything else is rare and stays.
  const [brotliQuality, gzipLevel] = /\.(html|xml)$/.test(fileOf(address)) ? [5, 6] : [11, 9];
  const [br, gz] = await Promise.all([
    brotli(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        // Allocating the default window of 4 MB for each small page would cost more than the compression.
        [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(content.length)))),
      },
    }),
    gzipped(content, { level: gzipLevel }),
  ]);
  return new Map([
    ['', content],
    ['.br', br],
    ['.gz', gz],
  ]);
}

/** The uncompressed content of a copy; throws if it is damaged. */
export const decoded: Readonly<Record<Ending, (copy: Buffer) => Buffer>> = {
  '': (copy) => copy,
  '.br': (copy) => brotliDecompressSync(copy),
  '.gz': (copy) => gunzipSync(copy),
};
