import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { ImportField, ImportSettings } from './import-settings.contract.ts';
import { pollFor } from '#api/polls/polls.service.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seededRandom } from '#api/testing/random.ts';
import { testNow } from '#api/testing/test-app.ts';
import { workbookFile } from '#api/testing/workbook-file.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { previewImport } from './import-preview.service.ts';
import { importPolls } from './poll-import.service.ts';
import { rejectedRows } from './rejected-rows.service.ts';
import { lastImport, undoImport } from './undo.service.ts';

const clock = fixedClock(testNow);
const fixture = (name: string) => readFile(new URL(`fixtures/${name}`, import.meta.url));
const files = (file: Buffer | string) => () => Readable.from([Buffer.from(file)]);

/** The settings that a preview proposes, with these columns read otherwise. */
async function settingsFor(db: Database, file: Buffer, fileName: string, changed: Record<string, ImportField>) {
  const { settings, columns } = await previewImport({
    db,
    clock,
    read: files(file),
    fileName,
    timeZone: 'Europe/Berlin',
  });
  return {
    ...settings,
    columns: settings.columns.map((field, index) => changed[columns[index]!.name] ?? field),
  };
}

const take = (db: Database, file: Buffer | string, settings: ImportSettings, fileName = 'a.csv') =>
  importPolls({ db, clock, source: files(file)(), settings, fileName });

async function stored(db: Database) {
  const ids = await db('polls').orderBy('id').pluck('id');
  return Promise.all(ids.map((id) => pollFor({ db, clock }, id, null)));
}
const countsOf = ({ options }: { options: readonly { text: string; votes: number }[] }) =>
  Object.fromEntries(options.map(({ text, votes }) => [text, votes]));

eachDatabase((open) => {
  test('a file of Google Forms becomes the poll of the chosen column, can be taken again, and undone', async () => {
    const { db } = await open();
    const file = await fixture('google-forms.csv');
    const read = files(file);
    const found = await previewImport({ db, clock, read, fileName: 'a.csv' });
    expect(found).toMatchObject({ shape: 'responses', missing: ['response'], rows: [] });
    expect(found.settings.columns).toEqual(['answered_at', null, null, null]);
    const settings = await settingsFor(db, file, 'a.csv', { 'Which days suit you?': 'response' });
    const { rows, errors } = await previewImport({ db, clock, read, fileName: 'a.csv', settings });
    expect(errors).toEqual([]);
    expect(rows[0]?.poll).toMatchObject({
      ...{ question: 'Which days suit you?', options: ['Monday', 'Tuesday, late', 'On the weekend, if it must be'] },
      ...{ votes: [3, 3, 1], startsAt: '2026-01-15T08:23:00.000Z', endsAt: '2026-01-16T19:21:00.000Z' },
    });
    expect(await take(db, file, settings)).toMatchObject({ inserted: 1, rejected: 0 });
    expect(await take(db, file, settings)).toMatchObject({ inserted: 0, unchanged: 1 });
    const [poll] = await stored(db);
    expect(poll).toMatchObject({ isActive: false, totalVotes: 7 });
    expect(poll?.methodologyNotes).toBe(
      'Counted from the answers of 4 people, who could give several: the votes are answers, not people.',
    );
    await undoImport({ db, clock }, (await lastImport(db))!);
    expect(await stored(db)).toEqual([]);
  });

  test('answers with commas are one where they aren’t several known ones; a list of answers decides, and the rest is Other', async () => {
    const { db } = await open();
    const forms = await fixture('google-forms.csv');
    await take(db, forms, await settingsFor(db, forms, 'a.csv', { 'Which drink do you like best?': 'response' }));
    expect(countsOf((await stored(db))[0]!)).toEqual({ Tea: 2, Coffee: 1, 'Tea, with milk': 1 });
    const sheet = await fixture('google-sheet.csv');
    const settings = await settingsFor(db, sheet, 'a.csv', { 'What do you eat for breakfast?': 'response' });
    expect(settings.dateFormat).toBe('month-first');
    const counted = async (given: ImportSettings) => {
      const preview = await previewImport({ db, clock, read: files(sheet), fileName: 'a.csv', settings: given });
      const { options, votes } = preview.rows[0]!.poll!;
      return Object.fromEntries(options.map((text, place) => [text, votes?.[place]]));
    };
    const whole = 'Bread, Fruit, Cold pizza, from last night';
    expect(await counted(settings)).toEqual({ Bread: 2, Cheese: 3, Fruit: 2, [whole]: 1 });
    const answers = ['Bread', 'Cheese', 'Fruit', 'Cold pizza, from last night'];
    expect(await counted({ ...settings, answers })).toEqual({
      ...{ Bread: 3, Cheese: 3, Fruit: 3, 'Cold pizza, from last night': 1 },
    });
    expect(await counted({ ...settings, answers: ['Bread', 'Cheese'] })).toEqual({ Bread: 3, Cheese: 3, Other: 3 });
  });

  test('files of Typeform and Slido are read, with dates for all rows where they have none', async () => {
    const { db } = await open();
    const question = 'How likely are you to move this year?';
    const typeform = await fixture('typeform.csv');
    const settings = await settingsFor(db, typeform, 'a.csv', {
      ...{ [question]: 'response', 'Submit Date (UTC)': 'answered_at' },
    });
    expect(await take(db, typeform, { ...settings, timeZone: 'UTC' })).toMatchObject({ inserted: 1 });
    const [moving] = await stored(db);
    expect(moving).toMatchObject({
      question,
      startsAt: '2026-02-01T10:01:00.000Z',
      endsAt: '2026-02-03T22:01:00.000Z',
    });
    expect(countsOf(moving!)).toEqual({ 'Not at all': 2, Very: 1 });

    const slido = workbookFile([
      ['Poll results per participant'],
      [],
      ['Participant ID', 'Name', 'Which topic first?'],
      ['1', 'Ana', 'Budget'],
      ['2', 'Ben', 'Roads'],
      ['3', null, 'Budget'],
    ]);
    const chosen = await settingsFor(db, slido, 'a.xlsx', { 'Which topic first?': 'response' });
    expect(chosen.headerLine).toBe(3);
    const { missing } = await previewImport({ db, clock, read: files(slido), fileName: 'a.xlsx', settings: chosen });
    expect(missing).toEqual(['starts_at', 'ends_at']);
    const fixed = { starts_at: '2026-02-05', ends_at: '2026-02-05', question: 'Which topic is first?' };
    expect(await take(db, slido, { ...chosen, fixed }, 'a.xlsx')).toMatchObject({ inserted: 1 });
    const topic = (await stored(db)).find((poll) => poll.question === fixed.question);
    expect(topic).toMatchObject({ startsAt: '2026-02-04T23:00:00.000Z', totalVotes: 3 });
    expect(countsOf(topic!)).toEqual({ Budget: 2, Roads: 1 });
  });

  test('the answers of 3,000 people are what an independent count of them gives', async () => {
    const { db } = await open();
    const random = seededRandom(40);
    const choices = ['Train', 'Bus', 'Bicycle', 'On foot', 'Car'];
    const expected = new Map<string, number>();
    const lines = Array.from({ length: 3_000 }, (_, person) => {
      // The first five people give one answer each.
      const own = choices.filter((_, place) => place === person % 5 || (person >= 5 && random.chance(0.3)));
      for (const choice of own) expected.set(choice, (expected.get(choice) ?? 0) + 1);
      return `2026-01-15 10:00,"${own.join(', ')}"`;
    });
    const file = Buffer.from(['Timestamp,How do you get to work?', ...lines].join('\n'));
    const settings = await settingsFor(db, file, 'a.csv', { 'How do you get to work?': 'response' });
    await take(db, file, settings);
    expect(countsOf((await stored(db))[0]!)).toEqual(Object.fromEntries(expected));
  });

  test('a table with a column of votes per answer becomes polls, and a total that is wrong is refused', async () => {
    const { db } = await open();
    const file = await fixture('results-in-counts.csv');
    const settings = await settingsFor(db, file, 'a.csv', {});
    expect(settings.columns).toEqual([
      ...['question', 'starts_at', 'answer_votes', 'answer_votes', 'answer_votes', 'total_votes'],
    ]);
    expect(await take(db, file, settings)).toMatchObject({ inserted: 2, rejected: 0, errors: [] });
    const [sundays, night] = await stored(db);
    expect(countsOf(sundays!)).toEqual({ Yes: 1204, No: 311, "Don't know": 96 });
    // An empty cell: that answer was not offered.
    expect(countsOf(night!)).toEqual({ Yes: 640, No: 702 });
    expect(night).toMatchObject({ startsAt: '2026-03-01T23:00:00.000Z', endsAt: '2026-03-02T22:59:00.000Z' });
    const wrong = file.toString().replace('702', '7O2').replace('1,611', '1,612').replace('night?', 'day?');
    const { rejected, errors } = await take(db, wrong, settings);
    expect(rejected).toBe(2);
    expect(errors.map(({ line, column, code }) => [line, column, code])).toEqual([
      [2, 'Total', 'total_votes_mismatch'],
      [3, 'No', 'invalid_number'],
    ]);
    const lines = await rejectedRows({ db, clock, read: files(wrong), fileName: 'a.csv', settings });
    expect('chunks' in lines && (await Readable.from(lines.chunks).toArray()).join('')).toContain('7O2');
  });

  test('shares in percent of a base become votes that are marked as derived, with what is missing to 100', async () => {
    const { db } = await open();
    const file = await fixture('results-in-percent.csv');
    const settings = await settingsFor(db, file, 'a.csv', {});
    expect(settings.columns).toEqual([
      ...['starts_at', 'ends_at', 'source', 'base', 'answer_percent', 'answer_percent'],
    ]);
    const { missing, shape } = await previewImport({ db, clock, read: files(file), fileName: 'a.csv', settings });
    expect([missing, shape]).toEqual([['question'], 'results']);
    const fixed = { question: 'Do you approve of the mayor?' };
    expect(await take(db, file, { ...settings, fixed })).toMatchObject({ inserted: 2, rejected: 0 });
    const [first, second] = await stored(db);
    expect(countsOf(first!)).toEqual({ Approve: 452, Disapprove: 522, 'Other or no answer': 30 });
    expect(countsOf(second!)).toEqual({ Approve: 473, Disapprove: 380, 'Other or no answer': 145 });
    expect(first?.methodologyNotes).toMatch(/^Derived counts: .* by the 1004 people who were asked/);
    const source = JSON.stringify({ source: 'Example Polling' });
    expect(await db('polls').pluck('provenance')).toEqual([source, source]);
    const over = file.toString().replace(',52', ',62');
    const { errors } = await take(db, over, { ...settings, fixed });
    expect(errors.map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'The percentages of this row add up to more than 100.'],
    ]);
  });

  test('a file that is something else is called what it is', async () => {
    const { db } = await open();
    const shapeIn = async (file: Buffer | string) =>
      (await previewImport({ db, clock, read: files(file), fileName: 'a.csv' })).shape;
    expect(await shapeIn(await fixture('row-per-answer.csv'))).toBe('row-per-answer');
    expect(await shapeIn('Name,Phone\nAna,+49 30 1')).toBe('other');
    expect(await shapeIn('Question,Start\nTea?,2026-01-01')).toBe('polls');
  });

  test('answers in people’s own words, and lines that can’t be read, are refused with what to do', async () => {
    const { db } = await open();
    const settings: ImportSettings = { delimiter: ',', columns: ['answered_at', 'response'], timeZone: 'UTC' };
    const reasonOf = async (...lines: string[]) => {
      const result = await take(db, ['Timestamp,Why?', ...lines].join('\n'), settings);
      return result.errors.map(({ line, code }) => [line, code]);
    };
    const words = (count: number) => Array.from({ length: count }, (_, n) => `2026-01-15,Because of ${n}`);
    expect(await reasonOf(...words(101))).toEqual([[null, 'too_many_answers']]);
    expect(await reasonOf(...words(5_001))).toEqual([[null, 'too_many_answers']]);
    expect(await reasonOf(...words(2), '2026-01-15,"Tea')).toEqual([[4, 'unreadable_response']]);
    expect(await reasonOf('15/01,Tea')).toEqual([[2, 'unreadable_response']]);
    expect(await reasonOf('2026-01-15,Tea')).toEqual([[1, 'too_few_options']]);
    expect(await stored(db)).toEqual([]);
  });
});
