import { watch } from 'node:fs';
import { mkdir, readdir, readFile, readlink, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { releaseFiles } from '#contract/publishing.ts';
import type { ReleasedFile, ReleaseFacts, ReleaseManifest } from '#contract/publishing.ts';
import { assetSecurityHeaders, headersFor } from './security-headers.ts';

/** Milliseconds between checks for a new release. */
const releasePollMs = 1_000;

export type Encoding = 'br' | 'gz' | 'identity';

/** One way of answering with a file: its place, size and the finished lists of headers. */
export interface Variant {
  readonly path: string;
  readonly key: string;
  readonly encoding: Encoding;
  /** Digest of the file's content before it was compressed. */
  readonly hash: string;
  readonly size: number;
  readonly etag: string;
  readonly headers: readonly string[];
  readonly notModifiedHeaders: readonly string[];
}

/** A file of the release as it is served. */
export interface ServedFile {
  readonly identity: Variant;
  readonly br: Variant | null;
  readonly gz: Variant | null;
}

/** The release that is served, in memory: which address is which file. */
export interface ServedRelease {
  readonly facts: ReleaseFacts;
  readonly files: ReadonlyMap<string, ServedFile>;
  /** Addresses that are another spelling of a page: `/poll/x.html`. */
  readonly redirects: ReadonlyMap<string, string>;
  readonly notFound: ServedFile | null;
  /** The code that renders on demand. */
  readonly serverEntry: string;
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

/** Feeds, whose ending does not tell what they are. */
const feedTypes: Readonly<Record<string, string>> = {
  'rss.xml': 'application/rss+xml; charset=utf-8',
  'atom.xml': 'application/atom+xml; charset=utf-8',
};

const codings = { br: 'br', gz: 'gzip' } as const;

/** Reads a release's facts and manifest; `alwaysHeaders` go on every answer but hashed assets. */
export async function loadRelease(
  releases: string,
  id: string,
  alwaysHeaders: readonly string[],
): Promise<ServedRelease> {
  const folder = join(releases, id);
  const facts = JSON.parse(await readFile(join(folder, releaseFiles.facts), 'utf8')) as ReleaseFacts;
  const manifest = JSON.parse(await readFile(join(folder, releaseFiles.manifest), 'utf8')) as ReleaseManifest;
  const files = new Map<string, ServedFile>();
  const redirects = new Map<string, string>();
  for (const [path, file] of Object.entries(manifest.files)) {
    const served = present(join(folder, releaseFiles.client, path), path, file, alwaysHeaders);
    const address = `/${path}`;
    if (!path.endsWith('.html')) {
      files.set(address, served);
      continue;
    }
    const page = path === 'index.html' ? '/' : address.replace(/(\/index)?\.html$/, '');
    files.set(page, served);
    redirects.set(address, page);
  }
  return {
    facts,
    files,
    redirects,
    notFound: files.get('/404') ?? null,
    serverEntry: join(releases, facts.serverFrom, releaseFiles.server, releaseFiles.serverEntry),
  };
}

function present(place: string, path: string, file: ReleasedFile, alwaysHeaders: readonly string[]): ServedFile {
  const immutable = path.startsWith('_astro/');
  const cacheControl = immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate';
  const varies = file.br !== null || file.gz !== null;
  const variant = (encoding: Encoding, size: number): Variant => {
    const etag = encoding === 'identity' ? `"${file.hash}"` : `"${file.hash}-${encoding}"`;
    const notModifiedHeaders = [
      'ETag',
      etag,
      'Cache-Control',
      cacheControl,
      ...(varies ? ['Vary', 'Accept-Encoding'] : []),
      ...(immutable ? assetSecurityHeaders : headersFor(path, alwaysHeaders)),
    ];
    return {
      path: encoding === 'identity' ? place : `${place}.${encoding}`,
      key: etag,
      encoding,
      hash: file.hash,
      size,
      etag,
      notModifiedHeaders,
      headers: [
        'Content-Type',
        feedTypes[basename(path)] ?? types[extname(path)] ?? 'application/octet-stream',
        'Content-Length',
        String(size),
        ...(encoding === 'identity' ? [] : ['Content-Encoding', codings[encoding]]),
        ...notModifiedHeaders,
      ],
    };
  };
  return {
    identity: variant('identity', file.size),
    br: file.br === null ? null : variant('br', file.br),
    gz: file.gz === null ? null : variant('gz', file.gz),
  };
}

/** Keeps the release that the `current` link names in memory and notices when it changes. */
export interface ReleaseWatch {
  current(): ServedRelease | null;
  /** The file at this address in the other releases that are still there, newest first: for one that is damaged in the current. */
  spares(address: string): AsyncGenerator<ServedFile>;
  stop(): void;
}

interface WatchOptions {
  readonly releases: string;
  readonly alwaysHeaders: readonly string[];
  readonly onSwitch: (release: ServedRelease) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Loads the current release, if there is one, and every later one; a broken one leaves the last good one in place. When
 * the one at the start is broken, the newest that is whole is served instead.
 */
export async function watchReleases(options: WatchOptions): Promise<ReleaseWatch> {
  const { releases, alwaysHeaders, onSwitch, onError } = options;
  await mkdir(releases, { recursive: true });
  let current: ServedRelease | null = null;
  let known: string | null = null;
  let failed: string | null = null;
  let spare: { readonly of: string; readonly releases: Promise<ServedRelease[]> } | null = null;
  let looking: Promise<void> | null = null;

  const look = async () => {
    const target = await readlink(join(releases, releaseFiles.current)).catch(() => null);
    const id = target === null ? null : basename(target);
    if (id === null) return;
    // Facts are written last, also when removed polls were taken out of a release: it is read again then.
    const facts = await stat(join(releases, id, releaseFiles.facts)).catch(() => null);
    const stamp = `${id} ${facts?.ino} ${facts?.mtimeMs}`;
    if (stamp === known || stamp === failed) return;
    try {
      current = await loadRelease(releases, id, alwaysHeaders);
      known = stamp;
      failed = null;
      spare = null;
      onSwitch(current);
    } catch (error) {
      failed = stamp;
      onError(error);
      if (current !== null) return;
      for await (const release of others(releases, id, alwaysHeaders)) {
        current = release;
        onSwitch(current);
        return;
      }
    }
  };
  const lookOnce = () => {
    looking ??= look().finally(() => (looking = null));
    return looking;
  };

  await lookOnce();
  // The watcher makes a switch visible at once; the timer also where a file system tells nothing (network volumes).
  const timer = setInterval(() => void lookOnce(), releasePollMs);
  const watcher = watch(releases, () => void lookOnce()).on('error', onError);
  return {
    current: () => current,
    async *spares(address) {
      if (current === null) return;
      const { id } = current.facts;
      // Kept, because everybody who asks for a damaged page comes here.
      if (spare?.of !== id) spare = { of: id, releases: Array.fromAsync(others(releases, id, alwaysHeaders)) };
      for (const { files } of await spare.releases) {
        const file = files.get(address);
        if (file) yield file;
      }
    },
    stop() {
      clearInterval(timer);
      watcher.close();
    },
  };
}

/** The releases that can be loaded, but for one; newest first. */
async function* others(releases: string, id: string, alwaysHeaders: readonly string[]): AsyncGenerator<ServedRelease> {
  const names = await readdir(releases).catch(() => []);
  const ids = names.filter((name) => /^[0-9A-Za-z-]+$/.test(name) && name !== id && name !== releaseFiles.current);
  for (const other of ids.sort().reverse()) {
    const release = await loadRelease(releases, other, alwaysHeaders).catch(() => null);
    if (release) yield release;
  }
}
