import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import type { ImportSettings } from './import-settings.contract.ts';
import * as limits from '#contract/limits.ts';
import { errors } from '#platform/errors.ts';
import { importFileTexts } from '#texts/poll-import.ts';
import type { FileRecord, RecordSettings } from './csv-file.ts';
import { refuse } from './import-problem.ts';
import type { Cell } from './cell-text.ts';
import { isValueField, namedColumns } from './import-columns.ts';
import { workbookBytes, workbookExits } from './workbook-limits.ts';

/** Megabytes of the heap, and milliseconds, that reading a workbook may take. */
const heapMb = 192;
const timeMs = 120_000;

/** Workbooks that wait while another one is read; more are refused. */
const waitingMost = 4;

/** Workbooks that are read or wait, and the end of the last of them. */
let unfinished = 0;
let last = Promise.resolve();

/** Waits until no other workbook is read in this process; returns what ends the turn. Throws OVERLOADED. */
export async function workbookTurn(): Promise<() => void> {
  if (unfinished > waitingMost) throw errors.overloaded();
  unfinished += 1;
  const before = last;
  let end: () => void = () => undefined;
  last = new Promise((ended) => (end = ended));
  await before;
  return () => {
    unfinished -= 1;
    end();
  };
}

/** Whether a file starts like a ZIP file, as workbooks do. */
export const isWorkbook = (head: Uint8Array) =>
  Buffer.from(head.subarray(0, 4)).toString('latin1') === 'PK\u0003\u0004';

/**
 * The rows of a workbook’s first sheet as records from its header on, with as many fields: texts as they are shown, but the
 * values of dates and numbers in columns that are read as such. It is read in another process, one workbook at a time: unpacking takes time and memory that votes need, and a malicious file can
 * exhaust only that process.
 * Throws a `FileRefused`, and OVERLOADED.
 */
export async function* workbookRecords(
  source: AsyncIterable<Uint8Array>,
  settings: RecordSettings,
): AsyncGenerator<FileRecord[]> {
  const endTurn = await workbookTurn();
  try {
    yield* recordsOf(source, settings);
  } finally {
    endTurn();
  }
}

async function* recordsOf(
  source: AsyncIterable<Uint8Array>,
  { headerLine = 1, columns }: RecordSettings,
): AsyncGenerator<FileRecord[]> {
  const script = join(import.meta.dirname, 'workbook-process.ts');
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=2', script], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // By default, the C library keeps freed memory for each thread.
    env: { MALLOC_ARENA_MAX: '2' },
    timeout: timeMs,
    killSignal: 'SIGKILL',
  });
  const ended = once(child, 'close') as Promise<[code: number | null]>;
  ended.catch(() => undefined);
  try {
    // A process that has refused the file no longer reads it.
    const sent = pipeline(Readable.from(limited(source)), child.stdin).catch((error: unknown) =>
      (error as NodeJS.ErrnoException).code === 'EPIPE' ? undefined : Promise.reject(error as Error),
    );
    sent.catch(() => child.kill('SIGKILL'));
    let fieldsOf: ((cells: readonly Cell[]) => readonly string[]) | undefined;
    for await (const rows of rowsOf(child.stdout)) {
      const records = rows.filter(({ line }) => line >= headerLine);
      const [header] = records;
      if (header === undefined) continue;
      fieldsOf ??= fieldsIn(header.cells.map(shownIn), columns);
      yield records.map(({ line, cells }) => ({ line, fields: fieldsOf!(cells) }));
    }
    await sent;
    const [code] = await ended;
    if (code === 0) return;
    throw code === workbookExits.invalid
      ? refuse('invalid_workbook', importFileTexts.invalid_workbook)
      : refuse('file_too_large', importFileTexts.workbook_too_large(workbookBytes));
  } finally {
    child.kill('SIGKILL');
  }
}

async function* limited(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    if ((bytes += chunk.byteLength) > limits.importBytes)
      throw refuse('file_too_large', importFileTexts.file_too_large(limits.importBytes));
    yield chunk;
  }
}

interface Row {
  readonly line: number;
  readonly cells: readonly Cell[];
}

async function* rowsOf(stdout: AsyncIterable<Buffer>): AsyncGenerator<Row[]> {
  const decoder = new StringDecoder('utf8');
  let tail = '';
  for await (const chunk of stdout) {
    const lines = (tail + decoder.write(chunk)).split('\n');
    tail = lines.pop() ?? '';
    if (lines.length === 0) continue;
    yield lines.map((text) => {
      const [line, ...cells] = JSON.parse(text) as [number, ...Cell[]];
      return { line, cells };
    });
  }
}

const shownIn = (cell: Cell) => (typeof cell === 'string' ? cell : cell[0]);
const valueIn = (cell: Cell) => (typeof cell === 'string' ? cell : cell[1]);

/** Reads the cells of rows below these names of columns; rows of a workbook end with their last value. */
function fieldsIn(names: readonly string[], assigned?: ImportSettings['columns']) {
  const columns = assigned?.length === names.length ? assigned : namedColumns(names);
  const readers = columns.map((column) => (isValueField(column) ? valueIn : shownIn));
  const blanks = names.map(() => '');
  let isHeader = true;
  return (cells: readonly Cell[]): readonly string[] => {
    const fields = cells.map((cell, index) => (isHeader ? shownIn : (readers[index] ?? shownIn))(cell));
    isHeader = false;
    return fields.length < names.length ? [...fields, ...blanks.slice(fields.length)] : fields;
  };
}
