import { setTimeout as pause } from 'node:timers/promises';
import { serverLimits } from '#contract/server-limits.ts';
import type { ImportError, ImportMode, ImportResult, ImportWarning } from '#contract/poll-import.ts';
import { countArchive } from '#api/polls/archive.service.ts';
import { requestBuild } from '#api/publishing/publishing.service.ts';
import type { Clock } from '#platform/clock.ts';
import { beginWriting } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { importBuildReason, importFileTexts, importMessages } from '#texts/poll-import.ts';
import { csvRecords } from './csv-records.ts';
import { readHeader } from './import-header.ts';
import type { ImportHeader } from './import-header.ts';
import { FileRefused, ProblemList, refuse } from './import-problem.ts';
import {
  countStatistics,
  findStoredBallots,
  hasPollsExclusively,
  insertPolls,
  lockBallots,
  updatePolls,
} from './poll-import.queries.ts';
import { planPoll } from './poll-plan.ts';
import type { Plan } from './poll-plan.ts';
import { readRow } from './poll-row.ts';
import type { StatedPoll } from './poll-row.ts';

export type { StatedPoll } from './poll-row.ts';
import { PollSpool } from './spool.ts';
import { decodeText } from './text-decoding.ts';

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
  /** Say what would happen and change nothing. */
  readonly dryRun?: boolean;
  /** `partial` (the usual one) imports the good rows of a file with bad ones. */
  readonly mode?: ImportMode;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Where checked rows wait; the system's folder for temporary files unless given. */
  readonly spoolFolder?: string;
}

/**
 * Imports polls from a CSV file: new ids are inserted, known ones updated, equal ones left alone, and votes cast
 * here stay on top of the imported base. A file that is wrong as a whole, and rows that are wrong, come back in
 * the result; what is thrown is a failure of the source or of the database. Requests a site build after a change.
 */
export async function importPolls(options: ImportOptions): Promise<ImportResult> {
  const { db, clock, fileName, dryRun = false, mode = 'partial' } = options;
  const now = clock.now();
  const report = new ImportReport();
  const spool = await PollSpool.create(options.spoolFolder);
  try {
    if (fileName !== undefined && !/\.csv$/i.test(fileName.trim()))
      throw refuse('wrong_extension', importFileTexts.wrong_extension, { value: fileName });
    await checkFile(options, spool, report, now);

    const stopsHere = mode === 'all-or-nothing' && report.rejected > 0;
    if (dryRun || stopsHere) await writeEachPortion(options, spool, report, (polls) => lookAt(db, polls, now));
    else if (mode === 'all-or-nothing') await writeAllOrNothing(options, spool, report, now);
    else
      await writeEachPortion(options, spool, report, async (polls) => {
        const outcome = await retried(() => db.transaction((trx) => writePolls(trx, polls, now)));
        await pause(courtesyMs);
        return outcome;
      });
    if (mode === 'all-or-nothing' && report.rejected > 0) report.undo();
    if (!dryRun && report.changed > 0) await requestBuild(db, clock, importBuildReason(report.changed));
    return report.result({ dryRun, mode });
  } catch (error) {
    if (error instanceof FileRefused) return refusal(error);
    // Portions that were committed before the failure stay, and the site has to show them.
    if (!dryRun && report.changed > 0)
      await requestBuild(db, clock, importBuildReason(report.changed)).catch(() => undefined);
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
    if (await hasPollsExclusively(trx)) return 0;
    const { inserted } = await writePolls(trx, polls, clock.now(), { demonstration: true });
    await also(trx);
    return inserted;
  });
}

/** Milliseconds between two transactions, in which those who wait for SQLite's one writer (votes) get their turn. */
const courtesyMs = 10;

/** Reads the whole file: good rows into the spool, bad ones into the report. */
async function checkFile(options: ImportOptions, spool: PollSpool, report: ImportReport, now: number): Promise<void> {
  const seen = new Map<string, number>();
  let header: ImportHeader | undefined;
  let rows = 0;
  const text = decodeText(options.source, (bytes) => options.onProgress?.({ phase: 'checking', bytes }));
  for await (const records of csvRecords(text)) {
    for (const record of records) {
      if (!header) {
        header = readHeader(record);
        for (const warning of header.warnings) report.warnings.add(warning);
        continue;
      }
      const row = readRow(record.line, record.fields, header, seen, now);
      if (row === null) continue;
      rows += 1;
      if (rows > serverLimits.importRows)
        throw refuse('too_many_rows', importFileTexts.too_many_rows(serverLimits.importRows));
      if ('errors' in row) {
        report.reject(row.errors);
      } else {
        for (const warning of row.warnings) report.warnings.add(warning);
        await spool.add(row.poll);
      }
    }
  }
  if (rows === 0) throw refuse('no_rows', importFileTexts.no_rows);
}

async function writeEachPortion(
  { onProgress }: ImportOptions,
  spool: PollSpool,
  report: ImportReport,
  write: (polls: readonly StatedPoll[]) => Promise<PortionOutcome>,
): Promise<void> {
  let rows = 0;
  for await (const polls of spool.portions()) {
    report.count(await write(polls));
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
): Promise<void> {
  const outcomes = await retried(async () => {
    const found: PortionOutcome[] = [];
    await options.db
      .transaction(async (trx) => {
        await beginWriting(trx);
        // All locks first and in order: taken portion by portion, they could close a circle with another writer.
        const ids: string[] = [];
        for await (const polls of spool.portions()) ids.push(...polls.map(({ id }) => id));
        await lockBallots(trx, ids);
        let rows = 0;
        for await (const polls of spool.portions()) {
          found.push(await writePolls(trx, polls, now));
          rows += polls.length;
          options.onProgress?.({ phase: 'writing', rows, of: spool.count });
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

interface PortionOutcome {
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  /** One for each row that the database's contents forbid. */
  readonly errors: readonly ImportError[];
}

function outcomeOf(plans: readonly Plan[]): PortionOutcome {
  const count = (kind: Plan['kind']) => plans.filter((plan) => plan.kind === kind).length;
  return {
    inserted: count('insert'),
    updated: count('update'),
    unchanged: count('unchanged'),
    errors: plans.flatMap((plan) => (plan.kind === 'reject' ? [plan.error] : [])),
  };
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
  { demonstration = false } = {},
): Promise<PortionOutcome> {
  const ids = polls.map(({ id }) => id);
  await beginWriting(trx);
  await lockBallots(trx, ids);
  const stored = await findStoredBallots(trx, ids);
  const plans = polls.map((poll) => planPoll(poll, stored.get(poll.id), now));
  const changes = plans.filter((plan) => 'poll' in plan);
  const inserts = changes.filter(({ kind }) => kind === 'insert').map(({ poll }) => poll);
  const updates = changes.filter(({ kind }) => kind === 'update').map(({ poll }) => poll);
  await insertPolls(trx, inserts, { demonstration });
  await updatePolls(trx, updates);

  const archive = new Map<string, number>();
  const move = (category: string | null, by: number) =>
    archive.set(category ?? '', (archive.get(category ?? '') ?? 0) + by);
  for (const { poll, before } of changes) {
    if (before !== null && before.closedAt !== null) move(before.category, -1);
    if (poll.closedAt !== null) move(poll.category, 1);
  }
  await countArchive(trx, archive);
  const votes = changes.reduce((sum, { poll }) => sum + poll.baseChange, 0);
  await countStatistics(trx, { votes, polls: inserts.length });
  return outcomeOf(plans);
}

/** Lost races that are won by trying again: deadlock, serialization, another writer, the same new id. */
const raceCodes = ['40001', '40P01', '23505', 'SQLITE_BUSY'];
const attempts = 6;

async function retried<T>(attempt: () => Promise<T>): Promise<T> {
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

/** Adds up what an import finds and does. */
class ImportReport {
  readonly warnings = new ProblemList<ImportWarning>();
  readonly #errors = new ProblemList<ImportError>();
  #inserted = 0;
  #updated = 0;
  #unchanged = 0;
  #rejected = 0;

  get changed(): number {
    return this.#inserted + this.#updated;
  }

  get rejected(): number {
    return this.#rejected;
  }

  reject(errors: readonly ImportError[]): void {
    this.#rejected += 1;
    for (const error of errors) this.#errors.add(error);
  }

  count(outcome: PortionOutcome): void {
    this.#inserted += outcome.inserted;
    this.#updated += outcome.updated;
    this.#unchanged += outcome.unchanged;
    for (const error of outcome.errors) this.reject([error]);
  }

  /** All or nothing, and something was wrong: nothing was accepted. */
  undo(): void {
    this.#inserted = 0;
    this.#updated = 0;
    this.#unchanged = 0;
  }

  result({ dryRun, mode }: { dryRun: boolean; mode: ImportMode }): ImportResult {
    return {
      message: this.#message(dryRun, mode),
      imported: this.changed,
      inserted: this.#inserted,
      updated: this.#updated,
      unchanged: this.#unchanged,
      rejected: this.#rejected,
      errors: this.#errors.inFileOrder(),
      warnings: this.warnings.inFileOrder(),
    };
  }

  #message(dryRun: boolean, mode: ImportMode): string {
    const listed =
      this.#errors.count > serverLimits.importProblemsListed
        ? [importMessages.listed(serverLimits.importProblemsListed)]
        : [];
    if (this.#rejected > 0 && mode === 'all-or-nothing')
      return [importMessages.allOrNothing(this.#rejected), ...listed].join(' ');
    if (this.#rejected > 0 && this.changed + this.#unchanged === 0)
      return [importMessages.nothingAccepted(this.#rejected), ...listed].join(' ');
    const what = dryRun ? importMessages.wouldDo : importMessages.done;
    const rejected = this.#rejected > 0 ? [importMessages.rejected(this.#rejected)] : [];
    return [what(this.#inserted, this.#updated, this.#unchanged), ...rejected, ...listed].join(' ');
  }
}

function refusal({ message, errors }: FileRefused): ImportResult {
  const more = errors.length - 1;
  return {
    message: more > 0 ? importMessages.refusedWithMore(message, more) : importMessages.refused(message),
    ...{ imported: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 },
    errors: [...errors],
    warnings: [],
  };
}
