import { execFile } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A small mounted disk. */
export interface Disk {
  readonly folder: string;
  /** Fills the disk. */
  fill(): Promise<void>;
  /** Frees that space. */
  free(): Promise<void>;
  remove(): Promise<void>;
}

/** A disk in memory; null if this user may not mount. */
export async function smallDisk(folder: string, megabytes: number): Promise<Disk | null> {
  return mounted(folder, ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs']);
}

/** A disk that can fail: ext4 in a file, see {@link failReadOnly}. Null if this user may not mount. */
export async function failingDisk(
  folder: string,
  image: string,
  megabytes: number,
  { keep = false }: { /** Whether the image exists and is checked instead of created. */ keep?: boolean } = {},
): Promise<Disk | null> {
  try {
    if (keep) {
      // It exits with 1 if it has repaired something.
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

/** Does what the system does after a disk error: the disk becomes read-only, also for open files. */
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

/** Writes until the disk is full, in ever smaller pieces. */
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
