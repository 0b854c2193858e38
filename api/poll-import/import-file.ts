import type { ImportSettings } from '#contract/import-settings.ts';
import { importFileTexts } from '#texts/poll-import.ts';
import { csvRecords, decodeText } from './csv-file.ts';
import type { FileRecord } from './csv-file.ts';
import { refuse } from './import-problem.ts';
import { isWorkbook, workbookRecords } from './workbook.ts';

/** Throws a `FileRefused` for a file of another kind than can be read. */
export function checkExtension(fileName: string, settings?: object): void {
  if (!(settings ? /\.(?:csv|tsv|xlsx)$/i : /\.csv$/i).test(fileName.trim()))
    throw refuse(
      'wrong_extension',
      settings ? importFileTexts.wrong_extension_with_settings : importFileTexts.wrong_extension,
      { value: fileName },
    );
}

/**
 * The records of a file, in batches: of a CSV file in the specified format without settings, else of a CSV file with the
 * delimiter of the settings, or of a workbook. Throws a `FileRefused`.
 */
export async function* fileRecords(
  source: AsyncIterable<Uint8Array>,
  settings: Pick<ImportSettings, 'delimiter'> | null,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<FileRecord[]> {
  if (settings === null) yield* csvRecords(decodeText(source, onBytes));
  else {
    const { head, whole } = await peek(source);
    yield* isWorkbook(head) ? workbookRecords(whole) : csvRecords(decodeText(whole, onBytes), settings.delimiter);
  }
}

/** The first bytes of a file, at least four unless it is shorter, and the whole file. */
export async function peek(
  source: AsyncIterable<Uint8Array>,
): Promise<{ head: Uint8Array; whole: AsyncIterable<Uint8Array> }> {
  const chunks = source[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  while (head.byteLength < 4) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return { head, whole: rejoined(head, { [Symbol.asyncIterator]: () => chunks }) };
}

async function* rejoined(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.byteLength > 0) yield head;
  yield* rest;
}
