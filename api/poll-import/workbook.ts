import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import * as limits from '#contract/limits.ts';
import { errors } from '#platform/errors.ts';
import { importFileTexts } from '#texts/poll-import.ts';
import type { FileRecord } from './csv-file.ts';
import { refuse } from './import-problem.ts';
import { workbookBytes, workbookExits } from './workbook-size.ts';

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
 * The rows of a workbook’s first sheet as records, with the fields of its first row; numbers and dates as texts. It is read
 * in another process, one workbook at a time: unpacking takes time and memory that votes need, and a malicious file can
 * exhaust only that process.
 * Throws a `FileRefused`, and OVERLOADED.
 */
export async function* workbookRecords(source: AsyncIterable<Uint8Array>): AsyncGenerator<FileRecord[]> {
  const endTurn = await workbookTurn();
  try {
    yield* recordsOf(source);
  } finally {
    endTurn();
  }
}

async function* recordsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<FileRecord[]> {
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
    let width: number | undefined;
    for await (const rows of rowsOf(child.stdout)) {
      width ??= rows[0]?.fields.length ?? 0;
      yield rows.map(({ line, fields }) => ({ line, fields: padded(fields, width!) }));
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
  readonly fields: readonly string[];
}

async function* rowsOf(stdout: AsyncIterable<Buffer>): AsyncGenerator<Row[]> {
  const decoder = new StringDecoder('utf8');
  let tail = '';
  for await (const chunk of stdout) {
    const lines = (tail + decoder.write(chunk)).split('\n');
    tail = lines.pop() ?? '';
    if (lines.length === 0) continue;
    yield lines.map((text) => {
      const [line, ...fields] = JSON.parse(text) as [number, ...string[]];
      return { line, fields };
    });
  }
}

/** Rows of a workbook end with their last value. */
const padded = (fields: readonly string[], width: number): readonly string[] =>
  fields.length >= width ? fields : [...fields, ...Array<string>(width - fields.length).fill('')];
