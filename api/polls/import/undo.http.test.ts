import { forgetPages, waitingPages } from '#api/testing/changes.ts';
import { auditLog } from '#api/testing/operators.ts';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { importColumns } from './poll-import.contract.ts';
import type { ImportColumn, ImportResult } from './poll-import.contract.ts';
import { fixedClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { closePoll, editPoll } from '#api/polls/managing.service.ts';
import { priorities } from '#api/publishing/changes.service.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { statisticsNow } from '#api/voting/statistics.service.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { importDeadAfterMs, importHistory, importRecord } from './import-history.service.ts';
import { importPolls } from './poll-import.service.ts';
import type { ImportOptions } from './poll-import.service.ts';
import { lastImport, previewUndo, undoImport } from './undo.service.ts';
import { importBatchRows } from './poll-queue.ts';

const clock = fixedClock(testNow);
const options = (...entries: (readonly [id: string, votes: number])[]) =>
  JSON.stringify(entries.map(([id, votes]) => ({ id, text: `Answer ${id}`, votes })));

type Row = Partial<Record<ImportColumn, string>> & { readonly id: string };

function csv(rows: readonly Row[]): Readable {
  const all = rows.map((row) => ({
    ...{ question: `What about ${row.id}?`, description: 'For the tests.', is_active: 'true' },
    ...{ created_at: '2026-11-01', starts_at: '2026-11-01', ends_at: '2026-12-24' },
    ...{ options: options(['a', 3], ['b', 2]) },
    ...row,
  }));
  const columns = importColumns.filter((column) => all.some((row) => (row as Row)[column] !== undefined));
  const quoted = (value = '') => `"${value.replaceAll('"', '""')}"`;
  const lines = all.map((row) => columns.map((column) => quoted((row as Row)[column])).join(','));
  return Readable.from([Buffer.from([columns.join(','), ...lines, ''].join('\n'))]);
}

const take = (db: Database, rows: readonly Row[], more: Partial<ImportOptions> = {}): Promise<ImportResult> =>
  importPolls({ db, clock, source: csv(rows), ...more });

async function undoLast(db: Database) {
  const id = await lastImport(db);
  if (id === undefined) throw new Error('Nothing can be undone.');
  await undoImport({ db, clock }, id);
  return importRecord(db, id);
}

/** Everything that an undo must restore. */
async function contentsOf(db: Database) {
  return {
    ballots: await db('ballots').orderBy('id'),
    // An option that was removed, which needs that nobody chose it, returns with another key.
    options: await db('ballot_options')
      .orderBy(['ballot_id', 'position'])
      .select('ballot_id', 'option_id', 'position', 'offered', 'text', 'base_votes', 'votes'),
    polls: await db('polls').orderBy('id'),
    archive: await db('archive_categories').where('closed_polls', '>', 0).orderBy('category'),
    figures: await db('statistics').sum({ votes: 'total_votes', polls: 'total_polls' }).first<object>(),
  };
}

let visitors = 0;
async function vote(db: Database, ...votes: (readonly [poll: string, option: string])[]): Promise<void> {
  const app = await startTestApp(db, { clock });
  for (const [poll, optionId] of votes) {
    visitors += 1;
    const response = await app.fetch(`/api/polls/${poll}/vote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-device-id': `device_${String(visitors).padStart(20, '0')}` },
      body: JSON.stringify({ optionId }),
    });
    expect(response.status, `vote on ${poll}`).toBe(200);
  }
  await app.close();
}

eachDatabase((open, _engine, once) => {
  describe('the history of imports', () => {
    once('lists imports with file, origin, mode, and counts, newest first', async () => {
      const { db } = await open();
      await take(db, [{ id: 'one' }, { id: 'two' }], { origin: 'page', fileName: 'week 47.csv' });
      await take(db, [{ id: 'one' }, { id: 'two', question: 'Changed?' }, { id: 'BAD ID' }], {
        mode: 'all-or-nothing',
      });
      await take(db, [{ id: 'two', question: 'Changed?' }, { id: 'BAD ID' }], { recordedName: 'more.csv' });
      await take(db, [{ id: 'x' }], { fileName: 'polls.xlsx', origin: 'page' });
      await take(db, [{ id: 'x' }], { dryRun: true });
      const { imports, total, pages } = await importHistory(db, 1);
      expect([total, pages]).toEqual([4, 1]);
      expect(
        imports.map(({ fileName, origin, mode, state, inserted, updated, unchanged, rejected, undoable }) => [
          ...[fileName, origin, mode, state],
          ...[inserted, updated, unchanged, rejected, undoable],
        ]),
      ).toEqual([
        ['polls.xlsx', 'page', 'partial', 'refused', 0, 0, 0, 0, false],
        ['more.csv', 'terminal', 'partial', 'done', 0, 1, 0, 1, true],
        [null, 'terminal', 'all-or-nothing', 'refused', 0, 0, 0, 1, false],
        ['week 47.csv', 'page', 'partial', 'done', 2, 0, 0, 0, true],
      ]);
      expect(imports[0]?.message).toMatch(/^Nothing was imported\. The file name doesn’t end in \.csv/);
      expect(imports[1]).toMatchObject({ startedAt: new Date(testNow).toISOString(), undo: null });
    });

    once('keeps an interrupted import, and what it wrote can be undone', async () => {
      const { db } = await open();
      const broken = importPolls({
        db,
        clock,
        source: csv(Array.from({ length: importBatchRows + 1 }, (_, n) => ({ id: `p${n}` }))),
        onProgress(progress) {
          if (progress.phase === 'writing') throw new Error('the disk is full');
        },
      });
      await expect(broken).rejects.toThrow('the disk is full');
      const [record] = (await importHistory(db, 1)).imports;
      expect(record).toMatchObject({ state: 'stopped', inserted: importBatchRows, undoable: true });
      expect(record?.message).toMatch(/^The import stopped: the disk is full\. What it had written stays/);
      expect(await undoLast(db)).toMatchObject({ state: 'undone', undo: { removed: importBatchRows } });
      expect(await db('polls')).toEqual([]);
      await expectExactCounters(db);
    });
  });

  describe('undoing an import', () => {
    test('restores exactly the previous state', async () => {
      const { db } = await open();
      await take(db, [
        { id: 'texts', summary: 'It was so.', category: 'Health', tags: 'a,b' },
        { id: 'options', options: options(['a', 5], ['b', 4], ['c', 3], ['d', 1]) },
        { id: 'over', ends_at: '2026-11-10', category: 'Health' },
        { id: 'same' },
      ]);
      const before = await contentsOf(db);
      await take(db, [
        { id: 'texts', question: 'Another one?', summary: '', category: 'Science', tags: '' },
        { id: 'options', options: options(['d', 100], ['e', 7], ['a', 0]) },
        { id: 'over', ends_at: '2026-12-31', category: 'Travel' },
        { id: 'same' },
        { id: 'new', is_active: 'false', category: 'Health' },
      ]);
      expect(await contentsOf(db)).not.toEqual(before);
      const id = (await lastImport(db)) ?? 0;
      const counts = { removed: 1, restored: 3, keptVoted: 0, keptChanged: 0, keptLater: 0 };
      expect(await previewUndo(db, id)).toEqual({ ...counts, kept: [], votes: 0, series: [], later: [] });
      await forgetPages(db);
      const record = await undoLast(db);
      expect(record).toMatchObject({ state: 'undone', undoable: false, undo: counts });
      expect(await contentsOf(db)).toEqual(before);
      const polls = await waitingPages(db).where({ kind: 'poll' }).orderBy('key').pluck<string[]>('key');
      expect(polls).toEqual(['new', 'options', 'over', 'texts']);
      expect(await waitingPages(db).where({ queue: priorities.now })).toEqual([]);
      expect(await db('poll_import_images').where({ import_id: id })).toEqual([]);
      await expectExactCounters(db);
    });

    once('keeps every vote cast on the site: on new polls, on previous options, and on added ones', async () => {
      const { db } = await open();
      await take(db, [{ id: 'known', options: options(['a', 10], ['b', 20]) }]);
      await vote(db, ['known', 'a']);
      await take(
        db,
        [
          { id: 'known', options: options(['a', 1], ['x', 50], ['y', 60]) },
          { id: 'voted-on' },
          { id: 'untouched' },
        ].map((row) =>
          row.id === 'known' ? { ...row, options: options(['a', 1], ['b', 1], ['x', 50], ['y', 60]) } : row,
        ),
      );
      await vote(db, ['known', 'a'], ['known', 'x'], ['voted-on', 'b']);
      const id = (await lastImport(db)) ?? 0;
      const counts = { removed: 1, restored: 1, keptVoted: 1, keptChanged: 0, keptLater: 0 };
      expect(await previewUndo(db, id)).toEqual({
        ...{ ...counts, votes: 4, series: [], later: [] },
        kept: [{ id: 'voted-on', question: 'What about voted-on?', because: 'votes' }],
      });
      expect(await undoLast(db)).toMatchObject({ undo: counts });
      expect(await db('polls').orderBy('id').pluck('id')).toEqual(['known', 'voted-on']);
      const stored = await db('ballot_options').where({ ballot_id: 'known' }).orderBy('position');
      expect(stored.map(({ option_id, base_votes, votes }) => [option_id, base_votes, votes])).toEqual([
        ['a', 10, 12],
        ['b', 20, 20],
        ['x', 0, 1],
      ]);
      expect(await db('votes')).toHaveLength(4);
      await expectExactCounters(db);
    });

    /** Polls that an import added and updated, one each of which was then edited, closed, or voted on and edited. */
    async function editedSince(db: Database) {
      await take(db, [{ id: 'old-edited' }, { id: 'old-plain' }]);
      const file = ['old-edited', 'old-plain', 'new-closed', 'new-edited', 'new-plain', 'new-voted'];
      await take(
        db,
        file.map((id) => ({ id, question: `From the file: ${id}?` })),
      );
      await vote(db, ['new-voted', 'a']);
      for (const id of ['old-edited', 'new-edited', 'new-voted'])
        await editPoll({ db, clock }, id, { question: `By hand: ${id}?` });
      await closePoll({ db, clock }, 'new-closed');
      return (await lastImport(db)) ?? 0;
    }

    once('lists and keeps polls that were edited or closed after the import, including added ones', async () => {
      const { db } = await open();
      const id = await editedSince(db);
      const counts = { removed: 1, restored: 1, keptVoted: 1, keptChanged: 3, keptLater: 0 };
      expect(await previewUndo(db, id)).toMatchObject({
        ...counts,
        kept: [
          { id: 'new-closed', question: 'From the file: new-closed?', because: 'changes' },
          { id: 'new-edited', question: 'By hand: new-edited?', because: 'changes' },
          { id: 'old-edited', question: 'By hand: old-edited?', because: 'changes' },
          { id: 'new-voted', question: 'By hand: new-voted?', because: 'votes' },
        ],
      });
      expect(await undoLast(db)).toMatchObject({ state: 'undone', undo: counts });
      expect(await db('polls').orderBy('id').pluck('question')).toEqual([
        'From the file: new-closed?',
        'By hand: new-edited?',
        'By hand: new-voted?',
        'By hand: old-edited?',
        'What about old-plain?',
      ]);
      await expectExactCounters(db);
    });

    once('undoes edited polls on request, but never one with votes', async () => {
      const { db } = await open();
      const id = await editedSince(db);
      const counts = { removed: 3, restored: 2, keptVoted: 1, keptChanged: 0, keptLater: 0 };
      expect(await previewUndo(db, id, { discardEdits: true })).toMatchObject({
        ...counts,
        kept: [{ id: 'new-voted', question: 'By hand: new-voted?', because: 'votes' }],
      });
      await undoImport({ db, clock }, id, { discardEdits: true });
      expect(await importRecord(db, id)).toMatchObject({ state: 'undone', undo: counts });
      expect(await db('polls').orderBy('id').pluck('question')).toEqual([
        'By hand: new-voted?',
        'What about old-edited?',
        'What about old-plain?',
      ]);
      await expectExactCounters(db);
    });

    once('continues with its original options after an interruption', async () => {
      const { db } = await open();
      const id = await editedSince(db);
      await db('poll_imports').where({ id }).update({ state: 'undoing', busy: true, discards_edits: true });
      expect(await previewUndo(db, id)).toMatchObject({ removed: 3, keptChanged: 0 });
      await undoImport({ db, clock }, id);
      expect(await importRecord(db, id)).toMatchObject({ undo: { removed: 3, restored: 2, keptChanged: 0 } });
    });

    once('closes polls that have ended in the meantime', async () => {
      const { db } = await open();
      await take(db, [{ id: 'week', ends_at: '2026-11-20T13:00:00Z', category: 'Health' }]);
      await take(db, [{ id: 'week', ends_at: '2026-12-24', category: 'Health' }]);
      const later = fixedClock(Date.parse('2026-11-21T00:00:00Z'));
      await undoImport({ db, clock: later }, (await lastImport(db)) ?? 0);
      expect(await db('ballots').first()).toMatchObject({ closed_at: Date.parse('2026-11-20T13:00:00Z') });
      await expectExactCounters(db);
    });

    once('[D3.3] restores the mark of a demo poll and removes it from the totals', async () => {
      const { db } = await open();
      await take(db, [{ id: 'demo' }]);
      await db('polls').update({ demonstration: true });
      await db('ballots').update({ in_totals: false });
      await db('statistics').update({ total_votes: 0, imported_votes: 0, total_polls: 0 });
      await take(db, [{ id: 'demo', question: 'Ours?' }]);
      expect(Boolean((await db('polls').first<{ demonstration: unknown }>()).demonstration)).toBe(false);
      expect((await statisticsNow(db, testNow)).totalPolls).toBe(1);
      await expectExactCounters(db);
      await undoLast(db);
      expect(Boolean((await db('polls').first<{ demonstration: unknown }>()).demonstration)).toBe(true);
      expect((await statisticsNow(db, testNow)).totalPolls).toBe(0);
      await expectExactCounters(db);
    });

    test('works once, and only for imports that changed something', async () => {
      const { db } = await open();
      await take(db, [{ id: 'first' }]);
      await take(db, [{ id: 'second' }]);
      await take(db, [{ id: 'second' }]);
      const { imports } = await importHistory(db, 1);
      const [third = 0, second = 0, first = 0] = imports.map(({ id }) => Number(id));
      expect(imports.map(({ undoable }) => undoable)).toEqual([false, true, true]);
      expect(await lastImport(db)).toBe(second);
      for (const [id, sentence] of [
        [third, 'it changed nothing'],
        [12345, 'There is no such import'],
      ] as const) {
        await expect(undoImport({ db, clock }, id)).rejects.toThrow(sentence);
        await expect(previewUndo(db, id)).rejects.toThrow(sentence);
      }
      await undoImport({ db, clock }, first, { actor: 'Ana' });
      await expect(undoImport({ db, clock }, first)).rejects.toThrow('has already been undone');
      expect(await db('polls').pluck('id')).toEqual(['second']);
      expect(await lastImport(db)).toBe(second);
      expect(await auditLog(db).where({ action: 'import.undo' }).select('actor', 'subject')).toEqual([
        { actor: 'Ana', subject: String(first) },
      ]);
    });

    test('keeps polls that a later import changed, and names that import; once it is undone, they are restored', async () => {
      const { db } = await open();
      await take(
        db,
        [
          { id: 'kept', series: 'Weekly' },
          { id: 'other', series: 'Monthly' },
        ],
        { fileName: 'one.csv' },
      );
      const before = await contentsOf(db);
      await take(
        db,
        [
          { id: 'kept', question: 'Two?' },
          { id: 'other', question: 'Two?' },
        ],
        { fileName: 'two.csv' },
      );
      await take(db, [{ id: 'kept', question: 'Three?' }], { fileName: 'three.csv' });
      const [third = 0, second = 0] = (await importHistory(db, 1)).imports.map(({ id }) => Number(id));
      const preview = { removed: 0, restored: 1, keptVoted: 0, keptChanged: 0, keptLater: 1 };
      expect(await previewUndo(db, second, { discardEdits: true })).toEqual({
        ...preview,
        kept: [{ id: 'kept', question: 'Three?', because: 'later' }],
        votes: 0,
        series: ['Monthly'],
        later: [{ id: String(third), fileName: 'three.csv', startedAt: new Date(testNow).toISOString(), polls: 1 }],
      });
      await undoImport({ db, clock }, third);
      expect(await previewUndo(db, second)).toMatchObject({ restored: 2, keptLater: 0, later: [] });
      await undoImport({ db, clock }, second);
      expect(await contentsOf(db)).toEqual(before);

      await take(db, [{ id: 'kept', question: 'Four?' }]);
      const first = Number((await importHistory(db, 1)).imports.at(-1)!.id);
      await undoImport({ db, clock }, first, { discardEdits: true });
      expect(await importRecord(db, first)).toMatchObject({ undo: { removed: 1, keptLater: 1 } });
      expect(await db('polls').pluck('question')).toEqual(['Four?']);
      await expectExactCounters(db);
    });

    once('is possible for 90 days, or until another import', async () => {
      const { db } = await open();
      await take(db, [{ id: 'old' }]);
      const old = (await lastImport(db)) ?? 0;
      const later = (days: number) => fixedClock(testNow + days * 86_400_000);
      await take(db, [{ id: 'new' }], { clock: later(89) });
      expect((await importRecord(db, old)).undoable).toBe(true);
      await take(db, [{ id: 'newest' }], { clock: later(91) });
      expect((await importRecord(db, old)).undoable).toBe(false);
      await expect(undoImport({ db, clock: later(91) }, old)).rejects.toThrow('it’s too old');
    });

    test('undoes each poll once, even if started twice at the same time in two processes', async () => {
      const { db, url } = await open();
      const other = openDatabase(url);
      const rows = Array.from({ length: 700 }, (_, n) => ({ id: `p${n}`, category: `C${n % 5}`, is_active: 'no' }));
      await take(db, rows.slice(0, 350));
      const before = await contentsOf(db);
      await take(
        db,
        rows.map((row) => ({ ...row, options: options(['a', 30], ['b', 1]) })),
      );
      const id = (await lastImport(db)) ?? 0;
      // Opening the file may take longer than the whole undo.
      await other.raw('select 1');
      const ends = await Promise.allSettled([undoImport({ db, clock }, id), undoImport({ db: other, clock }, id)]);
      // One of them may find that the other has already ended.
      const refusals = ends.filter((end) => end.status === 'rejected').map((end): unknown => end.reason);
      expect(refusals.length).toBeLessThan(2);
      for (const refusal of refusals)
        expect(refusal).toMatchObject({ message: 'This import has already been undone.' });
      await other.destroy();
      expect(await importRecord(db, id)).toMatchObject({ state: 'undone', undo: { removed: 350, restored: 350 } });
      expect(await contentsOf(db)).toEqual(before);
      await expectExactCounters(db);
    });

    test('is refused during an import; an import of a dead process expires after a minute', async () => {
      const { db } = await open();
      await take(db, [{ id: 'done' }]);
      const id = (await lastImport(db)) ?? 0;
      await db('poll_imports').insert({
        ...{ started_at: testNow, heartbeat_at: testNow, origin: 'terminal', mode: 'partial' },
        ...{ state: 'running', busy: true },
      });
      await expect(undoImport({ db, clock }, id)).rejects.toThrow('Another import is in progress');
      const later = fixedClock(testNow + importDeadAfterMs + 1);
      await undoImport({ db, clock: later }, id);
      expect((await importHistory(db, 1)).imports.map(({ state }) => state)).toEqual(['stopped', 'undone']);
    });

    test('is finished by repeating it after an interruption, and blocks imports until then', async () => {
      const { db } = await open();
      await take(db, [{ id: 'a' }, { id: 'b' }]);
      const id = (await lastImport(db)) ?? 0;
      await db('poll_imports').where({ id }).update({ state: 'undoing', busy: true });
      let ended = false;
      const waiting = take(db, [{ id: 'c' }]).finally(() => (ended = true));
      await undoImport({ db, clock }, id);
      expect(ended).toBe(false);
      await waiting;
      expect(await db('polls').pluck('id')).toEqual(['c']);
      expect(await importRecord(db, id)).toMatchObject({ state: 'undone', undo: { removed: 2 } });
      await expectExactCounters(db);
    });

    test('neither loses nor double-counts votes during voting', async () => {
      const { db } = await open();
      const rows = (by: number) =>
        Array.from({ length: 30 }, (_, n) => ({ id: `busy-${n}`, options: options(['a', by], ['b', n]) }));
      await take(db, rows(0));
      await take(db, [...rows(9), { id: 'fresh' }]);
      const votes = Array.from({ length: 90 }, (_, n) => [`busy-${n % 30}`, n % 2 === 0 ? 'a' : 'b'] as const);
      await Promise.all([vote(db, ...votes), undoLast(db)]);
      expect(await db('votes')).toHaveLength(90);
      const { votes: total } = await db('ballots').sum({ votes: 'total_votes' }).first<{ votes: number | string }>();
      expect(Number(total)).toBe((29 * 30) / 2 + 90);
      await expectExactCounters(db);
    });
  });
});
