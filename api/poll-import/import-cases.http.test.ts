import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { importFileCodes, isFileRefused } from '#contract/poll-import.ts';
import type { ImportMode, ImportResult } from '#contract/poll-import.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { pollFor } from '#api/polls/polls.service.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { testNow } from '#api/testing/test-app.ts';
import { importPolls } from './poll-import.service.ts';

// A collection of CSV files with a manifest that says what must happen to each. It lies beside a developer's
// checkout and is no part of the repository; the same rules are tested on our own fixtures next door.
const data = new URL('../../../shared/data/', import.meta.url);
const cases = new URL('import-cases/', data);
const present = existsSync(new URL('manifest.json', cases));

interface Problem {
  readonly line?: number | null;
  readonly column?: string | null;
  readonly reason: string;
}

interface Outcome {
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

interface Step {
  readonly file?: string;
  readonly generate?: { readonly script: string; readonly args: readonly string[]; readonly sha256: string };
  readonly mode?: ImportMode;
  readonly dryRun?: boolean;
  readonly errors_shown?: string;
  readonly expect: Outcome;
}

interface Case {
  readonly name: string;
  readonly outcome: string;
  readonly applies_to?: readonly string[];
  readonly steps: readonly Step[];
}

const manifest: readonly Case[] = present
  ? (JSON.parse(readFileSync(new URL('manifest.json', cases), 'utf8')) as { cases: Case[] }).cases
  : [];

const isBig = ({ steps }: Case) => steps.some(({ generate }) => generate !== undefined);
const hasPython = present && spawnSync('python3', ['--version']).status === 0;

const clock = fixedClock(testNow);
const run = promisify(execFile);
const bigFiles = new Map<string, Buffer>();

async function bytesOf({ file, generate }: Step): Promise<Buffer> {
  if (file !== undefined) return readFile(new URL(file, cases));
  if (!generate) throw new Error('A step names a file or a script.');
  const key = generate.args.join(' ');
  const known = bigFiles.get(key);
  if (known) return known;
  const script = new URL(generate.script, cases).pathname;
  const made = await run('python3', [script, ...generate.args], { encoding: 'buffer', maxBuffer: 64 << 20 });
  expect(createHash('sha256').update(made.stdout).digest('hex')).toBe(generate.sha256);
  bigFiles.set(key, made.stdout);
  return made.stdout;
}

function sourceOf(bytes: Buffer): Readable {
  return Readable.from(
    (function* () {
      for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536);
    })(),
  );
}

/** The manifest's word for a code: theirs is a class of reasons, and only one of ours has another name. */
const reasonOf = (code: string) => (code === 'unreadable_header' ? 'csv_syntax' : code);
const place = ({ line, column, reason }: Problem) => `${line ?? '-'} ${column ?? '-'} ${reason}`;
const told = (problem: ImportResult['errors' | 'warnings'][number]) =>
  place({ ...problem, reason: reasonOf(problem.code) });

/** Why a result is not this outcome; empty when it is. */
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

async function expectStored(db: Database, { checks = [] }: Outcome): Promise<void> {
  for (const { id, field, equals } of checks) {
    const poll = await pollFor({ db, clock }, id, null);
    expect(poll[field as keyof typeof poll], `${field} of ${id}`).toEqual(equals);
  }
}

/** Takes every step of a case and compares what happened with what must happen. */
async function follow(db: Database, { steps, applies_to }: Case): Promise<void> {
  for (const step of steps) {
    const result = await importPolls({
      db,
      clock,
      source: sourceOf(await bytesOf(step)),
      ...(step.mode && { mode: step.mode }),
      ...(step.dryRun !== undefined && { dryRun: step.dryRun }),
      ...(applies_to?.includes('upload') && step.file !== undefined && { fileName: step.file }),
    });
    const shownOnly = step.errors_shown !== undefined;
    const outcomes = [step.expect, ...(step.expect.alternatives ?? [])];
    const verdicts = outcomes.map((outcome) => differences(result, outcome, shownOnly));
    if (!verdicts.some((verdict) => verdict.length === 0)) expect(verdicts[0], result.message).toEqual([]);
    await expectStored(db, step.expect);
    for (const { value } of [...result.errors, ...result.warnings]) expect((value ?? '').length).toBeLessThan(100);
  }
  await expectExactCounters(db);
}

eachDatabase((open) => {
  describe.skipIf(!present)('the import cases beside this checkout', () => {
    test.each(manifest.filter((one) => !isBig(one)))('$name: $outcome', async (one) => {
      const { db } = await open();
      await follow(db, one);
    });

    test.skipIf(!hasPython).each(manifest.filter(isBig))(
      '$name (made by python3): $outcome',
      { timeout: 120_000 },
      async (one) => {
        const { db } = await open();
        await follow(db, one);
      },
    );

    test.each([
      ['real-polls.csv', 262],
      ['active-polls.csv', 10],
    ])('%s is imported in full, and a second time it changes nothing', async (name, count) => {
      const { db } = await open();
      const bytes = await readFile(new URL(name, data));
      const none = { rejected: 0, errors: [], warnings: [] };
      expect(await importPolls({ db, clock, source: sourceOf(bytes) })).toMatchObject({ inserted: count, ...none });
      expect(await importPolls({ db, clock, source: sourceOf(bytes) })).toMatchObject({
        ...{ inserted: 0, updated: 0, unchanged: count, ...none },
      });
      await expectExactCounters(db);
    });

    test('strings that trip other programs are stored as they are, or rejected by name', async () => {
      const { db } = await open();
      const strings = JSON.parse(await readFile(new URL('naughty-strings.json', data), 'utf8')) as string[];
      const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
      const header = 'id,question,description,options,is_active,created_at,starts_at,ends_at';
      const rows = strings.map((text, index) => {
        const options = JSON.stringify(
          [text.trim() || '-', 'Other'].map((one, id) => ({ id: `o${id}`, text: one, votes: id })),
        );
        return [`n${index}`, text, 'x', options, 'no', '2024-01-01', '2024-01-01', '2024-02-01'].map(quoted).join(',');
      });
      const source = () => sourceOf(Buffer.from([header, ...rows].join('\n')));
      const { inserted, errors } = await importPolls({ db, clock, source: source() });
      expect(inserted).toBeGreaterThan(490);
      expect(errors.map(({ code }) => code).filter((code) => !['required', 'invalid_text'].includes(code))).toEqual([]);
      const stored = await db('polls')
        .join('ballot_options', { 'ballot_options.ballot_id': 'polls.id', 'ballot_options.position': db.raw('0') })
        .select<{ id: string; question: string; text: string }[]>('polls.id', 'question', 'text');
      for (const { id, question, text } of stored) {
        const stated = strings[Number(id.slice(1))]?.trim().replace(/\r\n?/g, '\n');
        expect([question, text], id).toEqual([stated, stated]);
      }
      expect(await importPolls({ db, clock, source: source() })).toMatchObject({ imported: 0, unchanged: inserted });
    });
  });
});
