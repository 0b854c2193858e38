import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createReadStream } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isFileRefused } from '#domain/file-refusal.ts';
import { importColumns, importResultSchema } from './poll-import.contract.ts';
import type { ImportColumn, ImportResult } from './poll-import.contract.ts';
import type { Poll } from '#api/polls/polls.contract.ts';
import { fixedClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { importProblemsListed } from './import-problem.ts';
import { forgetPages, waitingPages } from '#api/testing/changes.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { importPolls } from './poll-import.service.ts';
import type { ImportOptions } from './poll-import.service.ts';
import { undoImport } from './undo.service.ts';

const clock = fixedClock(testNow);
const fixture = (name: string) => createReadStream(new URL(`fixtures/${name}.csv`, import.meta.url));

type Row = Partial<Record<ImportColumn, string>>;
const usual: Row = {
  question: 'Tea or coffee?',
  description: 'Asked for the tests of the import.',
  is_active: 'true',
  created_at: '2026-11-01',
  starts_at: '2026-11-01',
  ends_at: '2026-12-24',
};
const votes = (...counts: number[]) =>
  JSON.stringify(counts.map((count, index) => ({ id: `o${index + 1}`, text: `Answer ${index + 1}`, votes: count })));

/** A file with these rows; missing values have defaults. */
function csv(rows: readonly Row[]): Readable {
  const all = rows.map((row, index) => ({ id: `poll-${index + 1}`, options: votes(3, 2, 1), ...usual, ...row }));
  const columns = importColumns.filter((column) => all.some((row) => row[column] !== undefined));
  const quoted = (value = '') => `"${value.replaceAll('"', '""')}"`;
  const lines = all.map((row) => columns.map((column) => quoted(row[column])).join(','));
  return Readable.from([Buffer.from([columns.join(','), ...lines, ''].join('\n'))]);
}

function importInto(db: Database, source: Readable, more: Partial<ImportOptions> = {}): Promise<ImportResult> {
  return importPolls({ db, clock, source, ...more });
}

const countsOf = ({ inserted, updated, unchanged, rejected }: ImportResult) => [inserted, updated, unchanged, rejected];

async function contentsOf(db: Database) {
  return {
    ballots: await db('ballots').orderBy('id'),
    options: await db('ballot_options').orderBy(['ballot_id', 'position']),
    polls: await db('polls').orderBy('id'),
    statistics: await db('statistics').orderBy('shard'),
    archive: await db('archive_categories').orderBy('category'),
    changes: await waitingPages(db),
  };
}

/** The API on this database, to vote and read as a visitor. */
async function site(db: Database) {
  const app = await startTestApp(db, { clock });
  let visitors = 0;
  return {
    app,
    vote: async (id: string, optionId: string): Promise<number> => {
      visitors += 1;
      const response = await app.fetch(`/api/polls/${id}/vote`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-device-id': `device_${String(visitors).padStart(20, '0')}`,
          origin: 'http://localhost:3000',
        },
        body: JSON.stringify({ optionId }),
      });
      await response.arrayBuffer();
      return response.status;
    },
    poll: async (id: string): Promise<Poll> => {
      const response = await app.fetch(`/api/polls/${id}`);
      expect(response.status).toBe(200);
      return (await response.json()) as Poll;
    },
  };
}

eachDatabase((open, _engine, once) => {
  describe('a good file', () => {
    test('[S2.48 S3.2 S5.14 D9.7 D9.12] is imported with every column and shown unchanged', async () => {
      const { db } = await open();
      expect(await importInto(db, fixture('every-column'))).toEqual({
        message: 'Imported 1 poll: 1 new, 0 updated, 0 unchanged.',
        ...{ imported: 1, inserted: 1, updated: 0, unchanged: 0, rejected: 0, errors: [], groups: [], warnings: [] },
      });
      const { app, poll } = await site(db);
      expect(await poll('window-seat')).toEqual({
        id: 'window-seat',
        origin: 'imported',
        question: 'Window or aisle?',
        description: 'Asked for the tests of the import.',
        options: [
          { id: 'a1', text: 'Yes', votes: 30 },
          { id: 'a2', text: 'No', votes: 12 },
          { id: 'a3', text: 'Only on Mondays', votes: 8 },
        ],
        totalVotes: 50,
        hasVoted: false,
        userVote: null,
        isActive: false,
        createdAt: '2025-05-01T08:00:00.000Z',
        startsAt: '2025-05-01T08:00:00.000Z',
        endsAt: '2025-05-15T08:00:00.000Z',
        updatedAt: '2025-06-01T00:00:00.000Z',
        closedAt: '2025-05-10T16:30:00.000Z',
        category: 'Travel',
        tags: ['trains'],
        author: 'The desk',
        summary: 'The window wins.',
        analysis: '<h3>Why</h3><p>The <em>view</em>.</p>',
        methodologyNotes: 'Invented.',
        countryBreakdown: [
          { name: 'Portugal', percentage: 62.5 },
          { name: 'Japan', percentage: 37.5 },
        ],
      });
      await app.close();
      await expectExactCounters(db);
    });

    test('what it states of imported answers is stored, kept by files without these columns, and restored by an undo', async () => {
      const { db } = await open();
      const stated = { source: 'The bureau', sample: '1,091 adults', link: 'https://bureau.example/1' };
      const load = async (row: Row) => countsOf(await importInto(db, csv([row])));
      expect(await load({ ...stated, series_note: 'By telephone' })).toEqual([1, 0, 0, 0]);
      expect(await load({ ...stated, series_note: 'By telephone' })).toEqual([0, 0, 1, 0]);
      expect(await load({})).toEqual([0, 0, 1, 0]);
      const { app, poll } = await site(db);
      expect((await poll('poll-1')).provenance).toEqual(stated);
      expect(await load({ source: '', mode: 'Online' })).toEqual([0, 1, 0, 0]);
      expect((await poll('poll-1')).provenance).toEqual({ sample: stated.sample, mode: 'Online', link: stated.link });
      const { id } = await db('poll_imports').max('id as id').first<{ id: number }>();
      await undoImport({ db, clock }, id);
      expect((await poll('poll-1')).provenance).toEqual(stated);
      expect(await db('polls').first('series_note')).toEqual({ series_note: 'By telephone' });
      await app.close();
    });

    test('[D9.7] changes nothing when it is imported a second time', async () => {
      const { db } = await open();
      expect(countsOf(await importInto(db, fixture('three-polls')))).toEqual([3, 0, 0, 0]);
      const before = await contentsOf(db);
      const again = await importInto(db, fixture('three-polls'));
      expect(again).toMatchObject({ message: 'Nothing changed: 3 polls already matched the file.', imported: 0 });
      expect(countsOf(again)).toEqual([0, 0, 3, 0]);
      expect(await contentsOf(db)).toEqual(before);
    });

    test('[D9.7] updates changed polls and adds new ones', async () => {
      const { db } = await open();
      await importInto(db, fixture('three-polls'));
      expect(await importInto(db, fixture('three-polls-changed'))).toMatchObject({
        ...{ imported: 2, inserted: 1, updated: 1, unchanged: 2, rejected: 0 },
      });
      expect(await db('polls').where({ id: 'bridge-name' }).first()).toMatchObject({
        question: 'Should the new bridge be named after a river?',
        updated_at: testNow,
      });
      await expectExactCounters(db);
    });

    once.each(['crlf-and-mark', 'utf-16-le', 'utf-16-be'])('[D9.5] may be written as %s', async (name) => {
      const { db } = await open();
      expect(await importInto(db, fixture(name))).toMatchObject({ rejected: 0, errors: [], warnings: [] });
      const question =
        name === 'crlf-and-mark' ? 'Does the kettle go on before the coat comes off?' : 'Любите ли вы снег? 雪は？';
      const [stored] = await db('polls').select('question', 'tags');
      expect(stored).toMatchObject({ question, tags: expect.not.stringContaining('\\r') as string });
    });

    once('records the polls whose pages change, or nothing if none does', async () => {
      const { db } = await open();
      await importInto(db, fixture('three-polls'), { dryRun: true });
      expect(await waitingPages(db)).toHaveLength(0);
      await importInto(db, fixture('three-polls'));
      const polls = await db('polls').orderBy('id').pluck('id');
      expect(await waitingPages(db).where({ kind: 'poll' }).orderBy('key').pluck('key')).toEqual(polls);
      await forgetPages(db);
      await importInto(db, fixture('three-polls'));
      expect(await waitingPages(db)).toHaveLength(0);
    });

    once('reports its progress', async () => {
      const { db } = await open();
      const seen: string[] = [];
      await importInto(db, fixture('three-polls'), {
        onProgress: (progress) =>
          seen.push(progress.phase === 'checking' ? 'checking' : `writing ${progress.rows} of ${progress.of}`),
      });
      expect(seen).toEqual(['checking', 'writing 3 of 3']);
    });
  });

  describe('a file with wrong rows', () => {
    once('[D9.9] reports each with line, column, value, and reason, and imports the others', async () => {
      const { db } = await open();
      const result = await importInto(db, fixture('mixed'));
      expect(countsOf(result)).toEqual([3, 0, 0, 3]);
      expect(result.errors.map(({ line, column, value, code, reason }) => [line, column, value, code, reason])).toEqual(
        [
          [3, 'options', 'Yes or no', 'invalid_json', expect.stringMatching(/^This is neither a JSON list nor /)],
          [8, 'question', '', 'required', 'This value is required but empty.'],
          [
            8,
            'ends_at',
            '2025-02-30',
            'invalid_date',
            expect.stringMatching(/^This isn’t a valid ISO 8601 date, .*[.]$/),
          ],
          [9, 'id', 'mixed-1', 'duplicate_id', 'The same id is already used in line 2; the first one counts.'],
        ],
      );
      expect(result.message).toBe('Imported 3 polls: 3 new, 0 updated, 0 unchanged. 3 rows rejected.');
      expect(await db('polls').orderBy('id').pluck('id')).toEqual(['mixed-1', 'mixed-3', 'mixed-5']);
      expect(await db('polls').where({ id: 'mixed-3' }).first()).toMatchObject({
        description: 'With a "quote",\na comma and\nthree lines.',
      });
      await expectExactCounters(db);
    });

    once('[D9.10] imports nothing in all-or-nothing mode', async () => {
      const { db } = await open();
      const before = await contentsOf(db);
      const result = await importInto(db, fixture('mixed'), { mode: 'all-or-nothing' });
      expect(countsOf(result)).toEqual([0, 0, 0, 3]);
      expect(result.errors).toHaveLength(4);
      expect(result.message).toMatch(/^Nothing was imported because 3 rows were rejected/);
      expect(await contentsOf(db)).toEqual(before);
    });

    once('[D9.11] is only checked in a dry run, which reports what would happen', async () => {
      const { db } = await open();
      await importInto(db, fixture('three-polls'));
      const before = await contentsOf(db);
      const result = await importInto(db, fixture('three-polls-changed'), { dryRun: true });
      expect(countsOf(result)).toEqual([1, 1, 2, 0]);
      expect(result.message).toMatch(/^Dry run: nothing was changed/);
      expect(countsOf(await importInto(db, fixture('mixed'), { dryRun: true }))).toEqual([3, 0, 0, 3]);
      expect(await contentsOf(db)).toEqual(before);
    });

    once('leaves an existing poll unchanged if its row is wrong', async () => {
      const { db } = await open();
      await importInto(db, csv([{ id: 'kept' }]));
      const before = await contentsOf(db);
      const result = await importInto(db, csv([{ id: 'kept', question: 'Changed?', options: votes(-1, 2) }]));
      expect(result.errors).toMatchObject([{ line: 2, column: 'options', code: 'negative_votes' }]);
      expect(await contentsOf(db)).toEqual(before);
    });

    once('loses only the row with broken quotes', async () => {
      const { db } = await open();
      const stray = await importInto(db, fixture('stray-quote'));
      expect(countsOf(stray)).toEqual([2, 0, 0, 2]);
      expect(stray.errors).toMatchObject([
        { line: 3, column: null, code: 'csv_syntax' },
        { line: 4, column: null, code: 'csv_syntax' },
      ]);
      const openQuote = await importInto(db, fixture('open-quote'));
      expect(countsOf(openQuote)).toEqual([1, 0, 0, 1]);
      expect(openQuote.errors).toMatchObject([{ line: 4, column: null, code: 'csv_syntax' }]);
    });
  });

  describe('a refused file', () => {
    once.each([
      ['wrong-byte-at-the-end', 'encoding'],
      ['utf-16-without-mark', 'encoding'],
      ['semicolons', 'wrong_separator'],
    ])('%s: %s, and nothing is imported', async (name, code) => {
      const { db } = await open();
      const before = await contentsOf(db);
      const result = await importInto(db, fixture(name));
      expect(result).toMatchObject({ imported: 0, rejected: 0, errors: [{ code }] });
      expect(isFileRefused(result)).toBe(true);
      expect(await contentsOf(db)).toEqual(before);
    });

    once('[D9.6] has more rows than an import accepts', async () => {
      const { db } = await open();
      const rows = (count: number) => {
        function* bytes() {
          yield Buffer.from('id,question,description,options,is_active,created_at,starts_at,ends_at\n');
          for (let left = count; left > 0; left -= 1_000) yield Buffer.from('p,x\n'.repeat(Math.min(left, 1_000)));
        }
        return Readable.from(bytes());
      };
      const source = rows(50_001);
      expect(await importInto(db, source)).toMatchObject({ rejected: 0, errors: [{ code: 'too_many_rows' }] });
      expect(source.destroyed).toBe(true);
      expect(await importInto(db, rows(50_000))).toMatchObject({ rejected: 50_000 });
    });

    once('[S5.13] has a name that does not end in .csv', async () => {
      const { db } = await open();
      expect(await importInto(db, fixture('three-polls'), { fileName: 'polls.xlsx' })).toMatchObject({
        message: 'Nothing was imported. The file name doesn’t end in .csv. Please select a CSV file.',
        errors: [{ code: 'wrong_extension', value: 'polls.xlsx' }],
      });
      expect(await importInto(db, fixture('three-polls'), { fileName: 'POLLS.CSV' })).toMatchObject({ inserted: 3 });
    });

    once('fails while it is read: the error is reported, and nothing is imported', async () => {
      const { db } = await open();
      async function* broken() {
        yield* fixture('three-polls');
        throw new Error('the line went dead');
      }
      await expect(importInto(db, Readable.from(broken()))).rejects.toThrow('the line went dead');
      expect(await db('polls')).toHaveLength(0);
    });
  });

  once('a file of 12,000 wrong rows is counted in full and listed up to a limit', async () => {
    const { db } = await open();
    const count = importProblemsListed + 2_000;
    const result = await importInto(db, csv(Array.from({ length: count }, () => ({ ends_at: 'never' }))));
    expect(result.rejected).toBe(count);
    expect(result.errors).toHaveLength(importProblemsListed);
    expect(result.message).toContain('The first 10,000 errors are listed.');
  });

  once('no temporary file is left behind', async () => {
    const { db } = await open();
    const queueFolder = await mkdtemp(join(tmpdir(), 'weathervane-queue-'));
    await importInto(db, fixture('three-polls'), { queueFolder });
    await importInto(db, fixture('wrong-byte-at-the-end'), { queueFolder });
    expect(await readdir(queueFolder)).toEqual([]);
    await rm(queueFolder, { recursive: true });
  });

  describe('votes cast on the site', () => {
    test('[D9.8] stay added to the imported counts, whatever the next file contains', async () => {
      const { db } = await open();
      await importInto(db, csv([{ id: 'drinks' }]));
      const { app, vote, poll } = await site(db);
      for (const option of ['o1', 'o1', 'o2', 'o3']) expect(await vote('drinks', option)).toBe(200);
      expect(countsOf(await importInto(db, csv([{ id: 'drinks' }])))).toEqual([0, 0, 1, 0]);
      expect(countsOf(await importInto(db, csv([{ id: 'drinks', options: votes(1, 20, 1) }])))).toEqual([0, 1, 0, 0]);
      const { options, totalVotes } = await poll('drinks');
      expect(options.map((option) => option.votes)).toEqual([1 + 2, 20 + 1, 1 + 1]);
      expect(totalVotes).toBe(26);
      await app.close();
      await expectExactCounters(db);
    });

    once('stay with their option if a file reorders the options', async () => {
      const { db } = await open();
      const list = (...ids: string[]) => JSON.stringify(ids.map((id) => ({ id, text: `Option ${id}`, votes: 0 })));
      await importInto(db, csv([{ id: 'order', options: list('a', 'b', 'c', 'd') }]));
      const { app, vote, poll } = await site(db);
      expect(await vote('order', 'a')).toBe(200);
      expect(await vote('order', 'd')).toBe(400);
      await importInto(db, csv([{ id: 'order', options: list('d', 'c', 'e', 'b', 'a') }]));
      expect((await poll('order')).options.map(({ id, votes: count }) => `${id} ${count}`)).toEqual([
        ...['d 0', 'c 0', 'e 0', 'b 0', 'a 1'],
      ]);
      expect(await vote('order', 'd')).toBe(200);
      expect(await vote('order', 'a')).toBe(400);
      await app.close();
      await expectExactCounters(db);
    });

    once('keep a file from removing their option; the row is rejected and the poll stays', async () => {
      const { db } = await open();
      await importInto(db, csv([{ id: 'three' }, { id: 'other' }]));
      const { app, vote } = await site(db);
      expect(await vote('three', 'o3')).toBe(200);
      const fewer = [
        { id: 'other', options: votes(3, 2) },
        { id: 'three', options: votes(3, 2) },
      ];
      const before = await contentsOf(db);
      const wanted = { line: 3, column: 'options', value: 'o3', code: 'option_has_votes' };
      expect(await importInto(db, csv(fewer), { dryRun: true })).toMatchObject({ updated: 1, errors: [wanted] });
      expect(await importInto(db, csv(fewer), { mode: 'all-or-nothing' })).toMatchObject({
        ...{ updated: 0, rejected: 1, errors: [wanted] },
      });
      expect(await contentsOf(db)).toEqual(before);
      expect(await importInto(db, csv(fewer))).toMatchObject({ updated: 1, rejected: 1, errors: [wanted] });
      await app.close();
      await expectExactCounters(db);
    });

    test('[D9.8] are not lost and not counted twice while files with other counts are imported', async () => {
      const { db } = await open();
      const polls = (by: number) =>
        csv(Array.from({ length: 40 }, (_, index) => ({ id: `busy-${index}`, options: votes(by, 2 * by, index) })));
      await importInto(db, polls(0));
      const { app, vote } = await site(db);
      const voting = Array.from({ length: 240 }, (_, index) => vote(`busy-${index % 40}`, `o${(index % 3) + 1}`));
      for (let by = 1; by <= 6; by += 1) await importInto(db, polls(by));
      expect(new Set(await Promise.all(voting))).toEqual(new Set([200]));
      await app.close();
      expect(await db('votes')).toHaveLength(240);
      await expectExactCounters(db);
      const total = await db('ballots').sum({ votes: 'total_votes' }).first<{ votes: number | string }>();
      expect(Number(total.votes)).toBe(40 * 18 + (39 * 40) / 2 + 240);
    });
  });

  describe('life cycle and archive', () => {
    once('importing an unchanged file later changes nothing, also after the site got another time zone', async () => {
      const { db } = await open();
      const rows: Row[] = [
        { id: 'one-day', starts_at: '2026-11-12', ends_at: '2026-11-12' },
        { id: 'closed-early', closed_at: '2026-11-05' },
        { id: 'closed-at-ten', starts_at: '2026-11-02T10:00', ends_at: '2026-11-09T10:00' },
        { id: 'switched-off', is_active: 'no' },
        { id: 'running' },
      ];
      expect(countsOf(await importInto(db, csv(rows)))).toEqual([5, 0, 0, 0]);
      const before = await contentsOf(db);
      const later = { clock: fixedClock(testNow + 7_200_000), timeZone: 'America/New_York' };
      expect(countsOf(await importInto(db, csv(rows), later))).toEqual([0, 0, 5, 0]);
      expect(await contentsOf(db)).toEqual(before);
    });

    test('[D3.5] closed polls appear in the archive of their category, but open and upcoming ones don’t', async () => {
      const { db } = await open();
      await importInto(
        db,
        csv([
          { id: 'ended', ends_at: '2026-11-10', category: 'Health' },
          { id: 'closed-early', closed_at: '2026-11-05', category: 'Health' },
          { id: 'switched-off', is_active: 'no', category: '' },
          { id: 'running', category: 'Health' },
          { id: 'upcoming', starts_at: '2026-12-01', category: 'Science' },
        ]),
      );
      expect(await db('archive_categories').orderBy('category')).toEqual([
        { category: '', closed_polls: 1 },
        { category: 'Health', closed_polls: 2 },
      ]);
      const { app, vote, poll } = await site(db);
      expect(await poll('ended')).toMatchObject({ isActive: false, closedAt: '2026-11-10T23:59:00.000Z' });
      expect(await poll('closed-early')).toMatchObject({ isActive: false, closedAt: '2026-11-05T23:59:00.000Z' });
      expect(await poll('switched-off')).toMatchObject({ isActive: false, closedAt: new Date(testNow).toISOString() });
      expect(await poll('running')).toMatchObject({ isActive: true, closedAt: null });
      expect([await vote('running', 'o1'), await vote('upcoming', 'o1'), await vote('ended', 'o1')]).toEqual([
        ...[200, 404, 409],
      ]);
      const { totalPolls } = (await (await app.fetch('/api/statistics')).json()) as { totalPolls: number };
      expect(totalPolls).toBe(4);
      await app.close();
      await expectExactCounters(db);
    });

    test('the archive is updated when a poll changes its category or is reopened', async () => {
      const { db } = await open();
      const row = { id: 'moving', is_active: 'false', category: 'Health' };
      await importInto(db, csv([row, { ...row, id: 'staying' }]));
      await importInto(db, csv([{ ...row, category: 'Science' }]));
      await expectExactCounters(db);
      await importInto(db, csv([{ ...row, category: 'Science', is_active: 'true' }]));
      await expectExactCounters(db);
      expect(await db('archive_categories').where('closed_polls', '>', 0)).toEqual([
        { category: 'Health', closed_polls: 1 },
      ]);
    });

    once('the id of a community poll is not overwritten', async () => {
      const { db } = await open();
      await db('ballots').insert({ id: 'members-own', kind: 'community', starts_at: testNow });
      const result = await importInto(db, csv([{ id: 'members-own' }, { id: 'free' }]));
      expect(result).toMatchObject({ inserted: 1, rejected: 1, errors: [{ line: 2, column: 'id', code: 'id_taken' }] });
    });
  });

  test('two imports of the same new polls at the same time store each poll once', async () => {
    const { db, url } = await open();
    // A second handle represents a second process.
    const other = openDatabase(url);
    try {
      const rows = (order: 1 | -1) => {
        const list = Array.from({ length: 700 }, (_, index) => ({ id: `same-${index}`, category: `C${index % 7}` }));
        return csv(order === 1 ? list : list.reverse());
      };
      const results = await Promise.all([
        importInto(db, rows(1)),
        importInto(other, rows(-1)),
        importInto(other, rows(1), { mode: 'all-or-nothing' }),
      ]);
      expect(results.map(({ rejected }) => rejected)).toEqual([0, 0, 0]);
      expect(results.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(700);
      expect(await db('polls')).toHaveLength(700);
      await expectExactCounters(db);
    } finally {
      await other.destroy();
    }
  });

  once('[D9.12] the result has the shape of the contract', async () => {
    const { db } = await open();
    const result = await importInto(db, fixture('mixed'));
    const counts = ['imported', 'inserted', 'rejected', 'unchanged', 'updated'];
    expect(Object.keys(result).sort()).toEqual(['errors', 'groups', ...counts, 'message', 'warnings'].sort());
    expect([...importResultSchema.required].sort()).toEqual(Object.keys(result).sort());
    for (const error of result.errors)
      expect(Object.keys(error)).toEqual(['line', 'column', 'value', 'code', 'reason']);
  });
});
