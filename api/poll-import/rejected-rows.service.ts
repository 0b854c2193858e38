import type { Delimiter, ImportSettings } from '#contract/import-settings.ts';
import { isFileRefused, rejectionColumn } from '#contract/poll-import.ts';
import type { ImportResult } from '#contract/poll-import.ts';
import { csvLine, withFormulaGuard, withoutFormulaGuard } from '#domain/csv.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { fileRecords } from './import-file.ts';
import { importPolls } from './poll-import.service.ts';

/**
 * The rows of a file that an import would reject, as a CSV file with the same columns and one with their errors, so that it
 * can be corrected and imported; or the result for a file that is refused as a whole. Changes nothing. The chunks must be
 * read before the file is closed.
 */
export async function rejectedRows(options: {
  readonly db: Database;
  readonly clock: Clock;
  /** Reads the file from its start; called twice. */
  readonly read: () => AsyncIterable<Uint8Array>;
  readonly fileName: string;
  readonly settings?: ImportSettings;
  readonly spoolFolder?: string;
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
  return isFileRefused(result) ? { refused: result } : { chunks: linesWith(reasons, read(), settings ?? null) };
}

async function* linesWith(
  reasons: ReadonlyMap<number, string>,
  source: AsyncIterable<Uint8Array>,
  settings: ImportSettings | null,
): AsyncGenerator<string> {
  const delimiter: Delimiter = settings?.delimiter ?? ',';
  let width = 0;
  // Spreadsheets read a file without a byte order mark in the language’s old encoding.
  yield '\uFEFF';
  for await (const records of fileRecords(source, settings)) {
    let chunk = '';
    for (const { line, fields, text } of records) {
      const isHeader = width === 0;
      if (isHeader) width = fields?.length ?? 0;
      const reason = isHeader ? rejectionColumn : reasons.get(line);
      if (reason === undefined) continue;
      const own = (fields ?? [text ?? '']).map((field) => withFormulaGuard(withoutFormulaGuard(field)));
      const gap = Array<string>(Math.max(0, width - own.length)).fill('');
      chunk += csvLine([...own, ...gap, reason], delimiter);
    }
    if (chunk !== '') yield chunk;
  }
}
