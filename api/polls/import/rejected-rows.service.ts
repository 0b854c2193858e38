import type { Protection } from '#contract/vocabulary.ts';
import type { Delimiter, ImportSettings } from './import-settings.contract.ts';
import { isFileRefused } from '#domain/file-refusal.ts';
import { rejectionColumn } from './poll-import.contract.ts';
import type { ImportResult } from './poll-import.contract.ts';
import { csvLine, withFormulaGuard, withoutFormulaGuard } from '#domain/csv.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { assignedHeader, isExported } from './csv-file.ts';
import type { FileRecord } from './csv-file.ts';
import { importPolls } from './poll-import.service.ts';
import { readRow } from './poll-row.ts';
import { pollRecords, pollSettings } from './responses.ts';

/**
 * The rows of a file that an import would reject, as a CSV file with the same columns and one with their errors, so that it
 * can be corrected and imported. Rows without ids get those of the import: on their own they would be numbered from one
 * again. Or the result for a file that is refused as a whole. Changes nothing. The chunks must be
 * read before the file is closed.
 */
export async function rejectedRows(options: {
  readonly db: Database;
  readonly clock: Clock;
  /** Reads the file from its start; called twice. */
  readonly read: () => AsyncIterable<Uint8Array>;
  readonly fileName: string;
  readonly settings?: ImportSettings;
  readonly timeZone?: string;
  readonly queueFolder?: string;
  readonly protections?: readonly Protection[];
}): Promise<{ refused: ImportResult } | { chunks: AsyncIterable<string> }> {
  const { read, settings, ...rest } = options;
  const reasons = new Map<number, string>();
  const result = await importPolls({
    ...rest,
    ...(settings && { settings }),
    source: read(),
    dryRun: true,
    onRejected: (errors) => {
      for (const { line, column, reason } of errors)
        if (line !== null)
          reasons.set(
            line,
            [reasons.get(line), column === null ? reason : `${column}: ${reason}`].filter(Boolean).join(' '),
          );
    },
  });
  return isFileRefused(result) ? { refused: result } : { chunks: linesWith(reasons, read(), settings ?? null, rest) };
}

async function* linesWith(
  reasons: ReadonlyMap<number, string>,
  source: AsyncIterable<Uint8Array>,
  given: ImportSettings | null,
  { clock, fileName }: { readonly clock: Clock; readonly fileName: string },
): AsyncGenerator<string> {
  const settings = given && pollSettings(given);
  const delimiter: Delimiter = settings?.delimiter ?? ',';
  const idAt = settings?.columns.indexOf('id') ?? -1;
  let width = 0;
  let isGuarded = false;
  let generatedId: (record: FileRecord) => string | undefined = () => undefined;
  // Spreadsheets read a file without a byte order mark in the language’s old encoding.
  yield '\uFEFF';
  for await (const records of pollRecords(source, given, { fileName })) {
    let chunk = '';
    for (const record of records) {
      const { line, fields, text } = record;
      const isHeader = width === 0;
      if (isHeader) {
        width = fields?.length ?? 0;
        isGuarded = isExported(fields ?? []);
        if (settings) generatedId = idsOf(record, settings, clock.now());
      }
      const id = isHeader ? 'id' : generatedId(record);
      const reason = isHeader ? rejectionColumn : reasons.get(line);
      if (reason === undefined) continue;
      const own = (fields ?? [text ?? '']).map((field) =>
        withFormulaGuard(isGuarded ? withoutFormulaGuard(field) : field),
      );
      const row = [...own, ...Array<string>(Math.max(0, width - own.length)).fill('')];
      if (settings && idAt === -1) row.push(id ?? '');
      else if (!isHeader && id !== undefined) row[idAt] = id;
      chunk += csvLine([...row, reason], delimiter);
    }
    if (chunk !== '') yield chunk;
  }
}

/** Gives each row of a file, in their order, the id that its import would make for it; undefined for a row with its own. */
function idsOf(header: FileRecord, settings: ImportSettings, now: number): (record: FileRecord) => string | undefined {
  const assigned = assignedHeader(header, settings);
  const seen = new Map<string, number>();
  return ({ line, fields }) => {
    const row = readRow(line, fields, assigned, seen, now);
    if (row === null) return undefined;
    if ('errors' in row) return row.generatedId;
    return row.poll.hasGeneratedId ? row.poll.id : undefined;
  };
}
