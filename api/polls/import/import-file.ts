import { headerLineMost } from './import-settings.contract.ts';
import type { ImportPreview } from './import-settings.contract.ts';
import { importFileTexts } from '#texts/poll-import.ts';
import { csvRecords, decodeText } from './csv-file.ts';
import type { FileRecord, RecordSettings } from './csv-file.ts';
import { refuse } from './import-problem.ts';
import { isWorkbook, workbookRecords } from './workbook.ts';

/** Bytes at the start of a file that show its kind. */
const headBytes = 512;

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
 * The records of a file from its header on, in batches: of a CSV file in the specified format without settings, else of a
 * CSV file with the delimiter of the settings, or of a workbook. Throws a `FileRefused`.
 */
export async function* fileRecords(
  source: AsyncIterable<Uint8Array>,
  settings: RecordSettings | null,
  { fileName, onBytes }: { readonly fileName?: string | undefined; readonly onBytes?: (bytes: number) => void } = {},
): AsyncGenerator<FileRecord[]> {
  const { head, whole, close } = await peek(source);
  try {
    const kind = kindOf(head, fileName);
    if (kind === 'csv')
      yield* fromLine(csvRecords(decodeText(whole, onBytes), settings?.delimiter), settings?.headerLine);
    else if (settings !== null) yield* workbookRecords(whole, settings);
    else throw refuse('wrong_content', importFileTexts.wrong_content.is_workbook);
  } finally {
    await close();
  }
}

/** What a file is, whatever its name. Throws a `FileRefused` for content that can’t be read, with what it is. */
export function kindOf(head: Uint8Array, fileName = ''): ImportPreview['kind'] {
  if (isWorkbook(head)) return 'xlsx';
  const start = Buffer.from(head.subarray(0, headBytes)).toString('latin1');
  const { wrong_content: texts } = importFileTexts;
  if (start.startsWith('\u00d0\u00cf\u0011\u00e0')) throw refuse('wrong_content', texts.old_workbook);
  if (/^(?:\u00ef\u00bb\u00bf)?\s*<(?:!doctype html|html|head|table)\b/i.test(start))
    throw refuse('wrong_content', texts.web_page);
  if (start !== '' && /\.xlsx$/i.test(fileName.trim())) throw refuse('wrong_content', texts.named_workbook);
  return 'csv';
}

async function* fromLine(batches: AsyncIterable<FileRecord[]>, first = 1): AsyncGenerator<FileRecord[]> {
  for await (const records of batches)
    yield first > 1 && (records[0]?.line ?? headerLineMost) < first
      ? records.filter(({ line }) => line >= first)
      : records;
}

/** The first bytes of a file, and the whole file. It must be closed, even if it is not read. */
export async function peek(source: AsyncIterable<Uint8Array>): Promise<{
  readonly head: Uint8Array;
  readonly whole: AsyncIterable<Uint8Array>;
  readonly close: () => Promise<void>;
}> {
  const chunks = source[Symbol.asyncIterator]();
  const close = async () => void (await chunks.return?.());
  let head: Uint8Array = new Uint8Array();
  while (head.byteLength < headBytes) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return { head, whole: rejoined(head, { [Symbol.asyncIterator]: () => chunks }), close };
}

async function* rejoined(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.byteLength > 0) yield head;
  yield* rest;
}
