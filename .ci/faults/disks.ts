import { execFile } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A small disk of its own. */
export interface Disk {
  readonly folder: string;
  /** Takes all the room that is left. */
  fill(): Promise<void>;
  /** Gives that room back. */
  free(): Promise<void>;
  remove(): Promise<void>;
}

/** A disk in memory; null where this user may not mount. */
export async function smallDisk(folder: string, megabytes: number): Promise<Disk | null> {
  return mounted(folder, ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs']);
}

/** A disk that can fail: ext4 in a file, see {@link failReadOnly}. Null where this user may not mount. */
export async function failingDisk(
  folder: string,
  image: string,
  megabytes: number,
  { keep = false }: { /** The image is there already, and is checked. */ keep?: boolean } = {},
): Promise<Disk | null> {
  try {
    if (keep) {
      // It ends with 1 when it has mended something.
      await run('e2fsck', ['-p', '-f', image]).catch(() => undefined);
      return await mounted(folder, ['-o', 'loop,errors=remount-ro', image]);
    }
    const file = await open(image, 'w');
    await file.truncate(megabytes * 1024 * 1024);
    await file.close();
    await run('mkfs.ext4', ['-q', image]);
  } catch {
    return null;
  }
  return mounted(folder, ['-o', 'loop,errors=remount-ro', image]);
}

/** What the system does when the disk has an error: from now on nothing is written, also by whoever has files open. */
export async function failReadOnly(folder: string): Promise<void> {
  await run('mount', ['-o', 'remount,abort', folder]);
}

async function mounted(folder: string, words: readonly string[]): Promise<Disk | null> {
  await mkdir(folder, { recursive: true });
  try {
    await run('mount', [...words, folder]);
  } catch {
    return null;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: () => fillUp(ballast),
    free: () => rm(ballast, { force: true }),
    remove: async () => {
      await run('umount', [folder]).catch(() => run('umount', ['-l', folder]));
    },
  };
}

/** Writes until there is no room, in ever smaller pieces. */
async function fillUp(path: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    for (let size = 1024 * 1024; size >= 512;) {
      try {
        const { bytesWritten } = await file.write(Buffer.alloc(size, 1));
        if (bytesWritten < size) size >>= 1;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        size >>= 1;
      }
    }
  } finally {
    await file.close();
  }
}
