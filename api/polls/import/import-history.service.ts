import { setTimeout as pause } from 'node:timers/promises';
import { record } from '#api/events/record.service.ts';
import { undoDays } from './poll-import.contract.ts';
import type { ImportHistory, ImportMode, ImportOrigin, ImportRecord, ImportResult } from './poll-import.contract.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors, messageOf } from '#platform/errors.ts';
import { importHistoryTexts as texts } from '#texts/poll-import.ts';
import {
  recordHeartbeat,
  busyImport,
  count,
  dropOldImages,
  endStaleImports,
  endImport,
  findImport,
  importsPage,
  insertEnded,
  insertRunning,
  keepImages,
} from './import-history.queries.ts';
import type { ImportRow } from './import-history.queries.ts';
import type { BatchResult } from './import-report.ts';
import type { Plan } from './poll-plan.ts';
import { undoableIds } from './undo.queries.ts';

/** Milliseconds without a heartbeat after which an import counts as dead. */
export const importDeadAfterMs = 60_000;
/** Milliseconds that an import waits for another one to end. */
const importWaitMs = 30_000;
/** Characters of a file’s name that are stored with its import. */
const importFileName = 200;
/** Characters of the result message that are stored. */
const importMessage = 1_000;
/** Imports on one page of the operator’s list. */
const importsListed = 5;

const dayMs = 86_400_000;

/** The interval for checking whether another import has finished, in milliseconds. */
const lookMs = 50;

/** What the history records at the start of an import. */
interface ImportHead {
  readonly origin: ImportOrigin;
  readonly fileName: string | null;
  readonly mode: ImportMode;
  /** Who imports, for the audit log. */
  readonly actor: string;
}

/**
 * Records one import in the history, with what is needed to undo it. Imports are written one at a time: the database
 * allows one busy import (handbook decision 020).
 */
export class ImportRecorder {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #head: { started_at: number; origin: ImportOrigin; file_name: string | null; mode: ImportMode };
  readonly #actor: string;
  #id: number | undefined;

  constructor(db: Database, clock: Clock, { origin, fileName, mode, actor }: ImportHead) {
    this.#db = db;
    this.#clock = clock;
    this.#actor = actor;
    const name = fileName?.trim().slice(0, importFileName).toWellFormed() ?? null;
    this.#head = { started_at: clock.now(), origin, file_name: name === '' ? null : name, mode };
  }

  /** Waits until no other import is busy. Throws CONFLICT after a time limit. */
  async begin(): Promise<void> {
    const until = performance.now() + importWaitMs;
    for (;;) {
      const now = this.#clock.now();
      await endStaleImports(this.#db, { now, deadAfterMs: importDeadAfterMs }, texts.brokenOff);
      this.#id = await this.#db.transaction(async (trx) => {
        const id = await insertRunning(trx, { ...this.#head, heartbeat_at: now });
        if (id === undefined) return undefined;
        await dropOldImages(trx, now - undoDays * dayMs);
        await this.#recordRun(trx, id, now);
        return id;
      });
      if (this.#id !== undefined) return;
      if (performance.now() > until) {
        const other = await busyImport(this.#db);
        throw errors.conflict(other?.state === 'undoing' ? texts.undoUnfinished : texts.busy);
      }
      await pause(lookMs);
    }
  }

  async #recordRun(trx: Database, id: number, at: number): Promise<void> {
    const { file_name: fileName, mode } = this.#head;
    const subject = { kind: 'import', id: String(id) };
    await record(trx, { at, actor: this.#actor, type: 'import.run', subject, after: { fileName, mode } });
  }

  /** Call it first in the transaction of each batch; it throws if the import is no longer this process’s. */
  async confirm(trx: Database): Promise<void> {
    if (this.#id === undefined || !(await recordHeartbeat(trx, { id: this.#id, state: 'running' }, this.#clock.now())))
      throw new Error(texts.overtaken);
  }

  /** Stores the previous states of changed polls, in the transaction that changes them. */
  async keep(trx: Database, changes: readonly Extract<Plan, { poll: object }>[], outcome: BatchResult) {
    if (this.#id === undefined) return;
    await keepImages(
      trx,
      this.#id,
      changes.map(({ poll, before }) => {
        const image = before === null ? null : JSON.stringify(before);
        const { description, summary, analysis, methodologyNotes: notes } = poll;
        const long = [image, description, summary, analysis, notes];
        const size = long.reduce((sum, text) => sum + (text?.length ?? 0), 0);
        return { poll_id: poll.id, before: image, size, updated_at: poll.updatedAt };
      }),
    );
    const { inserted, updated, unchanged, errors: rejected } = outcome;
    await count(trx, this.#id, { inserted, updated, unchanged, rejected: rejected.length });
  }

  /** Ends the record with the import's result. */
  async end(state: 'done' | 'refused', result: ImportResult): Promise<void> {
    const { inserted, updated, unchanged, rejected } = result;
    const message = result.message.slice(0, importMessage).toWellFormed();
    await this.#end({ state, message, inserted, updated, unchanged, rejected });
  }

  /** Ends the record of a failed import; its batches stay counted. */
  async stop(error: unknown): Promise<void> {
    const message = texts.failed(messageOf(error)).slice(0, importMessage).toWellFormed();
    await this.#end({ state: 'stopped', message });
  }

  async #end(end: Parameters<typeof endImport>[2]): Promise<void> {
    const finished_at = this.#clock.now();
    if (this.#id !== undefined) await endImport(this.#db, this.#id, { ...end, finished_at });
    else await insertEnded(this.#db, { ...this.#head, ...end, heartbeat_at: finished_at, finished_at });
  }
}

/** One page of imports, newest first; a page past the end is empty. */
export async function importHistory(db: Database, page: number): Promise<ImportHistory> {
  const limit = importsListed;
  const { rows, total } = await importsPage(db, { limit, offset: (page - 1) * limit });
  const undoable = await undoableIds(
    db,
    rows.map(({ id }) => id),
  );
  return {
    imports: rows.map((row) => presentImport(row, undoable.includes(row.id))),
    page,
    pages: Math.max(1, Math.ceil(total / limit)),
    total,
  };
}

/** One import; throws NOT_FOUND. */
export async function importRecord(db: Database, id: number): Promise<ImportRecord> {
  const row = await findImport(db, id);
  if (!row) throw errors.noSuchImport(texts.noSuchImport);
  return presentImport(row, (await undoableIds(db, [id])).length > 0);
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
          ...{ removed, restored, keptVoted: row.kept_voted, keptChanged: row.kept_changed, keptLater: row.kept_later },
        }
      : null,
  };
}
