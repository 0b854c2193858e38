import type { EntryKey, EntryRow } from './entries.queries.ts';

/** A file of content/ with its text. */
export interface FileText extends EntryKey {
  readonly source: string;
}

/** What loading files would do. */
export interface LoadPlan {
  readonly added: readonly FileText[];
  /** Entries that become what their files say. */
  readonly replaced: readonly { readonly row: EntryRow; readonly source: string }[];
  /** Published articles whose files are gone. */
  readonly dropped: readonly EntryRow[];
  /** Entries that were edited in the browser, and files that were changed, too; null: not any more. */
  readonly offered: readonly { readonly row: EntryRow; readonly newer: string | null }[];
  /** Entries that were edited to what their files now say. */
  readonly agreed: readonly { readonly row: EntryRow; readonly source: string }[];
}

/** Whether nobody has edited an entry in the browser since it was loaded from its file. */
export const isAsFile = ({ source, live, file_source, withdrawn_at }: EntryRow): boolean =>
  file_source !== null && source === file_source && withdrawn_at === null && (live === null || live === file_source);

/**
 * Compares entries with files: an entry that was edited in the browser wins, and its newer file is offered. With `force`
 * the newer file wins; with `isPart` the files are some of many, and an entry without a file stays as it is.
 */
export function planLoad(
  rows: readonly EntryRow[],
  files: readonly FileText[],
  { force = false, isPart = false }: { readonly force?: boolean; readonly isPart?: boolean } = {},
): LoadPlan {
  const left = new Map(rows.map((row) => [keyOf(row), row]));
  const plan = { added: [], replaced: [], dropped: [], offered: [], agreed: [] } as {
    [Part in keyof LoadPlan]: LoadPlan[Part][number][];
  };
  for (const file of files) {
    const row = left.get(keyOf(file));
    left.delete(keyOf(file));
    const { source } = file;
    if (!row) plan.added.push(file);
    else if (source === row.file_source) {
      // The file of an article was gone, and is back.
      if (isAsFile(row) && row.live === null) plan.replaced.push({ row, source });
      else if (row.newer_file !== null) plan.offered.push({ row, newer: null });
    } else if (isAsFile(row) || force) plan.replaced.push({ row, source });
    else if (source === row.source) plan.agreed.push({ row, source });
    else if (source !== row.newer_file) plan.offered.push({ row, newer: source });
  }
  if (isPart) return plan;
  for (const row of left.values())
    if (row.folder === 'blog' && row.live !== null && isAsFile(row)) plan.dropped.push(row);
    else if (row.newer_file !== null) plan.offered.push({ row, newer: null });
  return plan;
}

const keyOf = ({ folder, name }: EntryKey) => `${folder}/${name}`;
