import {
  closeSync,
  fdatasync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import type { Dirent } from 'node:fs';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errorOf } from '#platform/errors.ts';
import { publishingTexts } from '#texts/publishing.ts';

const dataSync = promisify(fdatasync);
const run = promisify(execFile);

/**
 * Every operation with which the publisher changes files, in one place, so that tests can end it at each of them. Small
 * synchronous operations are several times cheaper than trips through the thread pool.
 */
export const disk = {
  /** Writes a new file; `durable` returns when it would survive a power cut. Creates the folder. */
  async write(path: string, content: Buffer | string, { durable }: { readonly durable: boolean }): Promise<void> {
    const file = withFolder(path, () => openSync(path, 'w'));
    try {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
      if (durable) await dataSync(file);
    } finally {
      closeSync(file);
    }
  },
  /** Creates the folder. */
  rename(from: string, to: string): void {
    withFolder(to, () => renameSync(from, to));
  },
  symlink(target: string, path: string): void {
    withFolder(path, () => symlinkSync(target, path, 'dir'));
  },
  /** Returns when the names in a folder would survive a power cut. */
  syncFolder(path: string): void {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } catch (error) {
      // Not every file system can.
      if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'EPERM') throw error;
    } finally {
      closeSync(folder);
    }
  },
  /** Deletes a file; does nothing if it doesn’t exist. */
  remove(path: string): void {
    try {
      unlinkSync(path);
    } catch (error) {
      if (!isMissing(error) && codeOf(error) !== 'ENOTDIR') throw error;
    }
  },
  /** Deletes a folder with everything in it; does nothing if it doesn’t exist. */
  async removeFolder(path: string): Promise<void> {
    // It may have a hundred thousand files, and heartbeats go on meanwhile.
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  },
};

/** Waits until everything written to the file system of a folder would survive a power cut. */
export async function syncAll(folder: string): Promise<void> {
  // Thousands of separate syncs would take minutes. Only GNU’s command knows the option.
  await run('sync', ['-f', folder]).catch(() => run('sync'));
}

/** Waits for all of them even if one fails, so that nothing is written after the failure; then throws the first error. */
export async function allWritten(writes: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(writes)).find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

/** The names in a folder; none if it doesn’t exist. */
export const namesIn = (folder: string): string[] => entriesIn(folder).map(({ name }) => name);

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** The paths of all files in a folder and its subfolders, with forward slashes; none if it doesn’t exist. */
export function filesBelow(folder: string, prefix = ''): string[] {
  return entriesIn(join(folder, prefix)).flatMap((entry) => {
    const path = prefix + entry.name;
    // Looking at each of a hundred thousand files would take a second.
    const found = entry.isSymbolicLink() ? statSync(join(folder, path), { throwIfNoEntry: false }) : entry;
    if (found?.isDirectory()) return filesBelow(folder, `${path}/`);
    return found?.isFile() ? [path] : [];
  });
}

export const isMissing = (error: unknown) => codeOf(error) === 'ENOENT';

function withFolder<T>(path: string, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    if (!isMissing(error)) throw error;
    mkdirSync(dirname(path), { recursive: true });
    return operation();
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

const diskFullPattern = /\b(ENOSPC|EDQUOT|SQLITE_FULL|53100|No space left on device)\b/;
const unwritablePattern = /\b(EACCES|EPERM|EROFS|ENOTDIR|SQLITE_READONLY|Permission denied|Read-only file system)\b/;

/** Whether a full disk or an unwritable folder is the cause: no fault of the page that could not be stored. */
export function isOfDisk(error: Error): boolean {
  const description = descriptionOf(error);
  return diskFullPattern.test(description) || unwritablePattern.test(description);
}

/** The error, with advice if the operator can fix it: a full disk or an unwritable folder. */
export function explainError(thrown: unknown, dataDir: string): Error {
  const error = errorOf(thrown);
  const reason = withoutTerminalCodes(error.message);
  const description = descriptionOf(error);
  if (diskFullPattern.test(description)) return new Error(publishingTexts.diskFull(dataDir, reason), { cause: error });
  if (unwritablePattern.test(description))
    return new Error(publishingTexts.notWritable(dataDir, reason), { cause: error });
  return reason === error.message ? error : new Error(reason, { cause: error });
}

/** What Astro, its bundler, and the renderers do happens in child processes, whose errors arrive as text. */
function descriptionOf(error: Error): string {
  return `${(error as NodeJS.ErrnoException).code ?? ''} ${withoutTerminalCodes(error.message)}`;
}

/** Removes terminal colors and the bundler’s stack, which is not about this project. */
function withoutTerminalCodes(message: string): string {
  return message
    .replace(/\u001b\[[\d;]*m/g, '')
    .replace(/\n\s*Stack backtrace:[^]*$/, '')
    .trim();
}
