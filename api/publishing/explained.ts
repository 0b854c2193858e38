import { publishingTexts } from '#texts/publishing.ts';

/** The error, and what to do about it where the operator can: a full disk, a folder that cannot be written. */
export function explained(thrown: unknown, dataDir: string): Error {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  // Astro runs in a process of its own, whose errors arrive as text.
  const said = `${(error as NodeJS.ErrnoException).code ?? ''} ${error.message}`;
  if (/\b(ENOSPC|EDQUOT|SQLITE_FULL|53100)\b/.test(said))
    return new Error(publishingTexts.diskFull(dataDir, error.message), { cause: error });
  if (/\b(EACCES|EPERM|EROFS|ENOTDIR|SQLITE_READONLY)\b/.test(said))
    return new Error(publishingTexts.notWritable(dataDir, error.message), { cause: error });
  return error;
}
