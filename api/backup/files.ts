import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Milliseconds after which a draft that nobody writes to was left by a process that is gone. */
const abandonedMs = 60 * 60_000;

const backupName = /^weathervane-\d{8}T\d{6}Z(-\d+)?\.tar\.gz$/;

/** The start of the names of folders in which a backup is made. */
export const draftPrefix = '.weathervane-draft-';

/** The name of a backup: its moment in UTC, so that names sort by age. `nth` tells those of one second apart. */
export function backupFileName(now: number, nth = 1): string {
  const moment = new Date(now)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '');
  return `weathervane-${moment}${nth > 1 ? `-${nth}` : ''}.tar.gz`;
}

/** Makes sure that what a folder lists, or what a file holds, survives a power cut. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some network folders cannot do that; their servers keep names by themselves.
    if (!['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await handle.close();
  }
}

/** Whether there is anything of that name. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Removes the oldest backups of a folder until `keep` are left; answers their names. */
export async function removeOlderBackups(folder: string, keep: number): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => backupName.test(name)).sort(byAge);
  const old = names.slice(0, Math.max(names.length - keep, 0));
  for (const name of old) await rm(join(folder, name));
  return old;
}

/** Removes drafts of backups that were cut off; another backup may be writing one right now. */
export async function removeAbandonedDrafts(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(draftPrefix)) continue;
    const draft = join(folder, name);
    const inside = (await readdir(draft, { recursive: true }).catch(() => [])).map((file) => join(draft, file));
    const times = await Promise.all(
      [draft, ...inside].map(async (path) => (await stat(path).catch(() => null))?.mtimeMs),
    );
    if (Math.max(...times.map((time) => time ?? 0)) < now - abandonedMs)
      await rm(draft, { recursive: true, force: true });
  }
}

/** By moment, then by number within the second. */
function byAge(a: string, b: string): number {
  const key = (name: string) =>
    name.replace(/Z(?:-(\d+))?\.tar\.gz$/, (_, nth?: string) => `Z${(nth ?? '1').padStart(4, '0')}`);
  return key(a) < key(b) ? -1 : 1;
}
