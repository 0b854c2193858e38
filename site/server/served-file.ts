import { basename, extname } from 'node:path';
import { fileOf } from '#contract/publishing.ts';
import type { StoredFile, TreeHead } from '#contract/publishing.ts';
import { assetSecurityHeaders, fontHeaders, headersFor } from './security-headers.ts';

export type Encoding = 'br' | 'gz' | 'identity';

/** One encoding of a file: where its content is, and its complete header lists. */
export interface Variant {
  /** The stored copy: a compressed one if the variant has to be inflated from it. */
  readonly path: string;
  readonly stored: Encoding;
  readonly storedSize: number;
  /** The CRC-32 of the stored copy, if it is known. */
  readonly storedCrc: number | undefined;
  readonly encoding: Encoding;
  /** The digest and size of the uncompressed content. */
  readonly hash: string;
  readonly textSize: number;
  readonly size: number;
  /** Also the key of the content in the cache. */
  readonly etag: string;
  readonly headers: readonly string[];
  readonly notModifiedHeaders: readonly string[];
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.pdf': 'application/pdf',
};

/** Feeds, whose extension does not determine their type. */
const feedTypes: Readonly<Record<string, string>> = {
  'rss.xml': 'application/rss+xml; charset=utf-8',
  'atom.xml': 'application/atom+xml; charset=utf-8',
};

const codings = { br: 'br', gz: 'gzip' } as const;

/** A file of a release with its encodings, each prepared when it is first requested. */
export class ServedFile {
  readonly address: string;
  readonly file: StoredFile;
  readonly #place: string;
  readonly #alwaysHeaders: readonly string[];
  readonly #variants: Partial<Record<Encoding, Variant>> = {};

  /** `place` is the path of the uncompressed copy, to which others add their endings; `alwaysHeaders` are for every file except hashed assets. */
  constructor(address: string, file: StoredFile, place: string, alwaysHeaders: readonly string[]) {
    this.address = address;
    this.file = file;
    this.#place = place;
    this.#alwaysHeaders = alwaysHeaders;
  }

  /** The smallest variant that a client accepts. */
  best(accepts: Readonly<Record<'br' | 'gz', boolean>>): Variant {
    const { br, gz } = this.file;
    return this.#variant(accepts.br && br !== null ? 'br' : accepts.gz && gz !== null ? 'gz' : 'identity');
  }

  /** Variants for every client, read from the copies other than a damaged one. */
  *others({ stored }: Variant): Generator<Variant> {
    const { plain, br, gz } = this.file;
    if (plain && stored !== 'identity') yield this.#variant('identity');
    if (gz !== null && stored !== 'gz') yield this.#prepare('identity', 'gz');
    if (br !== null && stored !== 'br') yield this.#prepare('identity', 'br');
  }

  #variant(encoding: Encoding): Variant {
    const stored = encoding === 'identity' && !this.file.plain ? 'gz' : encoding;
    return (this.#variants[encoding] ??= this.#prepare(encoding, stored));
  }

  #prepare(encoding: Encoding, stored: Encoding): Variant {
    const { hash, size, br, gz, gzCrc } = this.file;
    const sizes = { identity: size, br: br ?? 0, gz: gz ?? 0 };
    const etag = encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`;
    const name = fileOf(this.address);
    const isAsset = name.startsWith('_astro/');
    const notModifiedHeaders = [
      'ETag',
      etag,
      'Cache-Control',
      isAsset ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate',
      ...(br !== null || gz !== null ? ['Vary', 'Accept-Encoding'] : []),
      ...(isAsset ? assetSecurityHeaders : headersFor(this.address, this.#alwaysHeaders)),
      ...(name.endsWith('.woff2') ? fontHeaders : []),
    ];
    return {
      path: `${this.#place}${stored === 'identity' ? '' : `.${stored}`}`,
      stored,
      storedSize: sizes[stored],
      storedCrc: stored === 'gz' ? gzCrc : undefined,
      encoding,
      hash,
      textSize: size,
      size: sizes[encoding],
      etag,
      notModifiedHeaders,
      headers: [
        'Content-Type',
        feedTypes[basename(name)] ?? types[extname(name)] ?? 'application/octet-stream',
        'Content-Length',
        String(sizes[encoding]),
        ...(encoding === 'identity' ? [] : ['Content-Encoding', codings[encoding]]),
        ...notModifiedHeaders,
      ],
    };
  }
}

/** What is served. */
export interface ServedRelease {
  readonly head: Pick<TreeHead, 'release' | 'pages'>;
  /** The entry of the code that renders on demand. */
  readonly serverEntry: string;
  /** The file at an address; null if there is none, undefined if the part with the address was not read yet. */
  known(address: string): ServedFile | null | undefined;
  /** The file at an address, or null. Rejects if the part with the address is missing or damaged. */
  find(address: string): Promise<ServedFile | null>;
  /** Earlier files at an address, newest first, from kept releases; used if the release’s own is damaged. */
  older(address: string): AsyncGenerator<ServedFile>;
}
