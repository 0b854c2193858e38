import { previewRows } from '#contract/import-settings.ts';
import type { DateFormat, Delimiter, ImportPreview, ImportSettings } from '#contract/import-settings.ts';
import * as limits from '#contract/limits.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { importFileTexts } from '#texts/poll-import.ts';
import { assignedHeader, decodeText, delimiterOf, missingFields, readHeader } from './csv-file.ts';
import type { FileRecord, ImportHeader } from './csv-file.ts';
import { proposedColumns } from './import-columns.ts';
import { DateOrder } from './import-dates.ts';
import { checkExtension, fileRecords, peek } from './import-file.ts';
import { FileRefused, refuse } from './import-problem.ts';
import { refusal } from './import-report.ts';
import { findStoredBallots } from './poll-import.queries.ts';
import { readRow } from './poll-row.ts';
import type { StatedPoll } from './poll-row.ts';
import { isWorkbook } from './workbook.ts';

/** Values of a column, and characters of each, that a preview shows. */
const samples = 3;
const sampleChars = 60;
/** Characters in which the first line must end. */
const firstLineChars = 100_000;
/** Fields with dates. */
const dateFields = ['created_at', 'starts_at', 'ends_at', 'closed_at', 'updated_at'] as const;

interface PreviewOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** Reads the file from its start; called twice. */
  readonly read: () => AsyncIterable<Uint8Array>;
  readonly fileName: string;
  /** How to read the file; detected by default, with this time zone. */
  readonly settings?: ImportSettings;
  readonly timeZone?: string;
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

async function previewOf(options: PreviewOptions): Promise<ImportPreview> {
  const { read, fileName, settings: given, timeZone = 'UTC' } = options;
  checkExtension(fileName, {});
  const { head, whole } = await peek(read());
  const kind = isWorkbook(head) ? 'xlsx' : 'csv';
  const delimiter = given?.delimiter ?? (kind === 'csv' ? delimiterOf(await firstLine(whole)) : ',');
  const { header, first, order } = await survey(read(), delimiter, given?.columns);
  const names = header.fields ?? [];
  const settings: ImportSettings = {
    delimiter,
    // Of another delimiter, the columns are not known yet.
    columns: given?.columns.length === names.length ? given.columns : proposedColumns(names),
    // Settings have this format, too, as long as no column with dates is known.
    dateFormat: (given?.dateFormat === 'iso' ? null : given?.dateFormat) ?? order.format ?? 'iso',
    timeZone: given?.timeZone ?? timeZone,
  };
  const missing = missingFields(settings.columns);
  return {
    kind,
    isSpecified: kind === 'csv' && delimiter === ',' && order.isIso && hasSpecifiedColumns(header),
    settings,
    dates: datesOf(order, settings.dateFormat),
    columns: names.map((name, index) => ({ name: shortened(name), samples: samplesOf(first, index) })),
    missing,
    ...(missing.length > 0
      ? { rows: [], errors: [], warnings: [] }
      : await firstRows(options, first, assignedHeader(header, settings))),
  };
}

function datesOf({ isMixed, format }: DateOrder, chosen: DateFormat | undefined): ImportPreview['dates'] {
  if (isMixed) return 'mixed';
  if (format === null) return 'ambiguous';
  // ISO dates are read with every format.
  return chosen === undefined || format === 'iso' || format === chosen ? 'known' : 'mismatch';
}

/** Reads a whole file: its first line, its first rows, and the order of day and month in its dates. */
async function survey(source: AsyncIterable<Uint8Array>, delimiter: Delimiter, assigned?: ImportSettings['columns']) {
  const order = new DateOrder();
  const first: FileRecord[] = [];
  let header: FileRecord | undefined;
  let dates: number[] = [];
  let rows = 0;
  for await (const records of fileRecords(source, { delimiter }))
    for (const record of records) {
      if (header === undefined) {
        header = record;
        const names = record.fields ?? [];
        const columns = assigned?.length === names.length ? assigned : proposedColumns(names);
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

async function firstLine(file: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of decodeText(file)) {
    text += chunk;
    if (text.includes('\n') || text.length > firstLineChars) break;
  }
  return text.split('\n', 1)[0] ?? '';
}

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

async function firstRows(
  { db, clock }: Pick<PreviewOptions, 'db' | 'clock'>,
  first: readonly FileRecord[],
  header: ImportHeader,
): Promise<Pick<ImportPreview, 'rows' | 'errors' | 'warnings'>> {
  const seen = new Map<string, number>();
  const read = first.flatMap(({ line, fields }) => {
    const row = readRow(line, fields, header, seen, clock.now());
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
  startsAt: iso(poll.startsAt),
  endsAt: iso(poll.endsAt),
  category: poll.category ?? null,
  exists,
});
