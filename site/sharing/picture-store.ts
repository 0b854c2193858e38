import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as limits from '#contract/limits.ts';
import type { SocialPicture } from '#domain/social-picture.ts';
import type { PictureDrawer, PictureSite } from './draw-picture.ts';

/** Where the pictures of an installation are below its data folder. */
export const pictureFolder = 'cache/pictures';

/** A finished picture. `digest` is that of the drawing. */
export interface PictureFile {
  readonly png: Buffer;
  readonly digest: string;
}

/** Too many pictures wait to be drawn; asking again later helps. */
export class PicturesBusyError extends Error {
  override readonly name = 'PicturesBusyError';
}

/** Pictures as PNG files, each drawn once for as long as there is room for it. */
export interface PictureStore {
  /** Throws PicturesBusyError when too many others wait. */
  picture(picture: SocialPicture): Promise<PictureFile>;
}

interface StoreOptions extends PictureSite {
  /** Where the files are kept; it is made when missing. */
  readonly folder: string;
  /** Bytes that may be kept; the files drawn longest ago make room. */
  readonly maxBytes?: number;
  /** For tests. */
  readonly drawer?: Promise<PictureDrawer>;
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 27);

/**
 * Draws pictures when they are asked for, one at a time, so that other work gets its turn, and each at most once however
 * many ask. Files are named by the digest of the drawing: new words, another face or layout make a new file by themselves.
 */
export function pictureStore(options: StoreOptions): PictureStore {
  const { folder, maxBytes = limits.pictureCacheBytes } = options;
  const site: PictureSite = { siteName: options.siteName, host: options.host };
  /** Digest of the drawing by what it shows, so that a picture that is known is not even laid out. */
  const known = new Map<string, string>();
  const underWay = new Map<string, Promise<PictureFile>>();
  let drawer = options.drawer;
  let line: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let kept: number | null = null;

  const pathOf = (digest: string) => join(folder, `${digest}.png`);

  const read = async (digest: string): Promise<PictureFile | null> => {
    const png = await readFile(pathOf(digest)).catch(() => null);
    return png === null ? null : { png, digest };
  };

  const draw = async (picture: SocialPicture, key: string): Promise<PictureFile> => {
    drawer ??= import('./draw-picture.ts').then(({ pictureDrawer }) => pictureDrawer(site));
    const svg = await (await drawer).svg(picture);
    const digest = digestOf(svg);
    if (known.size >= limits.picturesKnown) known.clear();
    known.set(key, digest);
    const found = await read(digest);
    if (found) return found;
    const png = await rasterize(svg);
    // On a full disk a picture is drawn again for the next who asks.
    await write(digest, png).catch(() => undefined);
    return { png, digest };
  };

  const write = async (digest: string, png: Buffer): Promise<void> => {
    await mkdir(folder, { recursive: true });
    const draft = `${pathOf(digest)}.${process.pid}.draft`;
    await writeFile(draft, png);
    await rename(draft, pathOf(digest));
    kept = kept === null ? await sweep() : kept + png.length;
    if (kept > maxBytes) kept = await sweep();
  };

  /** Answers the bytes that are left; a tenth of the room is made free, so that this is not done for every picture. */
  const sweep = async (): Promise<number> => {
    const files = [];
    for (const name of await readdir(folder)) {
      const facts = await stat(join(folder, name)).catch(() => null);
      if (facts !== null) files.push({ name, bytes: facts.size, at: facts.mtimeMs });
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

  const answer = async (picture: SocialPicture, key: string): Promise<PictureFile> => {
    const digest = known.get(key);
    const found = digest === undefined ? null : await read(digest);
    if (found) return found;
    if (waiting >= limits.picturesWaiting) throw new PicturesBusyError('Too many pictures are waiting to be drawn.');
    waiting += 1;
    const turn = line.then(() => draw(picture, key));
    line = turn.catch(() => undefined);
    return turn.finally(() => (waiting -= 1));
  };

  return {
    picture(picture) {
      const key = digestOf(JSON.stringify(picture));
      const started = underWay.get(key);
      if (started) return started;
      const made = answer(picture, key).finally(() => underWay.delete(key));
      underWay.set(key, made);
      return made;
    },
  };
}

/** Draws SVG whose letters are outlines as PNG, with what is transparent left so. */
export async function rasterize(svg: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(svg)).png({ compressionLevel: 8 }).toBuffer();
}
