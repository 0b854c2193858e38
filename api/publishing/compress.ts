import { createHash } from 'node:crypto';
import { copyFileSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ReleasedFile, ReleaseManifest } from '#contract/publishing.ts';

/** Bytes from which a file is worth compressing. */
const compressFrom = 500;

const compressible = new Set('.html .css .js .mjs .svg .json .xml .txt .ico .webmanifest .map'.split(' '));

interface CompressOptions {
  /** The `client` folder of the new release. */
  readonly client: string;
  /** The release before: what has not changed is taken from there. */
  readonly previous: { readonly client: string; readonly manifest: ReleaseManifest } | null;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Puts a brotli and a gzip copy beside every file that is worth it, and answers the manifest of all files. A file
 * that the release before has too is linked to that one with its copies, so that unchanged pages cost neither
 * time nor disk.
 */
export async function compressRelease(options: CompressOptions): Promise<ReleaseManifest> {
  const { client, previous, signal, onProgress } = options;
  const paths = filesBelow(client, '');
  const files: Record<string, ReleasedFile> = {};
  let done = 0;
  let next = 0;

  const worker = async () => {
    for (;;) {
      signal?.throwIfAborted();
      const path = paths[next++];
      if (path === undefined) return;
      files[path] = reuse(path) ?? (await compress(path));
      done += 1;
      if (done % 100 === 0) {
        onProgress?.(done, paths.length);
        // Linking is synchronous; signs of life and signals get their turn.
        await nextTurn();
      }
    }
  };
  // Compression itself runs in the thread pool; a few more tasks than processors keep it busy.
  await Promise.all(Array.from({ length: availableParallelism() + 2 }, worker));
  onProgress?.(paths.length, paths.length);
  return { files: Object.fromEntries(paths.map((path) => [path, files[path]!])) };

  function reuse(path: string): ReleasedFile | null {
    const before = previous?.manifest.files[path];
    if (!before || !previous) return null;
    const file = join(client, path);
    if (digestOf(readFileSync(file)) !== before.hash) return null;
    const older = join(previous.client, path);
    try {
      if (before.br !== null) linkOrCopy(`${older}.br`, `${file}.br`);
      if (before.gz !== null) linkOrCopy(`${older}.gz`, `${file}.gz`);
      const draft = `${file}.link`;
      linkOrCopy(older, draft);
      renameSync(draft, file);
      return before;
    } catch (error) {
      // The older release was tampered with; this one does not depend on it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      for (const ending of ['br', 'gz', 'link']) rmSync(`${file}.${ending}`, { force: true });
      return null;
    }
  }

  async function compress(path: string): Promise<ReleasedFile> {
    const file = join(client, path);
    const content = readFileSync(file);
    const { file: released, copies } = await compressed(path, content);
    // A small synchronous write is several times cheaper than three turns through the thread pool.
    for (const ending of ['.br', '.gz'] as const)
      if (copies[ending] !== null) writeFileSync(`${file}${ending}`, copies[ending]);
    return released;
  }
}

/** What a release keeps of a file: the entry of its manifest, and the content with its copies where they are worth it. */
export async function compressed(
  path: string,
  content: Buffer,
): Promise<{ file: ReleasedFile; copies: Readonly<Record<'' | '.br' | '.gz', Buffer | null>> }> {
  const released = { hash: digestOf(content), size: content.length };
  if (content.length < compressFrom || !compressible.has(extname(path)))
    return { file: { ...released, br: null, gz: null }, copies: { '': content, '.br': null, '.gz': null } };
  // Pages are many and change; everything else is few and kept for long.
  const [brotliQuality, gzipLevel] = path.endsWith('.html') ? [5, 6] : [11, 9];
  const [br, gz] = await Promise.all([
    brotli(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        // The default window of 4 MB is set up anew for every small page, which costs more than the compression.
        [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(content.length)))),
      },
    }),
    gunzippable(content, { level: gzipLevel }),
  ]);
  const worth = (copy: Buffer) => (copy.length < content.length ? copy : null);
  const copies = { '': content, '.br': worth(br), '.gz': worth(gz) };
  return { file: { ...released, br: copies['.br']?.length ?? null, gz: copies['.gz']?.length ?? null }, copies };
}

const brotli = promisify(brotliCompress);
const gunzippable = promisify<Buffer, { level: number }, Buffer>(gzip);

/** Digest of a file's content, as the manifest and the ETag have it. */
export const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('base64url').slice(0, 27);

/** Links a file; copies it where the file system cannot link. */
export function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      rmSync(to);
      linkOrCopy(from, to);
    } else if (code === 'EXDEV' || code === 'EPERM' || code === 'EMLINK' || code === 'ENOTSUP') {
      copyFileSync(from, to);
    } else throw error;
  }
}

/** Paths of all files below a folder, with forward slashes; `prefix` is '' or ends in a slash. */
export function filesBelow(folder: string, prefix: string): string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = prefix + entry.name;
    if (entry.isDirectory()) return filesBelow(folder, `${path}/`);
    return entry.isFile() ? [path] : [];
  });
}
