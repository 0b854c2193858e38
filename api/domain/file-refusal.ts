import { importFileCodes } from '#api/polls/import/poll-import.contract.ts';
import type { ImportResult } from '#api/polls/import/poll-import.contract.ts';

/** Whether the whole file was refused before its rows were checked. */
export function isFileRefused(result: Pick<ImportResult, 'errors'>): boolean {
  const codes: readonly string[] = importFileCodes;
  return result.errors.some((error) => codes.includes(error.code));
}
