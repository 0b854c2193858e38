import { parse } from 'csv-parse/sync';
import { answerFields, delimiters } from './import-settings.contract.ts';
import type { Delimiter, ImportField, ImportSettings } from './import-settings.contract.ts';
import * as limits from '#contract/limits.ts';
import { importColumns, rejectionColumn, requiredImportColumns } from './poll-import.contract.ts';
import type { ImportColumn, ImportWarning } from './poll-import.contract.ts';
import { importFileTexts, importWarningTexts, separatorNames } from '#texts/poll-import.ts';
import type { DateRules } from './import-dates.ts';
import { seemsPerPerson } from './import-columns.ts';
import { FileRefused, fileError, refuse, warning } from './import-problem.ts';

/**
 * Decodes a file: UTF-8 with or without a byte order mark, or UTF-16 with one. Throws a {@link FileRefused} for
 * anything else, for an empty file, and for one that is too large. `onBytes` receives the number of bytes read so far.
 */
export async function* decodeText(
  source: AsyncIterable<Uint8Array>,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let head: Uint8Array = new Uint8Array();
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > limits.importBytes) throw refuse('file_too_large', importFileTexts.file_too_large(limits.importBytes));
    onBytes?.(bytes);
    if (decoder) {
      yield decode(decoder, chunk);
      continue;
    }
    head = head.byteLength === 0 ? chunk : Buffer.concat([head, chunk]);
    if (head.byteLength < 3) continue;
    decoder = decoderFor(head);
    yield decode(decoder, head);
  }
  if (bytes === 0) throw refuse('empty_file', importFileTexts.empty_file);
  if (!decoder) {
    decoder = decoderFor(head);
    yield decode(decoder, head);
  }
  yield decode(decoder);
}

function decoderFor(head: Uint8Array): TextDecoder {
  const encoding =
    head[0] === 0xff && head[1] === 0xfe ? 'utf-16le' : head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding, { fatal: true });
}

function decode(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw refuse('encoding', importFileTexts.encoding);
  }
}

/** How a file is split into records; without `columns`, their names show which have dates. */
export type RecordSettings = Pick<ImportSettings, 'delimiter' | 'headerLine'> &
  Partial<Pick<ImportSettings, 'columns'>>;

/** One record of a file; `fields` is null if its quotes are broken. */
export interface FileRecord {
  /** The 1-based number of the line on which the record starts, or of the row of a workbook. */
  readonly line: number;
  readonly fields: readonly string[] | null;
  /** The record itself, if its quotes are broken. */
  readonly text?: string;
}

/**
 * The records of a CSV text (RFC 4180, strict quotes, LF or CRLF), in batches. Blank lines are skipped but
 * counted; CRLF inside a quoted field becomes LF. A broken record does not affect the ones around it, unless a quote
 * stays open: then the rest of the file is one broken record. Decision 020 says why the text is split here before
 * csv-parse reads it.
 */
export async function* csvRecords(
  chunks: AsyncIterable<string>,
  delimiter: Delimiter = ',',
): AsyncGenerator<FileRecord[]> {
  const cutter = new RecordCutter(delimiter);
  for await (const chunk of chunks) {
    const cut = cutter.add(chunk);
    if (cut.length > 0) yield readFields(cut, delimiter);
  }
  const rest = cutter.end();
  if (rest.length > 0) yield readFields(rest, delimiter);
}

interface CutRecord {
  readonly line: number;
  readonly text: string;
}

/** Splits a text that arrives in chunks into records, by line ends and quotes only. */
class RecordCutter {
  readonly #delimiter: Delimiter;
  /** Chunks of the unfinished line. */
  #tail: string[] = [];
  /** Complete lines of the unfinished record. */
  #lines: string[] = [];
  #insideQuotes = false;
  #line = 0;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter;
  }

  add(chunk: string): CutRecord[] {
    const done: CutRecord[] = [];
    let from = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      this.#tail.push(chunk.slice(from, end));
      this.#endLine(done);
      from = end + 1;
    }
    if (from < chunk.length) this.#tail.push(chunk.slice(from));
    return done;
  }

  end(): CutRecord[] {
    const done: CutRecord[] = [];
    if (this.#tail.length > 0) this.#endLine(done);
    // A quote is still open: the rest is one record, which csv-parse will report as broken.
    if (this.#lines.length > 0) this.#endRecord(done);
    return done;
  }

  #endLine(done: CutRecord[]): void {
    const whole = this.#tail.length === 1 ? (this.#tail[0] ?? '') : this.#tail.join('');
    const line = whole.endsWith('\r') ? whole.slice(0, -1) : whole;
    this.#tail = [];
    this.#line += 1;
    this.#insideQuotes = endsInsideQuotes(line, this.#insideQuotes, this.#delimiter);
    this.#lines.push(line);
    if (!this.#insideQuotes) this.#endRecord(done);
  }

  #endRecord(done: CutRecord[]): void {
    const text = this.#lines.length === 1 ? (this.#lines[0] ?? '') : this.#lines.join('\n');
    const line = this.#line - this.#lines.length + 1;
    this.#lines = [];
    if (text.trim() !== '') done.push({ line, text });
  }
}

/** Whether a quoted field is open at the end of a line; only a quote at the start of a field opens one. */
function endsInsideQuotes(line: string, insideBefore: boolean, delimiter: Delimiter): boolean {
  let inside = insideBefore;
  let at = 0;
  for (;;) {
    const quote = line.indexOf('"', at);
    if (quote === -1) return inside;
    at = quote + 1;
    if (!inside) inside = quote === 0 || line[quote - 1] === delimiter;
    else if (line[at] === '"') at += 1;
    else inside = false;
  }
}

function readFields(records: readonly CutRecord[], delimiter: Delimiter): FileRecord[] {
  // One call for many records is several times faster; only a batch with a broken record is parsed one by one.
  const together = strictFields(records.map(({ text }) => text).join('\n'), delimiter);
  if (together?.length === records.length)
    return records.map(({ line }, index) => ({ line, fields: together[index] ?? null }));
  return records.map(({ line, text }) => {
    const alone = strictFields(text, delimiter);
    const [fields] = alone ?? [];
    return alone?.length === 1 && fields ? { line, fields } : { line, fields: null, text };
  });
}

function strictFields(text: string, delimiter: Delimiter): string[][] | null {
  try {
    return parse(text, { delimiter, record_delimiter: '\n', relax_column_count: true });
  } catch {
    return null;
  }
}

/** A column with the results of the answer that it is named after. */
export interface AnswerColumn {
  readonly at: number;
  readonly text: string;
  readonly isPercent: boolean;
}

/** The position of each column in a row. */
export interface ImportHeader {
  readonly width: number;
  readonly positions: ReadonlyMap<ImportField, number>;
  /** The file’s own names of the fields, where settings assign them. */
  readonly labels?: ReadonlyMap<ImportField, string>;
  /** Columns with the results of an answer each, in their order. */
  readonly answers: readonly AnswerColumn[];
  /** Values for all rows, of fields without a column. */
  readonly fixed?: ImportSettings['fixed'];
  /** How dates are read. */
  readonly dates: DateRules;
  /** The file is in the specified format, in which no required column may be missing. */
  readonly isSpecified: boolean;
  /** Its fields were exported here, with an apostrophe before what spreadsheets take for a formula. */
  readonly isExported: boolean;
  readonly warnings: readonly ImportWarning[];
}

/**
 * Reads the header: names in any order and case. Dates without an offset are in the time zone. Throws a {@link FileRefused} if required columns are missing (all are
 * listed), a column appears twice, or the fields are not separated by commas.
 */
export function readHeader(record: FileRecord, timeZone = 'UTC'): ImportHeader {
  const { line } = record;
  const fields = readableHeader(record);
  const names = fields.map((field) => field.trim().toLowerCase());
  const positions = new Map<ImportColumn, number>();
  const warnings: ImportWarning[] = [];
  const twice = new Set<ImportColumn>();
  for (const [index, name] of names.entries()) {
    if (!isColumn(name)) {
      const shownName = fields[index]?.trim() ?? '';
      if (name !== '' && name !== rejectionColumn)
        warnings.push(warning(line, shownName, null, 'unknown_column', importWarningTexts.unknown_column));
    } else if (positions.has(name)) twice.add(name);
    else positions.set(name, index);
  }

  const missing = requiredImportColumns.filter((column) => !positions.has(column));
  if (missing.length > 0) {
    const separator = otherSeparator(fields);
    if (separator)
      throw refuse('wrong_separator', importFileTexts.wrong_separator(separatorNames[separator]), { line });
    if (seemsPerPerson(fields)) throw refuse('row_per_person', importFileTexts.row_per_person, { line });
  }
  const errors = [
    ...missing.map((column) => fileError('missing_column', importFileTexts.missing_column(column), { line, column })),
    ...[...twice].map((column) =>
      fileError('duplicate_column', importFileTexts.duplicate_column(column), { line, column }),
    ),
  ];
  const [first, ...more] = errors;
  if (first) throw new FileRefused([first, ...more]);
  return {
    ...{ width: fields.length, positions, answers: [], isExported: isExported(fields), warnings },
    ...{ dates: { dateFormat: null, timeZone }, isSpecified: true },
  };
}

/** Whether a file with these columns was exported here: it has all of an export of polls, or that of rejected rows. */
export function isExported(fields: readonly string[]): boolean {
  const names = new Set(fields.map((field) => field.trim().toLowerCase()));
  return names.has(rejectionColumn) || importColumns.every((column) => names.has(column));
}

function readableHeader({ line, fields }: FileRecord): readonly string[] {
  if (!fields) throw refuse('unreadable_header', importFileTexts.unreadable_header, { line });
  // UTF-16 without a byte order mark is valid UTF-8 with a NUL as every second character.
  if (fields.some((field) => field.includes('\0'))) throw refuse('encoding', importFileTexts.encoding);
  if (fields.some((field) => field.includes('\r'))) throw refuse('line_ends', importFileTexts.line_ends, { line });
  return fields;
}

/**
 * Reads the header as settings assign its columns. Throws a {@link FileRefused} if a required field is missing, a field is
 * assigned twice, or the file has another number of columns.
 */
export function assignedHeader(
  record: FileRecord,
  { columns, dateFormat = 'iso', timeZone, fixed }: ImportSettings,
): ImportHeader {
  const { line } = record;
  const fields = readableHeader(record);
  if (fields.length !== columns.length)
    throw refuse('column_mismatch', importFileTexts.column_mismatch(fields.length, columns.length), { line });
  const positions = new Map<ImportField, number>();
  const labels = new Map<ImportField, string>();
  const answers: AnswerColumn[] = [];
  for (const [index, field] of columns.entries()) {
    if (field === null) continue;
    const name = fields[index]?.trim() ?? '';
    if (isAnswer(field)) {
      answers.push({ at: index, text: name, isPercent: field === 'answer_percent' });
      continue;
    }
    if (positions.has(field))
      throw refuse('duplicate_column', importFileTexts.duplicate_column(field), { line, column: field });
    positions.set(field, index);
    labels.set(field, name === '' ? field : name);
  }
  const missing = missingFields({ columns, fixed });
  const [first, ...more] = missing.map((column) =>
    fileError('missing_column', importFileTexts.missing_column(column), { line, column }),
  );
  if (first) throw new FileRefused([first, ...more]);
  return {
    ...{ width: fields.length, positions, labels, answers, isExported: isExported(fields), ...(fixed && { fixed }) },
    ...{ dates: { dateFormat, timeZone }, isSpecified: false, warnings: [] },
  };
}

/** The fields that a file needs even with settings, and that it has neither a column nor a value for. */
export function missingFields({ columns, fixed = {} }: Pick<ImportSettings, 'columns' | 'fixed'>): ImportField[] {
  const given = new Set<ImportField | null>([...columns, ...(Object.keys(fixed) as (keyof typeof fixed)[])]);
  const needed: ImportField[] = [];
  if (given.has('response')) {
    if (!given.has('answered_at')) needed.push('starts_at', 'ends_at');
  } else if (columns.some(isAnswer)) {
    needed.push('question', 'starts_at');
    if (given.has('answer_percent')) needed.push('base');
  } else {
    needed.push('question', 'starts_at', 'ends_at');
    if (!given.has('options')) needed.push('option_1', 'option_2');
  }
  return needed.filter((field) => !given.has(field));
}

const isAnswer = (field: ImportField | null) => answerFields.some((answer) => answer === field);

/** The delimiter that splits a first line into the most fields; comma if none does. */
export function delimiterOf(line: string): Delimiter {
  const outsideQuotes = line.replace(/"(?:[^"]|"")*"/g, '');
  const fields = (delimiter: Delimiter) => outsideQuotes.split(delimiter).length;
  return delimiters.reduce((best, delimiter) => (fields(delimiter) > fields(best) ? delimiter : best));
}

function isColumn(name: string): name is ImportColumn {
  return (importColumns as readonly string[]).includes(name);
}

/** The separator that would turn these fields into known columns. */
function otherSeparator(fields: readonly string[]): keyof typeof separatorNames | null {
  const text = fields.join(',').toLowerCase();
  const gain = (separator: string) =>
    text.split(separator).filter((name) => isColumn(name.trim().replace(/^"|"$/g, ''))).length;
  const candidates = Object.keys(separatorNames) as (keyof typeof separatorNames)[];
  return candidates.find((separator) => gain(separator) > Math.max(1, gain(','))) ?? null;
}
