import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { isFileRefused } from '#domain/file-refusal.ts';
import { importFileCodes } from '#api/polls/import/poll-import.contract.ts';
import type { ImportMode, ImportResult } from '#api/polls/import/poll-import.contract.ts';

// A collection of CSV files with a manifest of expected results. It is next to a developer’s checkout and not part of
// the repository; our own fixtures test the same rules.
/** The folder of the collection. */
export const importData = new URL('../../../shared/data/', import.meta.url);
const cases = new URL('import-cases/', importData);
/** Whether the collection exists. */
export const casesPresent = existsSync(new URL('manifest.json', cases));

interface Problem {
  readonly line?: number | null;
  readonly column?: string | null;
  readonly reason: string;
}

/** The expected result of a file. */
export interface Outcome {
  readonly file_accepted: boolean;
  readonly accepted: number;
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly file_error?: string;
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly checks?: readonly { readonly id: string; readonly field: string; readonly equals: unknown }[];
  readonly alternatives?: readonly Outcome[];
}

/** One file that is imported. */
export interface Step {
  readonly file?: string;
  readonly generate?: { readonly script: string; readonly args: readonly string[]; readonly sha256: string };
  readonly mode?: ImportMode;
  readonly dryRun?: boolean;
  readonly errors_shown?: string;
  readonly expect: Outcome;
}

/** Files that are imported one after another into a database without polls. */
export interface Case {
  readonly name: string;
  readonly outcome: string;
  readonly applies_to?: readonly string[];
  readonly steps: readonly Step[];
}

/** Changes of cases by what was decided after the collection was made. */
const decidedSince: Readonly<Record<string, Partial<Outcome>>> = {
  // Composed and decomposed letters are the same option.
  unicode: {
    ...{ accepted: 4, inserted: 4, rejected: 1 },
    errors: [{ line: 6, column: 'options', reason: 'duplicate_option' }],
  },
};

/** Every case. */
export const importCases: readonly Case[] = casesPresent
  ? (JSON.parse(readFileSync(new URL('manifest.json', cases), 'utf8')) as { cases: Case[] }).cases.map((one) => ({
      ...one,
      steps: one.steps.map((step) => ({ ...step, expect: { ...step.expect, ...decidedSince[one.name] } })),
    }))
  : [];

/** Whether python3 generates a file of the case. */
export const isMade = ({ steps }: Case) => steps.some(({ generate }) => generate !== undefined);
export const hasPython = casesPresent && spawnSync('python3', ['--version']).status === 0;

const run = promisify(execFile);
const bigFiles = new Map<string, Buffer>();

/** The bytes of a step’s file. */
export async function bytesOf({ file, generate }: Step): Promise<Buffer> {
  if (file !== undefined) return readFile(new URL(file, cases));
  if (!generate) throw new Error('A step names a file or a script.');
  const key = generate.args.join(' ');
  const known = bigFiles.get(key);
  if (known) return known;
  const script = new URL(generate.script, cases).pathname;
  const made = await run('python3', [script, ...generate.args], { encoding: 'buffer', maxBuffer: 64 << 20 });
  if (createHash('sha256').update(made.stdout).digest('hex') !== generate.sha256)
    throw new Error(`${generate.script} did not write what the manifest says.`);
  bigFiles.set(key, made.stdout);
  return made.stdout;
}

/** The manifest’s name for a code; only one of ours has another name. */
const reasonOf = (code: string) => (code === 'unreadable_header' ? 'csv_syntax' : code);
const place = ({ line, column, reason }: Problem) => `${line ?? '-'} ${column ?? '-'} ${reason}`;
const told = (problem: ImportResult['errors' | 'warnings'][number]) =>
  place({ ...problem, reason: reasonOf(problem.code) });

/** The differences between a result and the expected one; empty if there are none. */
export function differencesFrom(step: Step, result: ImportResult): readonly string[] {
  const outcomes = [step.expect, ...(step.expect.alternatives ?? [])];
  const verdicts = outcomes.map((outcome) => differences(result, outcome, step.errors_shown !== undefined));
  return verdicts.find((verdict) => verdict.length === 0) ?? verdicts[0] ?? [];
}

function differences(result: ImportResult, wanted: Outcome, shownOnly: boolean): string[] {
  const wrong: string[] = [];
  const compare = (name: string, found: unknown, value: unknown) => {
    if (found !== value) wrong.push(`${name} is ${String(found)}, not ${String(value)}`);
  };
  compare('file_accepted', !isFileRefused(result), wanted.file_accepted);
  compare('accepted', result.inserted + result.updated + result.unchanged, wanted.accepted);
  for (const count of ['inserted', 'updated', 'unchanged', 'rejected'] as const)
    compare(count, result[count], wanted[count]);
  const fileCode = result.errors.find(({ code }) => (importFileCodes as readonly string[]).includes(code))?.code;
  compare('file_error', fileCode === undefined ? undefined : reasonOf(fileCode), wanted.file_error);

  const found = result.errors.map(told);
  for (const problem of wanted.errors) if (!found.includes(place(problem))) wrong.push(`no error "${place(problem)}"`);
  if (wanted.file_accepted && !shownOnly) {
    const lines = [...new Set(result.errors.map(({ line }) => line))];
    compare('lines with errors', lines.join(), [...new Set(wanted.errors.map(({ line }) => line))].join());
  }
  for (const { line, column, reason } of wanted.warnings) {
    const met = result.warnings.some(
      (one) =>
        one.code === reason &&
        (line === undefined || one.line === line) &&
        (column === undefined || one.column === column),
    );
    if (!met) wrong.push(`no warning "${reason}"`);
  }
  return wrong;
}
