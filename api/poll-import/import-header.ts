import { importColumns, requiredImportColumns } from '#contract/poll-import.ts';
import type { ImportColumn, ImportWarning } from '#contract/poll-import.ts';
import { importFileTexts, importWarningTexts, separatorNames } from '#texts/poll-import.ts';
import { FileRefused, fileError, refuse, warning } from './import-problem.ts';
import type { CsvRecord } from './csv-records.ts';

/** Which field of a row belongs to which column. */
export interface ImportHeader {
  readonly width: number;
  readonly positions: ReadonlyMap<ImportColumn, number>;
  readonly warnings: readonly ImportWarning[];
}

/**
 * Reads the first record of a file: names in any order and letter case. Throws a FileRefused when a required
 * column is missing (all of them are named), one appears twice, or the fields are not separated by commas.
 */
export function readHeader({ line, fields }: CsvRecord): ImportHeader {
  if (!fields) throw refuse('unreadable_header', importFileTexts.unreadable_header, { line });
  // UTF-16 without its mark is valid UTF-8 with a NUL in every second place.
  if (fields.some((field) => field.includes('\0'))) throw refuse('encoding', importFileTexts.encoding);
  if (fields.some((field) => field.includes('\r'))) throw refuse('line_ends', importFileTexts.line_ends, { line });

  const names = fields.map((field) => field.trim().toLowerCase());
  const positions = new Map<ImportColumn, number>();
  const warnings: ImportWarning[] = [];
  const twice = new Set<ImportColumn>();
  for (const [index, name] of names.entries()) {
    if (!isColumn(name)) {
      const shownName = fields[index]?.trim() ?? '';
      if (name !== '')
        warnings.push(warning(line, shownName, null, 'unknown_column', importWarningTexts.unknown_column));
    } else if (positions.has(name)) twice.add(name);
    else positions.set(name, index);
  }

  const missing = requiredImportColumns.filter((column) => !positions.has(column));
  if (missing.length > 0) {
    const separator = otherSeparator(fields);
    if (separator)
      throw refuse('wrong_separator', importFileTexts.wrong_separator(separatorNames[separator]), { line });
  }
  const errors = [
    ...missing.map((column) => fileError('missing_column', importFileTexts.missing_column(column), { line, column })),
    ...[...twice].map((column) =>
      fileError('duplicate_column', importFileTexts.duplicate_column(column), { line, column }),
    ),
  ];
  const [first, ...more] = errors;
  if (first) throw new FileRefused([first, ...more]);
  return { width: fields.length, positions, warnings };
}

function isColumn(name: string): name is ImportColumn {
  return (importColumns as readonly string[]).includes(name);
}

/** The separator that would make known columns out of these fields. */
function otherSeparator(fields: readonly string[]): keyof typeof separatorNames | null {
  const text = fields.join(',').toLowerCase();
  const gain = (separator: string) =>
    text.split(separator).filter((name) => isColumn(name.trim().replace(/^"|"$/g, ''))).length;
  const candidates = Object.keys(separatorNames) as (keyof typeof separatorNames)[];
  return candidates.find((separator) => gain(separator) > Math.max(1, gain(','))) ?? null;
}
