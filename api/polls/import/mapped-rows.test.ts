import { expect, test } from 'vitest';
import type { DateFormat, ImportField } from './import-settings.contract.ts';
import { assignedHeader, delimiterOf } from './csv-file.ts';
import { namedColumns } from './import-columns.ts';
import { FileRefused } from './import-problem.ts';
import { readRow } from './poll-row.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const usual: Partial<Record<ImportField, string>> = {
  question: 'Tea or coffee?',
  options: 'Tea|Coffee',
  starts_at: '11/23/2026',
  ends_at: '11/30/2026',
};

function readAll(rows: readonly Partial<Record<ImportField, string>>[], dateFormat: DateFormat = 'month-first') {
  const all = rows.map((row): Partial<Record<ImportField, string>> => ({ ...usual, ...row }));
  const columns = [...new Set(all.flatMap((row) => Object.keys(row)))] as ImportField[];
  const settings = { delimiter: ',', columns, dateFormat, timeZone: 'America/New_York' } as const;
  const header = assignedHeader({ line: 1, fields: columns.map((column) => `Our ${column}`) }, settings);
  const seen = new Map<string, number>();
  return all.map((row, index) => {
    const fields = columns.map((column) => row[column] ?? '');
    return readRow(index + 2, fields, header, seen, now);
  });
}

function polls(...rows: readonly Partial<Record<ImportField, string>>[]) {
  return readAll(rows).map((row) => {
    if (!row || !('poll' in row)) throw new Error(`The row was rejected: ${JSON.stringify(row)}`);
    return row.poll;
  });
}

const errorsOf = (row: Partial<Record<ImportField, string>>) =>
  readAll([row]).flatMap((read) => (read && 'errors' in read ? read.errors : []));

test('a row needs only a question, options, start, and end', () => {
  const [poll] = polls({});
  expect(poll).toMatchObject({
    id: 'tea-or-coffee-2026-11-23',
    question: 'Tea or coffee?',
    options: [
      { id: 'tea', text: 'Tea' },
      { id: 'coffee', text: 'Coffee' },
    ],
    startsAt: Date.parse('2026-11-23T05:00:00Z'),
  });
  expect([poll?.description, poll?.isActive, poll?.createdAt]).toEqual([undefined, undefined, undefined]);
});

test('a generated id is the same for the same question and start date, and numbered where a file repeats them', () => {
  const ids = polls({}, {}, { starts_at: '11/24/2026' }, { question: 'Чай или кофе?' }, { id: 'own' }).map(
    ({ id }) => id,
  );
  expect(ids).toEqual([
    'tea-or-coffee-2026-11-23',
    'tea-or-coffee-2026-11-23-2',
    'tea-or-coffee-2026-11-24',
    expect.stringMatching(/^poll-[0-9a-f]{8}-2026-11-23$/),
    'own',
  ]);
  const long = polls({ question: 'Which of these would you rather have in the kitchen of the office, '.repeat(5) });
  expect(long[0]?.id).toMatch(/^which-of-these-would-you-rather-have-in-[a-z0-9-]+-2026-11-23$/);
});

test('options come from columns of their own, empty ones skipped', () => {
  const [poll] = polls({ options: '', option_1: 'Yes', option_2: '', option_3: 'No, never', option_10: 'C++' });
  expect(poll?.options.map(({ id, text }) => [id, text])).toEqual([
    ['yes', 'Yes'],
    ['no-never', 'No, never'],
    [expect.stringMatching(/^c-\w+$/), 'C++'],
  ]);
});

test('options keep their ids when they move, so that votes stay with their text', () => {
  const [before, after] = polls({ options: 'Yes|No|Maybe' }, { options: ' Maybe | Yes | No ' });
  const idsOf = (poll: typeof before) => new Map(poll?.options.map(({ id, text }) => [text, id]));
  expect(new Map([...idsOf(after)].sort())).toEqual(new Map([...idsOf(before)].sort()));
});

test('options with the same words get different ids', () => {
  const [poll] = polls({ options: 'Yes|yes!|YES' });
  expect(poll?.options.map(({ id }) => id)).toEqual(['yes', 'yes-2', 'yes-3']);
});

test.each([
  [{ options: 'Yes, No, Maybe' }, 'Our options', 'invalid_json', 'Commas don’t separate options'],
  [{ options: 'Yes' }, 'Our options', 'invalid_json', 'Yes|No|Maybe'],
  [{ options: 'Yes|' }, 'Our options', 'too_few_options', 'at least two'],
  [{ options: '', option_1: 'Yes' }, 'Our option_1', 'too_few_options', 'at least two'],
  [{ options: '[{"id":"a"' }, 'Our options', 'invalid_json', 'in line 1 of the value, at character 11, a comma'],
  [{ starts_at: '23.11.2026' }, 'Our starts_at', 'invalid_date', 'the month first, such as 11/22/2026'],
  [{ question: ' ' }, 'Our question', 'required', 'required'],
] as const)('%j is rejected, naming the file’s own column', (row, column, code, reason) => {
  expect(errorsOf(row)).toContainEqual({
    ...{ line: 2, column, code, value: expect.anything() },
    reason: expect.stringContaining(reason),
  });
});

test('settings that leave out a needed field, or don’t fit the file, are refused', () => {
  const header = (columns: (ImportField | null)[], fields = columns.map(() => 'x')) => {
    try {
      assignedHeader({ line: 1, fields }, { delimiter: ',', columns, dateFormat: 'iso', timeZone: 'UTC' });
      return [];
    } catch (error) {
      return (error as FileRefused).errors.map(({ code, column }) => `${code} ${column}`);
    }
  };
  expect(header(['question', null])).toEqual([
    ...['missing_column starts_at', 'missing_column ends_at', 'missing_column option_1', 'missing_column option_2'],
  ]);
  expect(header(['question', 'question'])).toEqual(['duplicate_column question']);
  expect(header(['question'], ['a', 'b'])).toEqual(['column_mismatch null']);
  expect(header(['question', 'options', 'starts_at', 'ends_at', null])).toEqual([]);
});

test('columns are proposed by name, exact names first, each field once', () => {
  expect(namedColumns(['Title', 'Answer 1', 'Choice_2', 'Start date', 'CLOSES', 'Rubbish', 'Headline'])).toEqual([
    ...['question', 'option_1', 'option_2', 'starts_at', 'ends_at', null, null],
  ]);
  expect(namedColumns(['Title', 'question'])).toEqual([null, 'question']);
});

test.each([
  ['a;b;c', ';'],
  ['a\tb', '\t'],
  ['a|b|"c;d;e"', '|'],
  ['a,b;c,d', ','],
  ['only one', ','],
])('the delimiter of %j is %j', (line, delimiter) => expect(delimiterOf(line)).toBe(delimiter));
