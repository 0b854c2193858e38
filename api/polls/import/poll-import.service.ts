import type { Archived, PollEvent } from '#api/events/events.ts';
import { record } from '#api/events/record.service.ts';
import type { Protection } from '#contract/vocabulary.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { ImportSettings } from './import-settings.contract.ts';
import type { ImportError, ImportMode, ImportOrigin, ImportResult } from './poll-import.contract.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { heapCollector } from '#platform/heap.ts';
import { watchLists } from '#api/polls/polls.service.ts';
import type { ChangeEvent } from '#api/publishing/publishing.contract.ts';
import { setTopics } from '#api/polls/topics/topics.service.ts';
import { lockBallots } from '#api/voting/ballots.service.ts';
import { insertBallots, totalsOf, updateBallots } from '#api/voting/bulk-ballots.service.ts';
import type { TurnedBallots } from '#api/voting/bulk-ballots.service.ts';
import type { VotingIntake } from '#api/voting/intake.service.ts';
import { lockTotals, moveTotals } from '#api/voting/statistics.service.ts';
import { newestVoteId } from '#api/voting/voting.service.ts';
import { importFileTexts } from '#texts/poll-import.ts';
import { assignedHeader, readHeader } from './csv-file.ts';
import type { ImportHeader } from './csv-file.ts';
import { checkExtension } from './import-file.ts';
import { ImportRecorder } from './import-history.service.ts';
import { FileRefused, refuse } from './import-problem.ts';
import { ImportReport, outcomeOf, refusal } from './import-report.ts';
import type { BatchResult } from './import-report.ts';
import { findDeletedIds, findStoredBallots, hasPolls, insertPolls, updatePolls } from './poll-import.queries.ts';
import { planPoll } from './poll-plan.ts';
import type { Plan } from './poll-plan.ts';
import { readRow } from './poll-row.ts';
import type { StatedPoll } from './poll-row.ts';
import { pollRecords, pollSettings } from './responses.ts';
import { PollQueue } from './poll-queue.ts';

export type { StatedPoll } from './poll-row.ts';
export { findStoredBallots } from './poll-import.queries.ts';
export type { StoredBallot, StoredOption } from './poll-plan.ts';
export { makeHtmlSafe } from './safe-html.ts';
import * as limits from '#contract/limits.ts';

/** Bytes of garbage on the heap that an import may leave before it is collected. */
const importHeapBytes = 40_000_000;
/** The progress of an import: the file is checked first, then the polls are written. */
export type ImportProgress =
  | { readonly phase: 'checking'; readonly bytes: number }
  | { readonly phase: 'writing'; readonly rows: number; readonly of: number };

export interface ImportOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** The bytes of a file; read once, and destroyed when the file is refused. */
  readonly source: AsyncIterable<Uint8Array>;
  /** If set, it must end in .csv, or with `settings` in the name of another format that can be read. */
  readonly fileName?: string;
  /** How to read a file that is not in the specified format. */
  readonly settings?: ImportSettings;
  /** The time zone of dates without an offset, unless `settings` have one; UTC by default. */
  readonly timeZone?: string;
  /** The levels of protection that this site offers; by default all. */
  readonly protections?: readonly Protection[] | undefined;
  /** The file’s name in the history; `fileName` by default. */
  readonly recordedName?: string;
  /** Where the import was requested; by default in a terminal. */
  readonly origin?: ImportOrigin;
  /** Who imports, for the audit log. */
  readonly actor?: string;
  /** Report what would happen and change nothing. */
  readonly dryRun?: boolean;
  /** `partial` (the default) imports the valid rows even if others are invalid. */
  readonly mode?: ImportMode;
  /** Receives the errors of every rejected row. */
  readonly onRejected?: (errors: readonly ImportError[]) => void;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Runs each transaction exclusively within this process; see the voting intake. */
  readonly runExclusive?: VotingIntake['runExclusive'];
  /** The folder for the queue file; by default the system’s temporary folder. */
  readonly queueFolder?: string;
}

/**
 * Imports polls from a file: new ids are inserted, known ones updated, and identical ones skipped; votes cast here
 * stay on top of the imported base. An invalid file and invalid rows are reported in the result; errors of the source
 * or the database are thrown. Requests a site build after a change.
 */
export async function importPolls(options: ImportOptions): Promise<ImportResult> {
  const { db, clock, fileName, dryRun = false, mode = 'partial', origin = 'terminal' } = options;
  const now = clock.now();
  const report = new ImportReport(options.onRejected);
  const name = options.recordedName ?? fileName ?? null;
  const recorder = dryRun
    ? undefined
    : new ImportRecorder(db, clock, { origin, mode, fileName: name, actor: options.actor ?? origin });
  const queue = await PollQueue.create(options.queueFolder);
  try {
    if (fileName !== undefined) checkExtension(fileName, options.settings);
    const pacer = new VotePacer(db);
    await checkFile(options, queue, report, pacer, now);

    const stopsHere = mode === 'all-or-nothing' && report.rejected > 0;
    if (!recorder || stopsHere) await writeBatches(options, queue, report, (polls) => planned(db, polls, now));
    else {
      await recorder.begin();
      if (mode === 'all-or-nothing') await writeAllOrNothing(options, queue, report, now, recorder);
      else
        await writeBatches(options, queue, report, async (polls) => {
          let took = 0;
          const write = async () => {
            const begun = performance.now();
            const outcome = await db.transaction((trx) => writePolls(trx, polls, now, { recorder }));
            took = performance.now() - begun;
            return outcome;
          };
          const outcome = await retried(() => options.runExclusive?.(write) ?? write());
          await pacer.rest(took);
          return outcome;
        });
    }
    if (mode === 'all-or-nothing' && report.rejected > 0) report.undo();
    const result = report.result({ dryRun, mode });
    await recorder?.end(result.rejected > 0 && result.imported + result.unchanged === 0 ? 'refused' : 'done', result);
    return result;
  } catch (error) {
    if (error instanceof FileRefused) {
      const result = refusal(error);
      await recorder?.end('refused', result);
      return result;
    }
    await recorder?.stop(error).catch(() => undefined);
    throw error;
  } finally {
    await queue.close();
  }
}

/**
 * Inserts the demo polls, marked as such, into a database without polls, plus what `also` inserts. Returns their
 * number: 0 if there are polls already. Safe when several processes start at once.
 */
export async function seedDemonstration(
  db: Database,
  clock: Clock,
  polls: readonly StatedPoll[],
  also: (trx: Database) => Promise<void>,
): Promise<number> {
  return db.transaction(async (trx) => {
    // Of several processes that start at once, one continues.
    await lockTotals(trx);
    if (await hasPolls(trx)) return 0;
    const { inserted } = await writePolls(trx, polls, clock.now(), { demonstration: true });
    await also(trx);
    return inserted;
  });
}

/** Reads the whole file: valid rows go to the queue, errors to the report. */
async function checkFile(
  options: ImportOptions,
  queue: PollQueue,
  report: ImportReport,
  pacer: VotePacer,
  now: number,
): Promise<void> {
  const seen = new Map<string, number>();
  let header: ImportHeader | undefined;
  let rows = 0;
  const sweep = heapCollector(importHeapBytes);
  const { settings = null } = options;
  const onBytes = (bytes: number) => options.onProgress?.({ phase: 'checking', bytes });
  for await (const records of pollRecords(options.source, settings, { fileName: options.fileName, onBytes })) {
    const begun = performance.now();
    for (const record of records) {
      if (!header) {
        header = settings ? assignedHeader(record, pollSettings(settings)) : readHeader(record, options.timeZone);
        for (const warning of header.warnings) report.warnings.add(warning);
        continue;
      }
      const row = readRow(record.line, record.fields, header, seen, now, options.protections);
      if (row === null) continue;
      rows += 1;
      if (rows > limits.importRows) throw refuse('too_many_rows', importFileTexts.too_many_rows(limits.importRows));
      if ('errors' in row) {
        report.reject(row.errors);
      } else {
        for (const warning of row.warnings) report.warnings.add(warning);
        await queue.add(row.poll);
      }
    }
    sweep();
    await pacer.rest(performance.now() - begun, 0);
  }
  if (rows === 0) throw refuse('no_rows', importFileTexts.no_rows);
}

async function writeBatches(
  { onProgress }: ImportOptions,
  queue: PollQueue,
  report: ImportReport,
  write: (polls: readonly StatedPoll[]) => Promise<BatchResult>,
): Promise<void> {
  const sweep = heapCollector(importHeapBytes);
  let rows = 0;
  for await (const polls of queue.batches()) {
    report.count(await write(polls));
    sweep();
    rows += polls.length;
    onProgress?.({ phase: 'writing', rows, of: queue.count });
  }
}

/** Rolls back the transaction if a row is invalid; carries the results so far. */
class NothingAccepted extends Error {
  override readonly name = 'NothingAccepted';
}

async function writeAllOrNothing(
  options: ImportOptions,
  queue: PollQueue,
  report: ImportReport,
  now: number,
  recorder: ImportRecorder,
): Promise<void> {
  const outcomes = await retried(async () => {
    const found: BatchResult[] = [];
    await options.db
      .transaction(async (trx) => {
        await recorder.confirm(trx);
        // All locks first and in order: taken batch by batch, they could deadlock with another writer.
        const ids: string[] = [];
        for await (const polls of queue.batches()) ids.push(...polls.map(({ id }) => id));
        await lockBallots(trx, ids);
        const sweep = heapCollector(importHeapBytes);
        let rows = 0;
        for await (const polls of queue.batches()) {
          found.push(await writePolls(trx, polls, now, { recorder }));
          sweep();
          rows += polls.length;
          options.onProgress?.({ phase: 'writing', rows, of: queue.count });
        }
        if (found.some(({ errors }) => errors.length > 0)) throw new NothingAccepted();
      })
      .catch((error: unknown) => {
        if (!(error instanceof NothingAccepted)) throw error;
      });
    return found;
  });
  for (const outcome of outcomes) report.count(outcome);
}

/** The plans for these polls. */
async function planned(db: Database, polls: readonly StatedPoll[], now: number): Promise<BatchResult> {
  return outcomeOf(await plansFor(db, polls, now));
}

async function plansFor(db: Database, polls: readonly StatedPoll[], now: number): Promise<Plan[]> {
  const ids = polls.map(({ id }) => id);
  const stored = await findStoredBallots(db, ids);
  const deleted = await findDeletedIds(db, ids);
  return polls.map((poll) => planPoll(poll, stored.get(poll.id), now, deleted.has(poll.id)));
}

/** Writes polls and all dependent counters in the caller’s transaction. */
async function writePolls(
  trx: Database,
  polls: readonly StatedPoll[],
  now: number,
  { demonstration = false, recorder }: { demonstration?: boolean; recorder?: ImportRecorder } = {},
): Promise<BatchResult> {
  const ids = polls.map(({ id }) => id);
  await recorder?.confirm(trx);
  await lockBallots(trx, ids);
  const plans = await plansFor(trx, polls, now);
  const totals = await totalsOf(trx, ids);
  const changes = plans.filter((plan) => 'poll' in plan);
  const inserts = changes.filter(({ kind }) => kind === 'insert').map(({ poll }) => ({ ...poll, demonstration }));
  const updates = changes.filter(({ kind }) => kind === 'update').map(({ poll }) => poll);
  const recordLists = await watchLists(
    trx,
    changes.flatMap(({ poll, before }) => (before === null ? [poll] : [before, poll])),
  );
  await insertBallots(trx, inserts);
  await insertPolls(trx, inserts);
  const turned = await updateBallots(trx, updates);
  await updatePolls(trx, updates);
  await setTopics(trx, [...inserts, ...updates]);

  const happened = changes.map(({ poll, before }): PollEvent => {
    const isTimed = before?.closedAt != null && poll.closedAt !== before.closedAt;
    const event = isTimed && poll.closedAt !== null ? 'rescheduled' : 'imported';
    return importedEvent(poll, { before, now, turned, event });
  });
  await record(trx, happened);
  await recordLists(now, { many: true });
  const outcome = outcomeOf(plans);
  await recorder?.keep(trx, changes, outcome);
  await moveTotals(trx, totals, await totalsOf(trx, ids));
  return outcome;
}

interface ImportedChange {
  readonly before: Archived | null;
  readonly now: number;
  readonly turned: TurnedBallots;
  /** What is published of one that is created or edited. */
  readonly event: ChangeEvent;
}

/** What an import or an undo does to a poll: creates, closes, reopens, or edits it. */
export function importedEvent(
  poll: Archived & { readonly id: string },
  { before, now, turned, event }: ImportedChange,
): PollEvent {
  const type = turned.closed.has(poll.id) ? 'closed' : turned.reopened.has(poll.id) ? 'reopened' : null;
  return {
    ...{ type: type !== null ? `poll.${type}` : before === null ? 'poll.created' : 'poll.edited', at: now },
    subject: { kind: 'poll', id: poll.id },
    poll: { kind: 'poll', listed: true, moved: [before, poll] },
    publish: { many: true, event: type ?? event },
  };
}

/** Errors of lost races, which a retry resolves: deadlock, serialization, another writer, the same new id. */
const raceCodes = ['40001', '40P01', '23505', 'SQLITE_BUSY'];
const attempts = 6;

/** Runs `attempt` and retries it after lost races. */
export async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let number = 1; ; number += 1) {
    try {
      return await attempt();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (number === attempts || !raceCodes.includes(code)) throw error;
      await pause(Math.random() * 50 * number);
    }
  }
}

/**
 * The pause between two transactions in milliseconds, in which votes waiting for SQLite’s single writer get their turn.
 */
export const votePauseMs = 10;
const maxVotePauseMs = 250;

/**
 * Throttles an import: after each batch it leaves CPU, disk, and writer to votes for as long as the batch took. There
 * is no extra pause if the newest vote, by any process, is unchanged.
 */
class VotePacer {
  readonly #db: Database;
  #newest: number | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Call it after a batch that took `tookMs`, outside any transaction. */
  async rest(tookMs: number, leastMs = votePauseMs): Promise<void> {
    const newest = await newestVoteId(this.#db);
    const busy = newest !== this.#newest;
    this.#newest = newest;
    await pause(busy ? Math.min(maxVotePauseMs, Math.max(leastMs, tookMs)) : leastMs);
  }
}
