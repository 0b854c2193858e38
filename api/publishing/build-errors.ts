import { errorOf } from '#platform/errors.ts';
import { publishingTexts } from '#texts/publishing.ts';

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
