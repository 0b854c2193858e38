import { setTimeout as pause } from 'node:timers/promises';
import type { ImportMode, ImportOrigin, ImportResult } from '#contract/poll-import.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { messageOf, errors } from '#platform/errors.ts';
import { importHistoryTexts as texts } from '#texts/poll-import.ts';
import {
  beat,
  busyImport,
  count,
  endDead,
  endImport,
  insertEnded,
  insertRunning,
  keepImages,
} from './import-record.queries.ts';
import type { PortionOutcome } from './import-report.ts';
import type { Plan } from './poll-plan.ts';

/** Milliseconds without a heartbeat after which an import counts as dead. */
export const importDeadAfterMs = 60_000;
/** Milliseconds that an import waits for another one to end. */
const importWaitMs = 30_000;
/** Characters of a file's name that are stored with its import. */
const importFileName = 200;
/** Characters of the result message that are stored. */
const importMessage = 1_000;

/** Milliseconds between two looks at whether another import is over. */
const lookMs = 50;

/** What the history says about an import from the start. */
export interface ImportHead {
  readonly origin: ImportOrigin;
  readonly fileName: string | null;
  readonly mode: ImportMode;
}

/**
 * Notes one import in the history, and what is needed to take it back. Imports write one after the other: the database
 * has room for one that is busy (handbook decision 020).
 */
export class ImportRecorder {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #head: { started_at: number; origin: ImportOrigin; file_name: string | null; mode: ImportMode };
  #id: number | undefined;

  constructor(db: Database, clock: Clock, { origin, fileName, mode }: ImportHead) {
    this.#db = db;
    this.#clock = clock;
    const name = fileName?.trim().slice(0, importFileName).toWellFormed() ?? null;
    this.#head = { started_at: clock.now(), origin, file_name: name === '' ? null : name, mode };
  }

  /** Waits for the turn to write. Throws CONFLICT when it does not come. */
  async begin(): Promise<void> {
    const until = performance.now() + importWaitMs;
    for (;;) {
      const now = this.#clock.now();
      await endDead(this.#db, { now, deadAfterMs: importDeadAfterMs }, texts.brokenOff);
      this.#id = await insertRunning(this.#db, { ...this.#head, heartbeat_at: now });
      if (this.#id !== undefined) return;
      if (performance.now() > until) {
        const other = await busyImport(this.#db);
        throw errors.conflict(other?.state === 'undoing' ? texts.undoUnfinished : texts.busy);
      }
      await pause(lookMs);
    }
  }

  /** To be called first in the transaction of a portion: it stands only while the import is this one's to write. */
  async confirm(trx: Database): Promise<void> {
    if (this.#id === undefined || !(await beat(trx, { id: this.#id, state: 'running' }, this.#clock.now())))
      throw new Error(texts.overtaken);
  }

  /** Keeps how changed polls were before, in the transaction that changes them. */
  async keep(trx: Database, changes: readonly Extract<Plan, { poll: object }>[], outcome: PortionOutcome) {
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

  /** Ends the record of an import that broke off; what its portions counted stays. */
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
