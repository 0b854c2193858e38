import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import { loadDemonstration } from '#api/admin/demonstration.service.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { runCommandOn } from '#api/testing/empty-places.ts';
import type { CommandAnswer } from '#api/testing/empty-places.ts';
import { runCommandHere } from '#api/testing/run-command.ts';
import { slow } from '#api/testing/slow.ts';
import { dateCell, workbookFile } from '#api/testing/workbook-file.ts';

const fixture = (name: string) => new URL(`../polls/import/fixtures/${name}.csv`, import.meta.url).pathname;
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'weathervane-import-'));
  folders.push(folder);
  return folder;
}

/** Runs the command, which leaves no working files. */
async function runImport(url: string, ...words: string[]): Promise<CommandAnswer> {
  const dataDir = await newFolder();
  const answer = await runCommandHere('import', { url, dataDir }, ...words);
  expect(await readdir(join(dataDir, 'uploads')).catch(() => []), 'working files').toEqual([]);
  return answer;
}

oneDatabase((open) => {
  test('the command imports a file, prints the counts, and exits with 0', async () => {
    const { db, url } = await open();
    const { code, output } = await runCommandOn('import', { url, dataDir: await newFolder() }, fixture('three-polls'));
    expect(output).toContain('Imported 3 polls: 3 new, 0 updated, 0 unchanged.');
    expect(output).toMatch(/ 3 {2}new\n +0 {2}updated\n/);
    expect(code).toBe(0);
    expect(await db('polls')).toHaveLength(3);
  });

  test('a rejected row is printed with line, column, value, and reason, and the command exits with 1', async () => {
    const { db, url } = await open();
    const { code, output } = await runImport(url, fixture('mixed'));
    expect(output).toMatch(/^ +3 {2}options +Yes or no +This is neither a JSON list nor/m);
    expect(output).toMatch(/^ +8 {2}ends_at +2025-02-30 +This isn’t a valid ISO 8601 date/m);
    expect(code).toBe(1);
    expect(await db('polls')).toHaveLength(3);
  });

  test(
    'the command reads the formats of the page: workbooks, other separators and dates, and titles above the columns',
    { timeout: 60_000 },
    async () => {
      const { db, url } = await open();
      const folder = await newFolder();
      const file = async (name: string, content: Buffer | string) => {
        await writeFile(join(folder, name), content);
        return join(folder, name);
      };
      const names = ['Title', 'Answer 1', 'Answer 2', 'Start', 'End'];
      const row = ['How much?', '1', { number: 0.25, format: '0%' }];
      const dates = [dateCell('2026-12-01T00:00:00Z'), dateCell('2026-12-08T00:00:00Z')];
      const book = await runImport(url, await file('a.xlsx', workbookFile([['Polls'], [], names, [...row, ...dates]])));
      expect(book.output).toContain('Title: question\n  Answer 1: option_1');
      expect(book).toMatchObject({ code: 0 });
      expect(await db('ballot_options').pluck('text')).toEqual(['1', '25%']);

      const german = 'Frage;Antwort 1;Antwort 2;Start;Ende\nTee?;Ja;Nein;01.12.2026;02.12.2026';
      const semicolons = await file('b.csv', german);
      const columns = ['--columns', 'question,option_1,option_2,starts_at,ends_at'];
      expect((await runImport(url, semicolons)).output).toContain('The required column “question” is missing');
      expect((await runImport(url, semicolons, ...columns)).complaint).toContain('add --dates month-first');
      const read = [...columns, '--dates', 'day-first', '--time-zone', 'Europe/Berlin'];
      expect(await runImport(url, semicolons, ...read)).toMatchObject({ code: 0 });
      expect(await db('ballots').where({ id: 'tee-2026-12-01' }).first()).toMatchObject({
        starts_at: Date.parse('2026-11-30T23:00:00Z'),
      });

      const text = await runImport(url, await file('c.xlsx', german));
      expect(text.output).toContain('The file is named .xlsx, but it has text');
      expect((await runImport(url, semicolons, '--columns', 'frage')).complaint).toContain('There is no field “frage”');
      expect((await runImport(url, semicolons, '--header-line', '0')).complaint).toContain('from 1 to 30');
      expect(await db('polls')).toHaveLength(2);
    },
  );

  test('a refused file exits with 1 and one reason', async () => {
    const { code, output } = await runImport((await open()).url, fixture('utf-16-without-mark'));
    expect(output).toMatch(/^Nothing was imported\. The file is neither UTF-8 nor UTF-16/);
    expect(code).toBe(1);
  });

  test('--dry-run and --all-or-nothing change nothing when a row is wrong', async () => {
    const { db, url } = await open();
    expect(await runImport(url, fixture('mixed'), '--dry-run')).toMatchObject({ code: 1 });
    expect(await runImport(url, '--all-or-nothing', fixture('mixed'))).toMatchObject({ code: 1 });
    expect(await runImport(url, fixture('three-polls'), '--dry-run')).toMatchObject({ code: 0 });
    expect(await db('polls')).toHaveLength(0);
  });

  test('--undo undoes the newest import that is not undone yet, and prints what it will do and did', slow, async () => {
    const { db, url } = await open();
    expect((await runImport(url, '--undo')).complaint).toContain('There is no import to undo');
    await runImport(url, fixture('three-polls'));
    await runImport(url, fixture('three-polls-changed'));
    const before = await runImport(url, '--undo', '--dry-run');
    expect(before.output).toMatch(/^Import of three-polls-changed\.csv, 20/);
    expect(before.output).toContain('An undo would remove 1 poll and restore 1.');
    expect(await db('polls')).toHaveLength(4);
    const { code, output } = await runImport(url, '--undo');
    expect(output).toContain('The import was undone. Removed 1 poll and restored 1.');
    expect([code, (await db('polls')).length]).toEqual([0, 3]);
    const first = await runImport(url, '--undo');
    expect([first.code, await db('polls')]).toEqual([0, []]);
  });

  test(
    '--undo keeps polls that were edited since and lists them; --discard-edits undoes them as well',
    slow,
    async () => {
      const { db, url } = await open();
      const edited = async () => {
        await runImport(url, fixture('three-polls'));
        await db('polls').where({ id: 'bridge-name' }).increment('updated_at', 1);
      };
      await edited();
      const kept = await runImport(url, '--undo');
      expect(kept.output).toContain('Removed 2 polls, restored 0, and left 1 that were edited since then.');
      expect(kept.output).toMatch(
        /because they were edited after the import \(--discard-edits [^]*\n {2}bridge-name {2}\S/,
      );
      expect(await db('polls').pluck('id')).toEqual(['bridge-name']);
      await db('ballots').del();
      await edited();
      expect((await runImport(url, '--undo', '--discard-edits')).output).toContain('Removed 3 polls and restored 0.');
      expect(await db('polls')).toEqual([]);
      expect((await runImport(url, '--discard-edits', fixture('three-polls'))).complaint).toContain('requires --undo');
    },
  );

  test('--remove-demonstration removes only the demo polls', slow, async () => {
    const { db, url } = await open();
    const count = await loadDemonstration(db, fixedClock(Date.now()));
    await runImport(url, fixture('three-polls'));
    expect((await runImport(url, '--remove-demonstration')).output).toMatch(
      new RegExp(`^Removed ${count} polls and \\d+ community polls that came with the software`),
    );
    expect(await db('polls')).toHaveLength(3);
    expect((await runImport(url, '--remove-demonstration')).output).toContain('There are no demo polls.');
  });

  test('--remove-demonstration with --dry-run is refused and removes nothing', async () => {
    const { db, url } = await open();
    const count = await loadDemonstration(db, fixedClock(Date.now()));
    const { code, output, complaint } = await runImport(url, '--remove-demonstration', '--dry-run');
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(complaint).toBe('--remove-demonstration has no --dry-run: nothing was removed (see --help).\n');
    expect(await db('polls')).toHaveLength(count);
  });
});

test.each([
  ['no file', [], 'Missing file: npm run import -- FILE.csv'],
  ['a file that is not there', ['/nowhere/polls.csv'], 'No such file: /nowhere/polls.csv.'],
  ['a folder', ['/'], '/ is a folder, not a file.'],
  ['a file and an undo', ['--undo', 'polls.csv'], '--undo takes no file'],
  ['two files', ['a.csv', 'b.csv'], 'Only one file can be imported at a time, but 2 were given.'],
])('%s prints an error message without a stack', async (_, words, sentence) => {
  const { code, output, complaint } = await runImport('sqlite::memory:', ...words);
  expect(complaint).toContain(sentence);
  expect(complaint).not.toContain('    at ');
  expect({ code, output }).toEqual({ code: 1, output: '' });
});

test('--help explains the columns', async () => {
  const { code, output } = await runImport('sqlite::memory:', '--help');
  expect(output).toContain('Required columns: id, question');
  expect(code).toBe(0);
});
