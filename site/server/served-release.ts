import { watch } from 'node:fs';
import { mkdir, readdir, readFile, readlink, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { releaseFiles } from '#contract/publishing.ts';
import type { ReleasedFile, ReleaseFacts, ReleaseManifest } from '#contract/publishing.ts';
import { assetSecurityHeaders, headersFor } from './security-headers.ts';

/** Milliseconds between checks for a new release. */
const releasePollMs = 1_000;

export type Encoding = 'br' | 'gz' | 'identity';

/** One encoding of a file: its path, size, and complete header lists. */
export interface Variant {
  readonly path: string;
  readonly key: string;
  readonly encoding: Encoding;
  /** The digest of the uncompressed content. */
  readonly hash: string;
  readonly size: number;
  readonly etag: string;
  readonly headers: readonly string[];
  readonly notModifiedHeaders: readonly string[];
}

/** A file of the release with its encodings. */
export interface ServedFile {
  readonly identity: Variant;
  readonly br: Variant | null;
  readonly gz: Variant | null;
}

/** The current release in memory, with the file of each URL. */
export interface ServedRelease {
  readonly facts: ReleaseFacts;
  readonly files: ReadonlyMap<string, ServedFile>;
  /** Alternative URLs of a page, such as `/poll/x.html`. */
  readonly redirects: ReadonlyMap<string, string>;
  readonly notFound: ServedFile | null;
  /** The entry of the code that renders on demand. */
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

/** Feeds, whose extension does not determine their type. */
const feedTypes: Readonly<Record<string, string>> = {
  'rss.xml': 'application/rss+xml; charset=utf-8',
  'atom.xml': 'application/atom+xml; charset=utf-8',
};

const codings = { br: 'br', gz: 'gzip' } as const;

/** Reads a release’s facts and manifest; `alwaysHeaders` are added to every response except hashed assets. */
async function loadRelease(releases: string, id: string, alwaysHeaders: readonly string[]): Promise<ServedRelease> {
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

/** Keeps the current release in memory and notices when it changes. */
export interface ReleaseWatch {
  current(): ServedRelease | null;
  /** The file at this URL in other kept releases, newest first; used if the current one is damaged. */
  fallbacks(address: string): AsyncGenerator<ServedFile>;
  stop(): void;
}

interface WatchOptions {
  readonly releases: string;
  readonly alwaysHeaders: readonly string[];
  readonly onSwitch: (release: ServedRelease) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Loads the current release, if any, and every later one; a damaged one leaves the previous in place. If the first is
 * damaged, the newest intact release is served instead.
 */
export async function watchReleases(options: WatchOptions): Promise<ReleaseWatch> {
  const { releases, alwaysHeaders, onSwitch, onError } = options;
  await mkdir(releases, { recursive: true });
  let current: ServedRelease | null = null;
  let known: string | null = null;
  let failed: string | null = null;
  let fallback: { readonly of: string; readonly releases: Promise<ServedRelease[]> } | null = null;
  let runningCheck: Promise<void> | null = null;

  const checkRelease = async () => {
    const target = await readlink(join(releases, releaseFiles.current)).catch(() => null);
    const id = target === null ? null : basename(target);
    if (id === null) return;
    // The facts file is written last, also by takedowns; then the release is reloaded.
    const facts = await stat(join(releases, id, releaseFiles.facts)).catch(() => null);
    const stamp = `${id} ${facts?.ino} ${facts?.mtimeMs}`;
    if (stamp === known || stamp === failed) return;
    try {
      current = await loadRelease(releases, id, alwaysHeaders);
      known = stamp;
      failed = null;
      fallback = null;
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
  const checkOnce = () => {
    runningCheck ??= checkRelease().finally(() => (runningCheck = null));
    return runningCheck;
  };

  await checkOnce();
  // The watcher notices a switch immediately; the timer is for file systems without notifications (network volumes).
  const timer = setInterval(() => void checkOnce(), releasePollMs);
  const watcher = watch(releases, () => void checkOnce()).on('error', onError);
  return {
    current: () => current,
    async *fallbacks(address) {
      if (current === null) return;
      const { id } = current.facts;
      // Cached, because every request for a damaged page needs it.
      if (fallback?.of !== id) fallback = { of: id, releases: Array.fromAsync(others(releases, id, alwaysHeaders)) };
      for (const { files } of await fallback.releases) {
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

/** The loadable releases except one, newest first. */
async function* others(releases: string, id: string, alwaysHeaders: readonly string[]): AsyncGenerator<ServedRelease> {
  const names = await readdir(releases).catch(() => []);
  const ids = names.filter((name) => /^[0-9A-Za-z-]+$/.test(name) && name !== id && name !== releaseFiles.current);
  for (const other of ids.sort().reverse()) {
    const release = await loadRelease(releases, other, alwaysHeaders).catch(() => null);
    if (release) yield release;
  }
}
