import type { Protection } from '#contract/vocabulary.ts';
import { previewRows } from './import-settings.contract.ts';
import type { DateFormat, Delimiter, ImportField, ImportPreview, ImportSettings } from './import-settings.contract.ts';
import * as limits from '#contract/limits.ts';
import type { ImportResult } from './poll-import.contract.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { importFileTexts } from '#texts/poll-import.ts';
import { assignedHeader, decodeText, delimiterOf, missingFields, readHeader } from './csv-file.ts';
import type { FileRecord, RecordSettings } from './csv-file.ts';
import { dateFields, namedColumns, proposedColumns, shapeOf } from './import-columns.ts';
import { DateOrder } from './import-dates.ts';
import { checkExtension, fileRecords, kindOf, peek } from './import-file.ts';
import { FileRefused, refuse } from './import-problem.ts';
import { refusal } from './import-report.ts';
import { findStoredBallots } from './poll-import.queries.ts';
import { readRow } from './poll-row.ts';
import type { StatedPoll } from './poll-row.ts';
import { pollRecords, pollSettings } from './responses.ts';

/** Values of a column, and characters of each, that a preview shows. */
const samples = 3;
const sampleChars = 60;
/** Records, and characters, at the start of a file in which its header is looked for. */
const headRecords = 10;
const headChars = 100_000;

interface PreviewOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** Reads the file from its start; called several times. */
  readonly read: () => AsyncIterable<Uint8Array>;
  readonly fileName: string;
  /** How to read the file; detected by default, with this time zone. */
  readonly settings?: ImportSettings;
  readonly timeZone?: string;
  /** The levels of protection that this site offers; by default all. */
  readonly protections?: readonly Protection[];
}

/**
 * How a file would be read, with its first rows as they would be imported; changes nothing. All dates of the file are read,
 * because one of them may show the order of day and month. Throws VALIDATION_FAILED with the result of an import for a file
 * that is refused.
 */
export async function previewImport(options: PreviewOptions): Promise<ImportPreview> {
  try {
    return await previewOf(options);
  } catch (error) {
    throw error instanceof FileRefused ? errors.importRefused(refusal(error)) : error;
  }
}

/** How a file is read if nobody is asked, as {@link detectedSettings} finds it. */
interface Detected {
  /** Null: in the specified format, or as a text that lacks its columns, which its import says. */
  readonly settings: ImportSettings | null;
  readonly names: readonly string[];
  readonly dates: ImportPreview['dates'];
}

/**
 * The settings that a preview proposes for a file, with those that are given. Or the result for a file that is refused as
 * a whole.
 */
export async function detectedSettings(
  options: Pick<PreviewOptions, 'read' | 'fileName' | 'timeZone'> & { readonly settings?: Partial<ImportSettings> },
): Promise<Detected | { refused: ImportResult }> {
  try {
    const { settings: given } = options;
    const { kind, header, isFirst, names, settings, missing, order } = await look(options);
    const isPlain = kind === 'csv' && settings.delimiter === ',' && isFirst && given === undefined;
    return {
      settings:
        isPlain && (missing.length > 0 || hasSpecifiedColumns(header))
          ? null
          : { ...settings, ...(given?.columns && { columns: given.columns }) },
      names,
      // Which columns are missing comes first.
      dates: missing.length > 0 ? 'known' : datesOf(order, given?.dateFormat),
    };
  } catch (error) {
    if (error instanceof FileRefused) return { refused: refusal(error) };
    throw error;
  }
}

async function previewOf(options: PreviewOptions): Promise<ImportPreview> {
  checkExtension(options.fileName, {});
  const { kind, header, isFirst, names, settings, missing, first, order } = await look(options);
  return {
    kind,
    isSpecified: kind === 'csv' && settings.delimiter === ',' && isFirst && order.isIso && hasSpecifiedColumns(header),
    shape: shapeOf(names, settings.columns),
    settings,
    dates: datesOf(order, settings.dateFormat),
    columns: names.map((name, index) => ({ name: shortened(name), samples: samplesOf(first, index) })),
    missing,
    ...(missing.length > 0
      ? { rows: [], errors: [], warnings: [] }
      : await firstRows(options, await firstPolls(options, settings, [header, ...first]), settings)),
  };
}

async function look({
  read,
  fileName,
  settings: given,
  timeZone = 'UTC',
}: Pick<PreviewOptions, 'read' | 'fileName' | 'timeZone'> & { readonly settings?: Partial<ImportSettings> }) {
  const { kind, lines } = await headOf(read(), fileName);
  const delimiter = given?.delimiter ?? delimiterIn(lines);
  const top = await firstRecords(read(), { delimiter });
  const headerLine = given?.headerLine ?? headerIn(top)?.line ?? 1;
  const { header, first, order } = await survey(read(), { ...given, delimiter, headerLine });
  const names = header.fields ?? [];
  const settings: ImportSettings = {
    ...{ delimiter, headerLine },
    // Of another delimiter, the columns are not known yet.
    columns: given?.columns?.length === names.length ? given.columns : proposedColumns(names, first),
    // Settings have this format, too, as long as no column with dates is known.
    dateFormat: (given?.dateFormat === 'iso' ? null : given?.dateFormat) ?? order.format ?? 'iso',
    timeZone: given?.timeZone ?? timeZone,
    ...(given?.fixed && { fixed: given.fixed }),
    ...(given?.answers && { answers: given.answers }),
  };
  const isFirst = header.line === top[0]?.line;
  const shape = shapeOf(names, settings.columns);
  const needed: ImportField[] =
    shape === 'responses' && !settings.columns.includes('response') ? ['response'] : missingFields(settings);
  return { kind, header, isFirst, names, settings, missing: needed, first, order };
}

function datesOf({ isMixed, format }: DateOrder, chosen: DateFormat | undefined): ImportPreview['dates'] {
  if (isMixed) return 'mixed';
  if (format === null) return 'ambiguous';
  // ISO dates are read with every format.
  return chosen === undefined || format === 'iso' || format === chosen ? 'known' : 'mismatch';
}

/** Reads a whole file: its header, its first rows, and the order of day and month in its dates. */
async function survey(source: AsyncIterable<Uint8Array>, settings: RecordSettings) {
  const { columns: assigned } = settings;
  const order = new DateOrder();
  const first: FileRecord[] = [];
  let header: FileRecord | undefined;
  let dates: number[] = [];
  let rows = 0;
  for await (const records of fileRecords(source, settings))
    for (const record of records) {
      if (header === undefined) {
        header = record;
        const names = record.fields ?? [];
        const columns = assigned?.length === names.length ? assigned : proposedColumns(names, []);
        dates = dateFields.map((field) => columns.indexOf(field)).filter((index) => index !== -1);
        continue;
      }
      if ((rows += 1) > limits.importRows)
        throw refuse('too_many_rows', importFileTexts.too_many_rows(limits.importRows));
      if (first.length < previewRows) first.push(record);
      for (const index of dates) order.add(record.fields?.[index]?.trim() ?? '');
    }
  if (header?.fields == null)
    throw refuse('unreadable_header', importFileTexts.unreadable_header, { line: header?.line ?? 1 });
  if (rows === 0) throw refuse('no_rows', importFileTexts.no_rows);
  return { header, first, order };
}

/** The kind of a file, and the first lines of a text. */
async function headOf(source: AsyncIterable<Uint8Array>, fileName: string) {
  const { head, whole, close } = await peek(source);
  try {
    const kind = kindOf(head, fileName);
    let text = '';
    if (kind === 'csv')
      for await (const chunk of decodeText(whole)) {
        text += chunk;
        if (text.length > headChars) break;
      }
    return { kind, lines: text.slice(0, headChars).split('\n').slice(0, headRecords) };
  } finally {
    await close();
  }
}

/** The delimiter of the first line that has the names of known columns with it, else of the first one with several fields. */
function delimiterIn(lines: readonly string[]): Delimiter {
  const found = lines.map(delimiterOf);
  const fieldsIn = (line: string, index: number) => line.replaceAll('"', '').split(found[index]!);
  const known = lines.findIndex((line, index) => isHeader(fieldsIn(line, index)));
  const several = lines.findIndex((line, index) => fieldsIn(line, index).length > 1);
  return found[known === -1 ? Math.max(0, several) : known] ?? ',';
}

async function firstRecords(source: AsyncIterable<Uint8Array>, settings: RecordSettings): Promise<FileRecord[]> {
  const found: FileRecord[] = [];
  for await (const records of fileRecords(source, settings)) {
    found.push(...records.slice(0, headRecords - found.length));
    if (found.length === headRecords) break;
  }
  return found;
}

/**
 * The header below the titles of a table: the first record with the names of known columns, else the first one that has
 * values in at least half as many columns as the fullest record.
 */
function headerIn(records: readonly FileRecord[]): FileRecord | undefined {
  const filled = records.map(({ fields }) => fields?.filter((field) => field.trim() !== '').length ?? 0);
  const most = Math.max(...filled);
  return (
    records.find(({ fields }) => fields !== null && isHeader(fields)) ??
    records.find((_, index) => filled[index]! >= Math.max(2, most / 2)) ??
    records[0]
  );
}

/** Whether several of these are names of known columns. */
const isHeader = (fields: readonly string[]) => namedColumns(fields).filter((column) => column !== null).length > 1;

function hasSpecifiedColumns(header: FileRecord): boolean {
  try {
    readHeader(header);
    return true;
  } catch (error) {
    if (error instanceof FileRefused) return false;
    throw error;
  }
}

const shortened = (text: string) =>
  (text.length > sampleChars ? `${text.slice(0, sampleChars)}…` : text).toWellFormed();

const samplesOf = (first: readonly FileRecord[], index: number) =>
  first
    .map(({ fields }) => fields?.[index]?.trim() ?? '')
    .filter((value) => value !== '')
    .slice(0, samples)
    .map(shortened);

/** The header and the first rows; of a file with a row per person, those of its poll. */
async function firstPolls(
  { read, fileName }: Pick<PreviewOptions, 'read' | 'fileName'>,
  settings: ImportSettings,
  first: readonly FileRecord[],
): Promise<readonly FileRecord[]> {
  if (!settings.columns.includes('response')) return first;
  const found: FileRecord[] = [];
  for await (const records of pollRecords(read(), settings, { fileName })) found.push(...records);
  return found;
}

async function firstRows(
  { db, clock, protections }: Pick<PreviewOptions, 'db' | 'clock' | 'protections'>,
  [head, ...first]: readonly FileRecord[],
  settings: ImportSettings,
): Promise<Pick<ImportPreview, 'rows' | 'errors' | 'warnings'>> {
  const header = assignedHeader(head!, pollSettings(settings));
  const seen = new Map<string, number>();
  const read = first.flatMap(({ line, fields }) => {
    const row = readRow(line, fields, header, seen, clock.now(), protections);
    return row === null ? [] : [{ line, row }];
  });
  const polls = read.flatMap(({ row }) => ('poll' in row ? [row.poll.id] : []));
  const stored = await findStoredBallots(db, polls);
  return {
    rows: read.map(({ line, row }) => ({
      line,
      poll: 'poll' in row ? presentRow(row.poll, stored.has(row.poll.id)) : null,
    })),
    errors: read.flatMap(({ row }) => ('errors' in row ? row.errors : [])),
    warnings: read.flatMap(({ row }) => ('warnings' in row ? row.warnings : [])),
  };
}

const presentRow = (poll: StatedPoll, exists: boolean) => ({
  id: poll.id,
  question: poll.question,
  description: poll.description ?? '',
  options: poll.options.map(({ text }) => text),
  votes: poll.options.some(({ votes }) => votes === undefined) ? null : poll.options.map(({ votes }) => votes!),
  startsAt: iso(poll.startsAt),
  endsAt: iso(poll.endsAt),
  category: poll.category ?? null,
  exists,
});
