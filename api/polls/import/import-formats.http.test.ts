import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { ImportSettings } from './import-settings.contract.ts';
import * as limits from '#contract/limits.ts';
import { fixedClock } from '#platform/clock.ts';
import { messageOf } from '#platform/errors.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { testNow } from '#api/testing/test-app.ts';
import { dateCell, workbookFile, zipFile } from '#api/testing/workbook-file.ts';
import { previewImport } from './import-preview.service.ts';
import { importPolls } from './poll-import.service.ts';
import { rejectedRows } from './rejected-rows.service.ts';
import { fetchSpreadsheet } from './spreadsheet.service.ts';

const clock = fixedClock(testNow);
const sourceOf = (file: Buffer | string) => Readable.from([Buffer.from(file)]);
const settings: ImportSettings = {
  delimiter: ';',
  columns: ['question', 'option_1', 'option_2', 'starts_at', 'ends_at'],
  dateFormat: 'day-first',
  timeZone: 'Europe/Berlin',
};
const german = [
  'Frage;Antwort 1;Antwort 2;Beginn;Ende',
  '"Tee; oder Kaffee?";Tee;Kaffee;01.12.2026 09:00;08.12.2026 09:00',
  'Katze oder Hund?;Katze;Hund;22.11.2026;29.11.2026',
].join('\r\n');

async function served<T>(listener: RequestListener, use: (origin: string) => Promise<T>): Promise<T> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
}

const contentOf = async (file: AsyncIterable<Uint8Array>) => Buffer.concat(await Readable.from(file).toArray());

oneDatabase((open) => {
  describe('a file with semicolons and dates with the day first', () => {
    test('is imported with settings, and importing it again changes nothing', async () => {
      const { db } = await open();
      const take = () => importPolls({ db, clock, source: sourceOf(german), settings, fileName: 'umfragen.csv' });
      expect(await take()).toMatchObject({ inserted: 2, rejected: 0, errors: [] });
      expect(await db('polls').orderBy('id').pluck('id')).toEqual([
        'katze-oder-hund-2026-11-22',
        'tee-oder-kaffee-2026-12-01',
      ]);
      expect(await db('ballots').where({ id: 'tee-oder-kaffee-2026-12-01' }).first()).toMatchObject({
        starts_at: Date.parse('2026-12-01T08:00:00Z'),
      });
      expect(await take()).toMatchObject({ inserted: 0, updated: 0, unchanged: 2, rejected: 0 });
    });

    test('is previewed with its detected delimiter, columns, and date order, and nothing is stored', async () => {
      const { db } = await open();
      const read = () =>
        sourceOf(german.replace('Frage', 'Title').replaceAll('Antwort', 'Answer').replace('Beginn', 'Start'));
      const preview = await previewImport({ db, clock, read, fileName: 'a.csv', timeZone: 'Europe/Berlin' });
      expect(preview).toMatchObject({
        ...{ kind: 'csv', isSpecified: false, dates: 'known', missing: ['ends_at'], rows: [] },
        settings: { ...settings, columns: ['question', 'option_1', 'option_2', 'starts_at', null] },
      });
      expect(preview.columns[0]).toEqual({ name: 'Title', samples: ['Tee; oder Kaffee?', 'Katze oder Hund?'] });
      const { rows, errors } = await previewImport({ db, clock, read, fileName: 'a.csv', settings });
      expect(rows.map(({ line, poll }) => [line, poll?.id, poll?.options, poll?.exists])).toEqual([
        [2, 'tee-oder-kaffee-2026-12-01', ['Tee', 'Kaffee'], false],
        [3, 'katze-oder-hund-2026-11-22', ['Katze', 'Hund'], false],
      ]);
      expect(errors).toEqual([]);
      expect(await db('polls')).toEqual([]);
    });

    test('has its order of day and month detected, and another chosen order is reported', async () => {
      const { db } = await open();
      const dates = async (dateFormat?: 'iso' | 'month-first' | 'day-first') => {
        const { delimiter, columns, timeZone } = settings;
        const given = { delimiter, columns, timeZone, ...(dateFormat && { dateFormat }) };
        const read = () => sourceOf(german);
        const preview = await previewImport({ db, clock, read, fileName: 'a.csv', settings: given });
        return [preview.dates, preview.settings.dateFormat];
      };
      expect(await dates()).toEqual(['known', 'day-first']);
      expect(await dates('day-first')).toEqual(['known', 'day-first']);
      expect(await dates('month-first')).toEqual(['mismatch', 'month-first']);
    });

    test('shows the order of its dates only once the columns with dates are chosen', async () => {
      const { db } = await open();
      const preview = (given?: ImportSettings) =>
        previewImport({
          ...{ db, clock, read: () => sourceOf(german), fileName: 'a.csv' },
          ...(given && { settings: given }),
        });
      const { settings: detected } = await preview();
      expect(detected).toMatchObject({ columns: [null, null, null, null, null], dateFormat: 'iso' });
      expect(await preview({ ...detected, columns: settings.columns })).toMatchObject({
        ...{ dates: 'known', settings: { dateFormat: 'day-first' }, errors: [] },
      });
    });

    test('is asked about where its dates could be read both ways', async () => {
      const { db } = await open();
      const read = () => sourceOf(german.replaceAll('22.11', '02.11').replaceAll('29.11', '09.11'));
      const columns = { ...settings, dateFormat: 'iso' } as const;
      expect(await previewImport({ db, clock, read, fileName: 'a.csv', settings: columns })).toMatchObject({
        dates: 'ambiguous',
        rows: [{ poll: null }, { poll: null }],
      });
    });
  });

  test('a file in the specified format needs no settings', async () => {
    const { db } = await open();
    const header = 'id,question,description,options,is_active,created_at,starts_at,ends_at';
    const row = 'p,Q?,D,Yes|No,true,2026-11-01,2026-11-01,2026-12-24';
    const preview = (file: string) =>
      previewImport({ db, clock, read: () => sourceOf(file), fileName: 'a.csv' }).then(
        ({ isSpecified }) => isSpecified,
      );
    expect(await preview(`${header}\n${row}`)).toBe(true);
    expect(await preview(`${header}\n${row.replaceAll('2026-11-01', '11/01/2026')}`)).toBe(false);
    expect(await importPolls({ db, clock, source: sourceOf(`${header}\n${row}`) })).toMatchObject({ inserted: 1 });
  });

  describe('rejected rows', () => {
    test('are downloaded with their errors, and can be imported once corrected', async () => {
      const { db } = await open();
      const file = `${german}\r\n=SUM(1);Ja;Nein;31.02.2026;29.11.2026\r\nKatze oder Hund?;Ja;;22.11.2026;29.11.2026`;
      expect(await importPolls({ db, clock, source: sourceOf(file), settings })).toMatchObject({
        ...{ inserted: 2, rejected: 2 },
      });
      const read = () => sourceOf(file);
      const found = await rejectedRows({ db, clock, read, fileName: 'a.csv', settings });
      if (!('chunks' in found)) throw new Error('The file was refused.');
      const text = (await Readable.from(found.chunks).toArray()).join('');
      expect(text.split('\r\n')).toEqual([
        '\uFEFFFrage;Antwort 1;Antwort 2;Beginn;Ende;id;import_errors',
        expect.stringMatching(/^'=SUM\(1\);Ja;Nein;31\.02\.2026;29\.11\.2026;;"?Beginn: This isn’t a date that exists/),
        expect.stringMatching(
          /^Katze oder Hund\?;Ja;;22\.11\.2026;29\.11\.2026;katze-oder-hund-2026-11-22-2;"?Antwort 1: A poll needs at least two/,
        ),
        '',
      ]);
      const corrected = text.replace('31.02.2026', '28.11.2026').replace('Ja;;', 'Ja;Nein;');
      const again: ImportSettings = { ...settings, columns: [...settings.columns, 'id', null] };
      expect(await importPolls({ db, clock, source: sourceOf(corrected), settings: again })).toMatchObject({
        ...{ inserted: 2, rejected: 0 },
      });
      expect(await db('polls').where('question', 'like', '%SUM%').pluck('question')).toEqual(['=SUM(1)']);
    });

    test('are grouped by kind and column, with their number and first lines', async () => {
      const { db } = await open();
      const bad = Array.from({ length: 7 }, (_, n) => `Frage ${n}?;Ja;Nein;31.02.2026;29.11.2026`);
      const source = sourceOf([german, ...bad, ';Ja;Nein;22.11.2026;29.11.2026'].join('\r\n'));
      const { groups, rejected } = await importPolls({ db, clock, source, settings, dryRun: true });
      expect(rejected).toBe(8);
      expect(groups).toEqual([
        expect.objectContaining({
          code: 'invalid_date',
          column: 'Beginn',
          sameReason: true,
          count: 7,
          lines: [4, 5, 6, 7, 8],
        }),
        expect.objectContaining({ code: 'required', column: 'Frage', count: 1, lines: [11] }),
      ]);
    });
  });

  describe('a workbook', () => {
    const rows = [
      ['Question', 'Answer 1', 'Answer 2', 'Start', 'End', 'Note'],
      ['Tea or coffee?', 'Tea', 'Coffee', dateCell('2026-12-01T09:00:00Z'), dateCell('2026-12-08T00:00:00Z'), null],
      [],
      ['1 or 2?', 1, true, '2026-12-01', '2026-12-08', 'x'],
    ] as const;
    const columns: ImportSettings['columns'] = ['question', 'option_1', 'option_2', 'starts_at', 'ends_at', null];

    test('is imported with dates in the chosen zone, and numbers as texts', async () => {
      const { db } = await open();
      const file = workbookFile(rows);
      const read = () => sourceOf(file);
      const preview = await previewImport({ db, clock, read, fileName: 'polls.xlsx', timeZone: 'America/New_York' });
      expect(preview).toMatchObject({ kind: 'xlsx', isSpecified: false, dates: 'known', settings: { columns } });
      expect(preview.rows.map(({ line, poll }) => [line, poll?.startsAt, poll?.options])).toEqual([
        [2, '2026-12-01T14:00:00.000Z', ['Tea', 'Coffee']],
        [4, '2026-12-01T05:00:00.000Z', ['1', 'TRUE']],
      ]);
      const result = await importPolls({
        db,
        clock,
        source: read(),
        settings: preview.settings,
        fileName: 'polls.xlsx',
      });
      expect(result).toMatchObject({ inserted: 2, rejected: 0 });
    });

    test('has the error of a formula rejected with its row, and never as a poll', async () => {
      const { db } = await open();
      const failed = ['Sum?', 'Yes', { error: '#DIV/0!' }, '2026-12-01', '2026-12-08', null];
      const file = workbookFile([
        rows[0],
        [{ error: '#N/A' }, 'Yes', 'No', '2026-12-01', '2026-12-08'],
        failed,
        rows[1],
      ]);
      const result = await importPolls({ db, clock, source: sourceOf(file), settings: { ...settings, columns } });
      expect(result).toMatchObject({ inserted: 1, rejected: 2 });
      expect(result.errors.map(({ line, column, code }) => [line, column, code])).toEqual([
        [2, 'Question', 'spreadsheet_error'],
        [3, 'Answer 2', 'spreadsheet_error'],
      ]);
    });

    test('gives options as shown, numbers of votes as numbers, and merged dates to every row', async () => {
      const { db } = await open();
      const dates = [dateCell('2026-12-01T00:00:00Z'), dateCell('2026-12-08T00:00:00Z')];
      const file = workbookFile(
        [
          ['id', 'Question', 'Options', 'Option 1', 'Option 2', 'Start', 'End'],
          ['a', 'How much?', null, { number: 0.25, format: '0%' }, { number: 1000, format: '$#,##0' }, ...dates],
          ['b', 'When?', null, { number: 0.375, format: 'hh:mm' }, { number: 7, format: '000' }, null, null],
        ],
        { merged: ['F2:F3', 'G2:G3'] },
      );
      const read = () => sourceOf(file);
      const preview = await previewImport({ db, clock, read, fileName: 'a.xlsx' });
      expect(preview.errors).toEqual([]);
      expect(preview.rows.map(({ poll }) => [poll?.options, poll?.startsAt])).toEqual([
        [['25%', '$1,000'], '2026-12-01T00:00:00.000Z'],
        [['09:00', '007'], '2026-12-01T00:00:00.000Z'],
      ]);
    });

    test('has the titles above its columns skipped', async () => {
      const { db } = await open();
      const file = workbookFile([['Polls of 2026'], [], ...rows]);
      const read = () => sourceOf(file);
      const preview = await previewImport({ db, clock, read, fileName: 'a.xlsx' });
      expect(preview).toMatchObject({ settings: { headerLine: 3, columns }, missing: [], shape: 'polls' });
      expect(preview.rows.map(({ line }) => line)).toEqual([4, 6]);
      const found = await importPolls({ db, clock, source: read(), settings: preview.settings, fileName: 'a.xlsx' });
      expect(found).toMatchObject({ inserted: 2, rejected: 0 });
    });

    const xlsx = { ...settings, columns } as const;
    const refused = async (file: Buffer) => {
      const { db } = await open();
      const { errors, imported } = await importPolls({ db, clock, source: sourceOf(file), settings: xlsx });
      return [imported, ...errors.map(({ code }) => code)];
    };

    test('that is damaged, or not a workbook, is refused', async () => {
      const file = workbookFile(rows);
      expect(await refused(file.subarray(0, file.length / 2))).toEqual([0, 'invalid_workbook']);
      expect(await refused(zipFile([{ name: 'x.txt', content: Buffer.from('x') }]))).toEqual([0, 'invalid_workbook']);
    });

    test('that unpacks to gigabytes is refused within seconds, whatever size it claims', async () => {
      const content = Buffer.alloc(120 * 1024 * 1024, ' ');
      const honest = zipFile([{ name: 'xl/worksheets/sheet1.xml', content }]);
      expect(honest.length).toBeLessThan(200_000);
      const before = process.memoryUsage().rss;
      const begun = performance.now();
      expect(await refused(honest)).toEqual([0, 'file_too_large']);
      const lying = zipFile([
        { name: '[Content_Types].xml', content, says: 100 },
        { name: '_rels/.rels', content, says: 100 },
      ]);
      expect(await refused(lying)).toEqual([0, 'invalid_workbook']);
      expect(performance.now() - begun).toBeLessThan(30_000);
      // Less than what it unpacks to; the test run's own young objects take up to half of that.
      expect((process.memoryUsage().rss - before) / 1e6, 'megabytes').toBeLessThan(100);
    });

    test('whose parts hide their size is refused', async () => {
      for (const says of [0, 0xffffffff, 5_000_000_000 % 2 ** 32])
        expect((await refused(zipFile([{ name: '_rels/.rels', content: Buffer.alloc(5_000, ' '), says }])))[0]).toBe(0);
      expect(await refused(Buffer.from('PK\u0003\u0004 and nothing else'))).toEqual([0, 'invalid_workbook']);
    });
  });

  describe('a file with another content than its name says', () => {
    const reasonFor = async (content: Buffer | string, fileName: string, given?: ImportSettings) => {
      const { db } = await open();
      const options = { db, clock, source: sourceOf(content), fileName, ...(given && { settings: given }) };
      const { errors } = await importPolls(options);
      const preview = previewImport({ db, clock, read: () => sourceOf(content), fileName });
      const refusal = await preview.then(
        () => '',
        (error: unknown) => messageOf(error),
      );
      return `${errors[0]?.reason}\n${refusal}`;
    };

    test('is refused with what it is: text, a web page, or an old workbook', async () => {
      expect(await reasonFor(german, 'a.xlsx', settings)).toMatch(/(?:named \.xlsx, but it has text[^]*){2}/);
      expect(await reasonFor('<!DOCTYPE html><p>', 'a.csv', settings)).toMatch(/(?:is a web page[^]*){2}/);
      const old = Buffer.from('d0cf11e0a1b11ae1', 'hex');
      expect(await reasonFor(old, 'a.xlsx', settings)).toMatch(/(?:old format \(\.xls\), or one with a[^]*){2}/);
    });

    test('is read as a workbook if it is one, which its import in the specified format says', async () => {
      const { db } = await open();
      const file = workbookFile([
        ['Question', 'Start'],
        ['Tea?', '2026-12-01'],
      ]);
      expect(await reasonFor(file, 'a.csv')).toContain('although its name ends in .csv');
      expect(await previewImport({ db, clock, read: () => sourceOf(file), fileName: 'a.csv' })).toMatchObject({
        kind: 'xlsx',
      });
    });
  });

  test('a title above the columns of a CSV file is skipped', async () => {
    const { db } = await open();
    const file = `"Polls, collected in 2026";;;;\r\n;;;;\r\n${german.replace('Frage;Antwort 1', 'Question;Option 1')}`;
    const preview = await previewImport({ db, clock, read: () => sourceOf(file), fileName: 'a.csv' });
    expect(preview.settings).toMatchObject({ delimiter: ';', headerLine: 3 });
    const chosen = { ...settings, headerLine: 3 };
    const result = await importPolls({ db, clock, source: sourceOf(file), settings: chosen });
    expect(result).toMatchObject({ inserted: 2, rejected: 0 });
    const wrong = await rejectedRows({
      ...{ db, clock, fileName: 'a.csv', settings: chosen },
      read: () => sourceOf(file.replace('22.11.2026', '31.02.2026')),
    });
    if (!('chunks' in wrong)) throw new Error('The file was refused.');
    expect((await Readable.from(wrong.chunks).toArray()).join('').split('\r\n')[0]).toContain('Question;Option 1');
  });

  test('a file with one row per person who answered is recognized and explained', async () => {
    const { db } = await open();
    const file = 'Timestamp,Which drink do you like best?,Your age\n2026-11-01 09:30,Tea,30\n2026-11-01 09:31,Tea,41';
    const preview = await previewImport({ db, clock, read: () => sourceOf(file), fileName: 'a.csv' });
    expect(preview).toMatchObject({ shape: 'responses', missing: ['response'] });
    const { errors } = await importPolls({ db, clock, source: sourceOf(file), fileName: 'a.csv' });
    expect(errors.map(({ code }) => code)).toEqual(['row_per_person']);
    expect(errors[0]?.reason).toContain('one row per person');
    const polls = 'title,text\nWhich drink do you like best?,x';
    const other = await previewImport({ db, clock, read: () => sourceOf(polls), fileName: 'a.csv' });
    expect(other.shape).toBe('polls');
  });

  test('garbled texts are noticed, with what they probably meant', async () => {
    const { db } = await open();
    const garbled = Buffer.from(Buffer.from('Käse oder Wurst?').toString('latin1')).toString();
    const file = german.replace('Katze oder Hund?', garbled).replace('Hund;', 'H\uFFFDnd;');
    const result = await importPolls({ db, clock, source: sourceOf(file), settings, dryRun: true });
    expect(result.warnings.map(({ line, column, code }) => [line, column, code])).toEqual([
      [3, 'Frage', 'garbled_text'],
      [3, 'Antwort 2', 'garbled_text'],
    ]);
    expect(result.warnings[0]?.reason).toContain('“Käse oder Wurst?”');
  });
});

describe('a published spreadsheet', () => {
  const answer: RequestListener = ({ url }, response) => {
    if (url === '/moved') response.writeHead(307, { location: '/sheet' }).end();
    else if (url === '/around') response.writeHead(307, { location: '/around' }).end();
    else if (url === '/inside') response.writeHead(307, { location: 'file:///etc/passwd' }).end();
    else if (url === '/sheet') response.writeHead(200, { 'content-type': 'text/csv' }).end('id,question');
    else if (url === '/large') Readable.from([Buffer.alloc(limits.importBytes), Buffer.alloc(1)]).pipe(response);
    else if (url === '/page') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<p>');
    else response.writeHead(404).end();
  };

  test('is fetched, through redirects', () =>
    served(answer, async (origin) => {
      const file = await fetchSpreadsheet(`${origin}/moved`, { allowPrivate: true });
      expect((await contentOf(file)).toString()).toBe('id,question');
    }));

  test.each([
    ['/page', 'shows a web page'],
    ['/missing', 'the error 404'],
    ['/around', 'redirects too often'],
    ['/inside', 'starts with https'],
    ['/large', 'larger than 20 MB'],
  ])('is refused with the reason if its address is %s', (path, reason) =>
    served(answer, (origin) =>
      expect(fetchSpreadsheet(origin + path, { allowPrivate: true }).then(contentOf)).rejects.toThrow(reason),
    ),
  );

  test('is never fetched from this machine or its network', () =>
    served(answer, async (origin) => {
      for (const address of [
        origin,
        'http://localhost/x',
        'http://169.254.169.254/latest',
        'http://[::1]/',
        'https://10.0.0.1',
      ])
        await expect(fetchSpreadsheet(address), address).rejects.toThrow('isn’t on the public internet');
      for (const address of [
        'file:///etc/passwd',
        'ftp://example.org/x',
        'not an address',
        'https://me:secret@example.org',
      ])
        await expect(fetchSpreadsheet(address), address).rejects.toThrow('starts with https');
    }));
});
