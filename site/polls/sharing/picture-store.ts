import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SocialPicture } from '#domain/social-picture.ts';
import type { PictureDrawer } from './draw-picture.ts';
import type { PictureSite } from './picture-texts.ts';

/** Bytes of drawn images that are kept on disk. */
const pictureCacheBytes = 400 * 1024 * 1024;
/** Images whose digests are remembered. */
const picturesKnown = 20_000;

/** Folder of the pictures under the data folder. */
export const pictureFolder = 'cache/pictures';

/** A finished picture. `digest` is the digest of its SVG. */
interface PictureFile {
  readonly png: Buffer;
  readonly digest: string;
}

/** Too many pictures are waiting to be drawn; a later request may succeed. */
export class PicturesBusyError extends Error {
  override readonly name = 'PicturesBusyError';
}

/** A cache of pictures as PNG files. */
export interface PictureStore {
  /** Throws PicturesBusyError when too many others are waiting. */
  picture(picture: SocialPicture): Promise<PictureFile>;
}

interface StoreOptions extends PictureSite {
  /** Folder of the files, created if missing. */
  readonly folder: string;
  /** Maximum total size in bytes; the oldest files are evicted. */
  readonly maxBytes?: number;
  /** Images that may wait to be drawn; any number if undefined. */
  readonly maxWaiting?: number;
  /** For tests. */
  readonly drawer?: PictureDrawer;
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 27);

/**
 * Draws pictures on request, one at a time so other work isn’t starved, and each at most once (single-flight). Files are
 * named by the digest of their SVG, so a change of texts, font, or layout results in a new file.
 */
export function pictureStore(options: StoreOptions): PictureStore {
  const { folder, maxBytes = pictureCacheBytes, maxWaiting = Infinity } = options;
  const site: PictureSite = { siteName: options.siteName, host: options.host };
  /** Digest of the SVG by content, so that a cached picture is not even laid out. */
  const digests = new Map<string, string>();
  const inFlight = new Map<string, Promise<PictureFile>>();
  let drawer = options.drawer;
  let queue: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let storedBytes: number | null = null;

  const pathOf = (digest: string) => join(folder, `${digest}.png`);

  const read = async (digest: string): Promise<PictureFile | null> => {
    const png = await readFile(pathOf(digest)).catch(() => null);
    return png === null ? null : { png, digest };
  };

  const draw = async (picture: SocialPicture, key: string): Promise<PictureFile> => {
    // What shapes letters takes 20 MB, so it is loaded only where something is drawn.
    drawer ??= (await import('./draw-picture.ts')).pictureDrawer(site);
    const svg = await drawer.svg(picture);
    const digest = digestOf(svg);
    if (digests.size >= picturesKnown) digests.clear();
    digests.set(key, digest);
    const found = await read(digest);
    if (found) return found;
    const png = await rasterize(svg);
    // On a full disk the picture is drawn again for the next request.
    await write(digest, png).catch(() => undefined);
    return { png, digest };
  };

  const write = async (digest: string, png: Buffer): Promise<void> => {
    await mkdir(folder, { recursive: true });
    const temporary = `${pathOf(digest)}.${process.pid}.draft`;
    await writeFile(temporary, png);
    await rename(temporary, pathOf(digest));
    storedBytes = storedBytes === null ? await evict() : storedBytes + png.length;
    if (storedBytes > maxBytes) storedBytes = await evict();
  };

  /** Evicts the oldest files and returns the remaining bytes; frees a tenth, so this rarely runs. */
  const evict = async (): Promise<number> => {
    const files = [];
    for (const name of await readdir(folder)) {
      const stats = await stat(join(folder, name)).catch(() => null);
      if (stats !== null) files.push({ name, bytes: stats.size, at: stats.mtimeMs });
    }
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    if (bytes <= maxBytes) return bytes;
    files.sort((a, b) => a.at - b.at);
    for (const file of files) {
      if (bytes <= maxBytes * 0.9) break;
      await rm(join(folder, file.name), { force: true });
      bytes -= file.bytes;
    }
    return bytes;
  };

  const load = async (picture: SocialPicture, key: string): Promise<PictureFile> => {
    const digest = digests.get(key);
    const found = digest === undefined ? null : await read(digest);
    if (found) return found;
    if (waiting >= maxWaiting) throw new PicturesBusyError('Too many pictures are waiting to be drawn.');
    waiting += 1;
    const turn = queue.then(() => draw(picture, key));
    queue = turn.catch(() => undefined);
    return turn.finally(() => (waiting -= 1));
  };

  return {
    picture(picture) {
      const key = digestOf(JSON.stringify(picture));
      const running = inFlight.get(key);
      if (running) return running;
      const made = load(picture, key).finally(() => inFlight.delete(key));
      inFlight.set(key, made);
      return made;
    },
  };
}

/** Renders SVG with outlined letters as PNG, keeping transparency. */
export async function rasterize(svg: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  // It would keep up to 50 MB for a picture that is drawn once.
  sharp.cache(false);
  return sharp(Buffer.from(svg)).png({ compressionLevel: 8 }).toBuffer();
}
