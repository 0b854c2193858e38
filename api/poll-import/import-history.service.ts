import type { ImportHistory, ImportRecord } from '#contract/poll-import.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { importHistoryTexts as texts } from '#texts/poll-import.ts';
import { findImport, importsPage } from './import-record.queries.ts';
import type { ImportRow } from './import-record.queries.ts';
import { undoableId } from './undo.queries.ts';

/** Imports on one page of the operator's list. */
const importsListed = 5;

/** One page of imports, newest first; a page past the end is empty. */
export async function importHistory(db: Database, page: number): Promise<ImportHistory> {
  const limit = importsListed;
  const { rows, total } = await importsPage(db, { limit, offset: (page - 1) * limit });
  const undoable = await undoableId(db);
  return {
    imports: rows.map((row) => presentImport(row, row.id === undoable)),
    last: undoable === undefined ? null : await importRecord(db, undoable),
    page,
    pages: Math.max(1, Math.ceil(total / limit)),
    total,
  };
}

/** One import; throws NOT_FOUND. */
export async function importRecord(db: Database, id: number): Promise<ImportRecord> {
  const row = await findImport(db, id);
  if (!row) throw errors.noSuchRelease(texts.noSuchImport);
  return presentImport(row, row.id === (await undoableId(db)));
}

function presentImport(row: ImportRow, undoable: boolean): ImportRecord {
  const { inserted, updated, unchanged, rejected, removed, restored } = row;
  const isTakenBack = row.state === 'undoing' || row.state === 'undone';
  return {
    id: String(row.id),
    startedAt: iso(row.started_at),
    finishedAt: isoOrNull(row.finished_at),
    origin: row.origin,
    fileName: row.file_name,
    mode: row.mode,
    state: row.state,
    message: row.message,
    ...{ inserted, updated, unchanged, rejected, undoable },
    undo: isTakenBack
      ? {
          undoneAt: isoOrNull(row.undone_at),
          ...{ removed, restored, keptVoted: row.kept_voted, keptChanged: row.kept_changed },
        }
      : null,
  };
}
