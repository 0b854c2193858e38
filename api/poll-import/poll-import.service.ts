import { lockTotals, moveTotals } from '#api/statistics/statistics.service.ts';
import * as limits from '#contract/limits.ts';
import type { ImportMode, ImportOrigin, ImportResult } from '#contract/poll-import.ts';
import { countArchive } from '#api/polls/polls.service.ts';
import { requestBuild } from '#api/publishing/publishing.service.ts';
import type { VotingIntake } from '#api/voting/intake.service.ts';
import type { Clock } from '#platform/clock.ts';
import { beginWriting } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { heapCollector } from '#platform/heap.ts';
import { importBuildReason, importFileTexts } from '#texts/poll-import.ts';
import { ArchiveMoves } from './archive-moves.ts';
import { csvRecords } from './csv-records.ts';
import { readHeader } from './import-header.ts';
import type { ImportHeader } from './import-header.ts';
import { FileRefused, refuse } from './import-problem.ts';
import { ImportRecorder } from './import-recorder.ts';
import { ImportReport, outcomeOf, refusal } from './import-report.ts';
import type { PortionOutcome } from './import-report.ts';
import { findStoredBallots, hasPolls, insertPolls, lockBallots, totalsOf, updatePolls } from './poll-import.queries.ts';
import { planPoll } from './poll-plan.ts';
import { readRow } from './poll-row.ts';
import type { StatedPoll } from './poll-row.ts';

import { Courtesy, retried } from './races.ts';
import { PollSpool } from './spool.ts';
import { decodeText } from './text-decoding.ts';

export type { StatedPoll } from './poll-row.ts';
export { makeHtmlSafe } from './safe-html.ts';

/** Bytes of garbage on the heap that an import may leave before it is collected. */
const importHeapBytes = 40_000_000;
/**
 * Milliseconds that a build requested during an import waits; it counts if the import is killed before its end requests
 * one.
 */
const publishImportMs = 60_000;

/** How far an import is: the file is checked first, then the polls are written. */
export type ImportProgress =
  | { readonly phase: 'checking'; readonly bytes: number }
  | { readonly phase: 'writing'; readonly rows: number; readonly of: number };

export interface ImportOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** The bytes of a CSV file; read once, and destroyed when the file is refused. */
  readonly source: AsyncIterable<Uint8Array>;
  /** Given: it has to end in .csv. */
  readonly fileName?: string;
  /** What the history calls the file; `fileName` unless given. */
  readonly recordedName?: string;
  /** Where the import was asked for; in a terminal unless given. */
  readonly origin?: ImportOrigin;
  /** Say what would happen and change nothing. */
  readonly dryRun?: boolean;
  /** `partial` (the usual one) imports the good rows of a file with bad ones. */
  readonly mode?: ImportMode;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Runs each transaction when whoever else writes in this process lets it; see the voting intake. */
  readonly between?: VotingIntake['runExclusive'];
  /** Where checked rows wait; the system's folder for temporary files unless given. */
  readonly spoolFolder?: string;
}

/**
 * Imports polls from a CSV file: new ids are inserted, known ones updated, equal ones left alone, and votes cast
 * here stay on top of the imported base. A file that is wrong as a whole, and rows that are wrong, come back in
 * the result; what is thrown is a failure of the source or of the database. Requests a site build after a change.
 */
export async function importPolls(options: ImportOptions): Promise<ImportResult> {
  const { db, clock, fileName, dryRun = false, mode = 'partial', origin = 'terminal' } = options;
  const now = clock.now();
  const report = new ImportReport();
  const name = options.recordedName ?? fileName ?? null;
  const recorder = dryRun ? undefined : new ImportRecorder(db, clock, { origin, mode, fileName: name });
  const spool = await PollSpool.create(options.spoolFolder);
  try {
    if (fileName !== undefined && !/\.csv$/i.test(fileName.trim()))
      throw refuse('wrong_extension', importFileTexts.wrong_extension, { value: fileName });
    const courtesy = new Courtesy(db);
    await checkFile(options, spool, report, courtesy, now);

    const stopsHere = mode === 'all-or-nothing' && report.rejected > 0;
    if (!recorder || stopsHere) await writeEachPortion(options, spool, report, (polls) => lookAt(db, polls, now));
    else {
      await recorder.begin();
      if (mode === 'all-or-nothing') await writeAllOrNothing(options, spool, report, now, recorder);
      else
        await writeEachPortion(options, spool, report, async (polls) => {
          let took = 0;
          const write = async () => {
            const begun = performance.now();
            const outcome = await db.transaction(async (trx) => {
              const written = await writePolls(trx, polls, now, { recorder });
              await publishLater(trx, clock, spool, [written]);
              return written;
            });
            took = performance.now() - begun;
            return outcome;
          };
          const outcome = await retried(() => options.between?.(write) ?? write());
          await courtesy.rest(took);
          return outcome;
        });
    }
    if (mode === 'all-or-nothing' && report.rejected > 0) report.undo();
    if (!dryRun && report.changed > 0) await requestBuild(db, clock, importBuildReason(spool.count));
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
    // Portions that were committed before the failure stay, and the site has to show them.
    if (!dryRun && report.changed > 0)
      await requestBuild(db, clock, importBuildReason(spool.count)).catch(() => undefined);
    throw error;
  } finally {
    await spool.close();
  }
}

/**
 * Writes polls that come with the product into a database without any poll, marked as demonstration, and what `also`
 * adds to them. Answers how many were written: 0 when there are polls already. Safe when several processes start at once.
 */
export async function seedDemonstration(
  db: Database,
  clock: Clock,
  polls: readonly StatedPoll[],
  also: (trx: Database) => Promise<void>,
): Promise<number> {
  return db.transaction(async (trx) => {
    // Of several processes that start at once, one goes on.
    await lockTotals(trx);
    if (await hasPolls(trx)) return 0;
    const { inserted } = await writePolls(trx, polls, clock.now(), { demonstration: true });
    await also(trx);
    return inserted;
  });
}

/** Reads the whole file: good rows into the spool, bad ones into the report. */
async function checkFile(
  options: ImportOptions,
  spool: PollSpool,
  report: ImportReport,
  courtesy: Courtesy,
  now: number,
): Promise<void> {
  const seen = new Map<string, number>();
  let header: ImportHeader | undefined;
  let rows = 0;
  const sweep = heapCollector(importHeapBytes);
  const text = decodeText(options.source, (bytes) => options.onProgress?.({ phase: 'checking', bytes }));
  for await (const records of csvRecords(text)) {
    const begun = performance.now();
    for (const record of records) {
      if (!header) {
        header = readHeader(record);
        for (const warning of header.warnings) report.warnings.add(warning);
        continue;
      }
      const row = readRow(record.line, record.fields, header, seen, now);
      if (row === null) continue;
      rows += 1;
      if (rows > limits.importRows) throw refuse('too_many_rows', importFileTexts.too_many_rows(limits.importRows));
      if ('errors' in row) {
        report.reject(row.errors);
      } else {
        for (const warning of row.warnings) report.warnings.add(warning);
        await spool.add(row.poll);
      }
    }
    sweep();
    await courtesy.rest(performance.now() - begun, 0);
  }
  if (rows === 0) throw refuse('no_rows', importFileTexts.no_rows);
}

async function writeEachPortion(
  { onProgress }: ImportOptions,
  spool: PollSpool,
  report: ImportReport,
  write: (polls: readonly StatedPoll[]) => Promise<PortionOutcome>,
): Promise<void> {
  const sweep = heapCollector(importHeapBytes);
  let rows = 0;
  for await (const polls of spool.portions()) {
    report.count(await write(polls));
    sweep();
    rows += polls.length;
    onProgress?.({ phase: 'writing', rows, of: spool.count });
  }
}

/** Leaves the transaction when a row turns out to be wrong; carries what was found until then. */
class NothingAccepted extends Error {
  override readonly name = 'NothingAccepted';
}

async function writeAllOrNothing(
  options: ImportOptions,
  spool: PollSpool,
  report: ImportReport,
  now: number,
  recorder: ImportRecorder,
): Promise<void> {
  const outcomes = await retried(async () => {
    const found: PortionOutcome[] = [];
    await options.db
      .transaction(async (trx) => {
        await beginWriting(trx);
        await recorder.confirm(trx);
        // All locks first and in order: taken portion by portion, they could close a circle with another writer.
        const ids: string[] = [];
        for await (const polls of spool.portions()) ids.push(...polls.map(({ id }) => id));
        await lockBallots(trx, ids);
        const sweep = heapCollector(importHeapBytes);
        let rows = 0;
        for await (const polls of spool.portions()) {
          found.push(await writePolls(trx, polls, now, { recorder }));
          sweep();
          rows += polls.length;
          options.onProgress?.({ phase: 'writing', rows, of: spool.count });
        }
        if (found.some(({ errors }) => errors.length > 0)) throw new NothingAccepted();
        await publishLater(trx, options.clock, spool, found);
      })
      .catch((error: unknown) => {
        if (!(error instanceof NothingAccepted)) throw error;
      });
    return found;
  });
  for (const outcome of outcomes) report.count(outcome);
}

/**
 * Asks for a build in the transaction that changes polls, so that those of an import that is killed are published all the
 * same. The end of the import asks for it sooner.
 */
async function publishLater(
  trx: Database,
  clock: Clock,
  spool: PollSpool,
  outcomes: readonly PortionOutcome[],
): Promise<void> {
  if (outcomes.some(({ inserted, updated }) => inserted + updated > 0))
    await requestBuild(trx, clock, importBuildReason(spool.count), publishImportMs);
}

/** What writing these polls would do. */
async function lookAt(db: Database, polls: readonly StatedPoll[], now: number): Promise<PortionOutcome> {
  const stored = await findStoredBallots(
    db,
    polls.map(({ id }) => id),
  );
  return outcomeOf(polls.map((poll) => planPoll(poll, stored.get(poll.id), now)));
}

/** Writes polls and every counter that depends on them, within the caller's transaction. */
async function writePolls(
  trx: Database,
  polls: readonly StatedPoll[],
  now: number,
  { demonstration = false, recorder }: { demonstration?: boolean; recorder?: ImportRecorder } = {},
): Promise<PortionOutcome> {
  const ids = polls.map(({ id }) => id);
  await beginWriting(trx);
  await recorder?.confirm(trx);
  await lockBallots(trx, ids);
  const stored = await findStoredBallots(trx, ids);
  const totals = await totalsOf(trx, ids);
  const plans = polls.map((poll) => planPoll(poll, stored.get(poll.id), now));
  const changes = plans.filter((plan) => 'poll' in plan);
  const inserts = changes.filter(({ kind }) => kind === 'insert').map(({ poll }) => ({ ...poll, demonstration }));
  const updates = changes.filter(({ kind }) => kind === 'update').map(({ poll }) => poll);
  await insertPolls(trx, inserts);
  await updatePolls(trx, updates);

  const archive = new ArchiveMoves();
  for (const { poll, before } of changes) archive.move(before, poll);
  const outcome = outcomeOf(plans);
  await recorder?.keep(trx, changes, outcome);
  await countArchive(trx, archive.changes);
  await moveTotals(trx, totals, await totalsOf(trx, ids));
  return outcome;
}
