import { join } from 'node:path';
import type { ImportMode, ImportResult } from '#contract/poll-import.ts';
import { isFileRefused } from '#contract/poll-import.ts';
import { importPolls } from '#api/poll-import/poll-import.service.ts';
import { errors } from '#platform/errors.ts';
import type { OperationContext } from './operation.service.ts';
import type { UploadedFile } from './uploaded-file.ts';

/** Where uploads lie in the data folder while they arrive and are read. */
export const uploadsFolder = (dataDir: string) => join(dataDir, 'uploads');

/** Imports an uploaded file. A file that is refused as a whole is thrown, with everything that the result says. */
export async function importUpload(
  { db, clock, config, intake }: OperationContext,
  upload: {
    readonly file: UploadedFile;
    readonly fileName: string;
    readonly mode: ImportMode;
    readonly dryRun: boolean;
  },
): Promise<ImportResult> {
  const { file, fileName, mode, dryRun } = upload;
  const spoolFolder = uploadsFolder(config.dataDir);
  const result = await importPolls({
    db,
    clock,
    source: file.read(),
    fileName,
    mode,
    dryRun,
    spoolFolder,
    origin: 'page',
    between: (work) => intake.runExclusive(work),
  });
  if (isFileRefused(result)) throw errors.importRefused(result);
  return result;
}
