import { readdirSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { buildFiles, fileOf } from '#domain/build-files.ts';
import { matches } from '#site/etag.ts';
import { acceptedEncodings } from '#site/accepted-encodings.ts';
import { assetSecurityHeaders, fontHeaders, headersFor } from './security-headers.ts';

/** Bytes of files that a process keeps in memory. */
const cacheBytes = 48 * 1024 * 1024;
/** About what the headers of a file in memory take. */
const headerBytes = 1_000;

const assets = '/_astro/';

/** Files are looked up by addresses only: not by their own names, through hidden folders, or with slashes to spare. */
const noAddress = /\/\.(?!well-known\/)|\/\/|[\\\0]|.\/$|\/index$|\.(html|br|gz)$/;

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

const encodings = { '': null, '.br': 'br', '.gz': 'gzip' } as const;
type Ending = keyof typeof encodings;

const decoders = { '.br': promisify(brotliDecompress), '.gz': promisify(gunzip) } as const;

/** A copy of a page or another file, as it was on disk when it was looked up. */
export interface SavedFile {
  readonly address: string;
  readonly path: string;
  readonly ending: Ending;
  /** Whether the client takes no compressed file and there is no other. */
  readonly inflated: boolean;
  /** Whether other clients get another copy. */
  readonly varies: boolean;
  readonly facts: Stats;
}

/** What is sent for a file, for as long as the file is the same. */
interface Content {
  readonly facts: Stats;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/**
 * The files of the served build. They are looked up for each request, which takes microseconds, so that every process
 * sees at once what the publisher has replaced or removed.
 */
export class SavedFiles {
  readonly #builds: string;
  readonly #alwaysHeaders: readonly string[];
  readonly #contents = new LRUCache<string, Content>({
    maxSize: cacheBytes,
    sizeCalculation: ({ body }) => body.length + headerBytes,
  });
  readonly #reading = new Map<string, Promise<Content>>();

  /** `builds` is the folder of all builds; `alwaysHeaders` are for every file except hashed assets. */
  constructor(builds: string, alwaysHeaders: readonly string[]) {
    this.#builds = builds;
    this.#alwaysHeaders = alwaysHeaders;
  }

  /** The folder of the served build, or null if there is none. */
  build(): string | null {
    try {
      return realpathSync(join(this.#builds, buildFiles.current));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** The smallest copy that the client accepts of the file at an address, or null if there is no file. */
  find(address: string, request: IncomingMessage): SavedFile | null {
    if (noAddress.test(address)) return null;
    const found = this.#findIn(buildFiles.current, address, request);
    if (found !== null || !address.startsWith(assets) || this.build() === null) return found;
    // Pages that are open in browsers load the assets of the build that they come from.
    for (const build of readdirSync(this.#builds)) {
      const earlier = this.#findIn(build, address, request);
      if (earlier !== null) return earlier;
    }
    return null;
  }

  #findIn(build: string, address: string, request: IncomingMessage): SavedFile | null {
    const accepted = acceptedEncodings(request.headers['accept-encoding']);
    const plainPath = `${this.#builds}/${build}/${buildFiles.client}/${fileOf(address)}`;
    const copy = (ending: Ending, facts: Stats, { inflated = false, varies = true } = {}): SavedFile => ({
      address,
      path: plainPath + ending,
      ending,
      inflated,
      varies,
      facts,
    });
    const br = accepted.br ? factsOf(`${plainPath}.br`) : null;
    if (br !== null) return copy('.br', br);
    const gz = factsOf(`${plainPath}.gz`);
    if (gz !== null && accepted.gz) return copy('.gz', gz);
    const plain = factsOf(plainPath);
    if (plain !== null) return copy('', plain, { varies: gz !== null });
    return gz && copy('.gz', gz, { inflated: true });
  }

  /**
   * Responds with a file, or with 304 if the client has it. `status` is 200 except for the 404 page. Returns nothing if it
   * has responded; otherwise rejects, without having responded, if the file can’t be read or is not complete.
   */
  send(request: IncomingMessage, response: ServerResponse, file: SavedFile, status = 200): Promise<void> | undefined {
    const known = request.headers['if-none-match'];
    if (known !== undefined && status === 200 && matches(known, etagOf(file))) {
      response.writeHead(304, this.#notModifiedHeaders(file));
      response.end();
      return undefined;
    }
    const respond = ({ headers, body }: Content) => {
      response.writeHead(status, headers as string[]);
      response.end(request.method === 'HEAD' ? undefined : body);
    };
    const content = this.#contents.get(keyOf(file));
    if (content === undefined || !isSame(content.facts, file.facts)) return this.#read(file).then(respond);
    respond(content);
    return undefined;
  }

  /** Reads a file once for all who wait for it, and again for those who have come since it was replaced. */
  #read(file: SavedFile): Promise<Content> {
    const key = `${file.facts.ino} ${etagOf(file)} ${file.path}`;
    let reading = this.#reading.get(key);
    if (reading === undefined) {
      reading = this.#load(file).finally(() => this.#reading.delete(key));
      this.#reading.set(key, reading);
    }
    return reading;
  }

  async #load(file: SavedFile): Promise<Content> {
    const { path, ending, inflated } = file;
    await using handle = await open(path);
    // The path may have got another file since it was looked up; an ETag belongs to the content that is sent with it.
    const facts = await handle.stat();
    const stored = await handle.readFile();
    // A compressed file that has lost its end would be sent as half a page.
    const text = ending === '' ? stored : await decoders[ending](stored);
    const body = inflated ? text : stored;
    const content = { facts, body, headers: this.#headers({ ...file, facts }, body.length) };
    this.#contents.set(keyOf(file), content);
    return content;
  }

  #headers(file: SavedFile, size: number): string[] {
    const name = fileOf(file.address);
    const encoding = file.inflated ? null : encodings[file.ending];
    return [
      'Content-Type',
      feedTypes[basename(name)] ?? types[extname(name)] ?? 'application/octet-stream',
      'Content-Length',
      String(size),
      ...(encoding === null ? [] : ['Content-Encoding', encoding]),
      ...this.#notModifiedHeaders(file),
    ];
  }

  #notModifiedHeaders(file: SavedFile): string[] {
    const { address, varies } = file;
    const isAsset = address.startsWith(assets);
    return [
      // Hashed assets never change, so nobody asks whether they have.
      ...(isAsset ? [] : ['ETag', etagOf(file)]),
      'Cache-Control',
      isAsset ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate',
      ...(varies ? ['Vary', 'Accept-Encoding'] : []),
      ...(isAsset ? assetSecurityHeaders : headersFor(address, this.#alwaysHeaders)),
      ...(address.endsWith('.woff2') ? fontHeaders : []),
    ];
  }
}

function factsOf(path: string): Stats | null {
  try {
    const facts = statSync(path, { throwIfNoEntry: false });
    return facts?.isFile() ? facts : null;
  } catch (error) {
    // Nothing has a name as long as that of some requests.
    if ((error as NodeJS.ErrnoException).code === 'ENAMETOOLONG') return null;
    throw error;
  }
}

const keyOf = ({ path, inflated }: SavedFile) => (inflated ? `${path} inflated` : path);

const isSame = (one: Stats, other: Stats) =>
  one.ino === other.ino && one.mtimeMs === other.mtimeMs && one.size === other.size;

/** Size and time of a file, which are the same on machines that the file was copied to with its time. */
function etagOf({ facts, ending, inflated }: SavedFile): string {
  const microseconds = Math.floor(facts.mtimeMs * 1_000);
  return `"${facts.size.toString(36)}-${microseconds.toString(36)}${inflated ? '-text' : ending.replace('.', '-')}"`;
}
