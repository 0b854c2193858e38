import { meansOf, offeredProtections } from '#domain/protection.ts';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { dateFormats, headerLineMost, importFields } from '#api/polls/import/import-settings.contract.ts';
import type {
  DateFormat,
  ImportField,
  ImportPreview,
  ImportSettings,
} from '#api/polls/import/import-settings.contract.ts';
import type { ImportError, ImportResult, ImportWarning } from '#api/polls/import/poll-import.contract.ts';
import { isFileRefused } from '#domain/file-refusal.ts';
import { isTimeZone } from '#contract/schedule.ts';
import { systemClock } from '#platform/clock.ts';
import { ConfigError, readConfig } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { HttpError, messageOf } from '#platform/errors.ts';
import { removeDemonstration } from '#api/admin/demonstration.service.ts';
import { importRecord } from '#api/polls/import/import-history.service.ts';
import { detectedSettings } from '#api/polls/import/import-preview.service.ts';
import { importPolls } from '#api/polls/import/poll-import.service.ts';
import { lastImport, previewUndo, undoImport } from '#api/polls/import/undo.service.ts';
import { importCommandTexts as texts, importHistoryTexts as historyTexts } from '#texts/poll-import.ts';
import { runCommand } from './command-line.ts';
import { phaseBar } from './progress-bar.ts';
import { openInstallation, prepareDatabase } from './prepare.ts';

/** The number of errors, and of warnings, that are printed. */
const maxPrinted = 50;
/** The delay before a progress bar appears, in milliseconds: most imports finish sooner. */
const barDelayMs = 500;

await runCommand({
  help: texts.usage,
  positionals: true,
  options: {
    'dry-run': { type: 'boolean' },
    'all-or-nothing': { type: 'boolean' },
    undo: { type: 'boolean' },
    'discard-edits': { type: 'boolean' },
    'remove-demonstration': { type: 'boolean' },
    columns: { type: 'string' },
    dates: { type: 'string' },
    'time-zone': { type: 'string' },
    'header-line': { type: 'string' },
  },
  async run(values, files) {
    const isUndo = values.undo === true;
    const discardEdits = values['discard-edits'] ?? false;
    if (discardEdits && !isUndo) throw new ConfigError(texts.discardWithoutUndo);
    if (isUndo || values['remove-demonstration'] === true) {
      if (files.length > 0) throw new ConfigError(texts.fileAndUndo);
      const dryRun = values['dry-run'] ?? false;
      if (dryRun && !isUndo) throw new ConfigError(texts.removalDryRun);
      return withDatabase((db) => (isUndo ? undo(db, { dryRun, discardEdits }) : removeDemo(db)));
    }
    const [file] = files;
    if (file === undefined) throw new ConfigError(texts.noFile);
    if (files.length > 1) throw new ConfigError(texts.tooManyFiles(files.length));
    const bytes = await sizeOf(file);
    const given = givenSettings(values);
    const config = readConfig();
    const started = performance.now();
    const bar = phaseBar(texts, barDelayMs);
    const db = openInstallation(config);
    try {
      await prepare(db, config);
      const detected = await detectedSettings({
        read: () => createReadStream(file),
        fileName: basename(file),
        timeZone: config.timeZone,
        ...(given && { settings: given }),
      });
      const isCsv = /\.csv$/i.test(file) && given === undefined;
      if ('refused' in detected && !isCsv) {
        report(detected.refused, (performance.now() - started) / 1000);
        return 1;
      }
      const settings = 'settings' in detected ? detected.settings : null;
      if (settings !== null && 'names' in detected) describe(settings, detected, given?.dateFormat !== undefined);
      const result = await importPolls({
        ...(settings && { settings }),
        db,
        clock: systemClock,
        timeZone: config.timeZone,
        protections: offeredProtections(meansOf(config)),
        source: createReadStream(file),
        dryRun: values['dry-run'] ?? false,
        mode: values['all-or-nothing'] === true ? 'all-or-nothing' : 'partial',
        onProgress: (progress) =>
          progress.phase === 'checking'
            ? bar.show(progress.phase, progress.bytes, bytes)
            : bar.show(progress.phase, progress.rows, progress.of),
        recordedName: basename(file),
        queueFolder: join(config.dataDir, 'uploads'),
      }).catch((error: unknown) => {
        throw new ConfigError(texts.stopped(messageOf(error)));
      });
      bar.end();
      report(result, (performance.now() - started) / 1000);
      return isFileRefused(result) || result.rejected > 0 ? 1 : 0;
    } finally {
      bar.end();
      await db.destroy();
    }
  },
});

/** How the words of the command say that a file is read; undefined if they don’t. */
function givenSettings(
  values: Partial<Record<'columns' | 'dates' | 'time-zone' | 'header-line', string>>,
): Partial<ImportSettings> | undefined {
  const { columns, dates, 'time-zone': timeZone, 'header-line': headerLine } = values;
  const given = {
    ...(columns !== undefined && { columns: columns.split(',').map(fieldNamed) }),
    ...(dates !== undefined && { dateFormat: dateOrderNamed(dates) }),
    ...(timeZone !== undefined && { timeZone }),
    ...(headerLine !== undefined && { headerLine: Number(headerLine) }),
  };
  if (timeZone !== undefined && !isTimeZone(timeZone)) throw new ConfigError(texts.noZone(timeZone));
  const line = given.headerLine ?? 1;
  if (!Number.isInteger(line) || line < 1 || line > headerLineMost)
    throw new ConfigError(texts.noHeaderLine(headerLineMost));
  return Object.keys(given).length === 0 ? undefined : given;
}

function fieldNamed(text: string): ImportField | null {
  const name = text.trim();
  const field = importFields.find((one) => one === name) ?? null;
  if (field === null && name !== '' && name !== '-') throw new ConfigError(texts.noField(name));
  return field;
}

function dateOrderNamed(name: string): DateFormat {
  const format = dateFormats.find((one) => one === name);
  if (format === undefined) throw new ConfigError(texts.noDateOrder(name));
  return format;
}

/** Prints how a file is read. Throws a ConfigError if the order of day and month has to be chosen. */
function describe(
  { columns }: ImportSettings,
  { names, dates }: { readonly names: readonly string[]; readonly dates: ImportPreview['dates'] },
  isOrderGiven: boolean,
): void {
  if (!isOrderGiven && (dates === 'ambiguous' || dates === 'mixed')) throw new ConfigError(texts.unclearDates);
  console.log(`${texts.readAs}\n`);
  for (const [index, name] of names.entries()) console.log(`  ${name.trim()}: ${columns[index] ?? texts.ignored}`);
  console.log();
}

async function prepare(db: Database, config: Config): Promise<void> {
  await prepareDatabase(db, config).catch((error: unknown) => {
    throw error instanceof ConfigError ? error : new ConfigError(texts.databaseFailed(messageOf(error)));
  });
}

async function withDatabase(work: (db: Database) => Promise<number>): Promise<number> {
  const config = readConfig();
  const db = openInstallation(config);
  try {
    await prepare(db, config);
    return await work(db);
  } catch (error) {
    throw error instanceof HttpError ? new ConfigError(error.message) : error;
  } finally {
    await db.destroy();
  }
}

/** Undoes the last import, or prints what that would do. */
async function undo(
  db: Database,
  { dryRun, discardEdits }: { readonly dryRun: boolean; readonly discardEdits: boolean },
): Promise<number> {
  const id = await lastImport(db);
  if (id === undefined) throw new ConfigError(historyTexts.nothingToUndo);
  const { fileName, startedAt } = await importRecord(db, id);
  const preview = await previewUndo(db, id, { discardEdits });
  console.log(texts.undoOf(fileName ?? historyTexts.unnamed, startedAt));
  if (dryRun) console.log(historyTexts.preview(preview));
  else {
    await undoImport({ db, clock: systemClock }, id, { discardEdits });
    const { undo: done } = await importRecord(db, id);
    console.log(historyTexts.undone(done ?? preview));
  }
  for (const [because, count] of [
    ['later', preview.keptLater],
    ['changes', preview.keptChanged],
    ['votes', preview.keptVoted],
  ] as const) {
    const named = preview.kept.filter((poll) => poll.because === because);
    if (named.length > 0) console.log(`\n${texts.kept[because]}`);
    for (const poll of named) console.log(`  ${poll.id}  ${poll.question}`);
    if (count > named.length) console.log(`  ${texts.more(count - named.length)}`);
  }
  return 0;
}

async function removeDemo(db: Database): Promise<number> {
  const { polls, communityPolls, articles } = await removeDemonstration({ db, clock: systemClock }, 'terminal');
  console.log(texts.removedDemonstration(polls, communityPolls, articles));
  return 0;
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: unknown) => {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new ConfigError(missing ? texts.noSuchFile(file) : texts.unreadable(file, messageOf(error)));
  });
  if (found.isDirectory()) throw new ConfigError(texts.isFolder(file));
  return found.size;
}

function report(result: ImportResult, seconds: number): void {
  console.log(result.message);
  if (!isFileRefused(result)) {
    const width = Math.max(
      ...Object.keys(texts.counts).map((key) => result[key as keyof typeof texts.counts]),
    ).toLocaleString('en-US').length;
    console.log();
    for (const key of ['inserted', 'updated', 'unchanged', 'rejected'] as const)
      console.log(`  ${result[key].toLocaleString('en-US').padStart(width)}  ${texts.counts[key]}`);
    console.log(`\n${texts.took(seconds)}`);
  }
  // The message already states a single reason in full.
  if (!isFileRefused(result) || result.errors.length > 1) printTable(texts.errors(result.errors.length), result.errors);
  printTable(texts.warnings(result.warnings.length), result.warnings);
}

function printTable(title: string, problems: readonly (ImportError | ImportWarning)[]): void {
  if (problems.length === 0) return;
  const cells = problems.slice(0, maxPrinted).map(({ line, column, value, reason }) => ({
    line: line === null ? texts.none : String(line),
    column: column ?? texts.none,
    value: value === null || value === '' ? texts.none : value.length > 40 ? `${value.slice(0, 39)}…` : value,
    reason,
  }));
  const widthOf = (key: keyof typeof texts.heads) =>
    Math.max(texts.heads[key].length, ...cells.map((row) => row[key].length));
  const widths = { line: widthOf('line'), column: widthOf('column'), value: widthOf('value') };
  console.log(`\n${title}\n`);
  for (const row of [texts.heads, ...cells]) {
    const start = [row.line.padStart(widths.line), row.column.padEnd(widths.column), row.value.padEnd(widths.value)];
    console.log(`  ${start.join('  ')}  ${row.reason}`);
  }
  if (problems.length > maxPrinted) console.log(`\n  ${texts.more(problems.length - maxPrinted)}`);
}
