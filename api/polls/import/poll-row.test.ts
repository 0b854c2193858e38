import { describe, expect, test } from 'vitest';
import { importColumns, importLimits } from './poll-import.contract.ts';
import type { ImportColumn } from './poll-import.contract.ts';
import { readHeader } from './csv-file.ts';
import { parseIsoDate } from './import-dates.ts';
import { FileRefused, importValueShown } from './import-problem.ts';
import { readRow } from './poll-row.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
type Values = Partial<Record<ImportColumn, string>>;

const good: Values = {
  id: 'poll-1',
  question: 'Tea or coffee?',
  description: 'The oldest question of the office.',
  options: '[{"id":"a","text":"Tea","votes":3},{"id":"b","text":"Coffee","votes":4}]',
  is_active: 'false',
  created_at: '2025-05-01',
  starts_at: '2025-05-01',
  ends_at: '2025-05-08',
};

function read(values: Values, seen = new Map<string, number>()) {
  const row = { ...good, ...values };
  const columns = importColumns.filter((column) => row[column] !== undefined);
  const header = readHeader({ line: 1, fields: columns });
  return readRow(
    2,
    columns.map((column) => row[column] ?? ''),
    header,
    seen,
    now,
  );
}

function pollOf(values: Values) {
  const row = read(values);
  if (!row || !('poll' in row)) throw new Error(`The row was rejected: ${JSON.stringify(row)}`);
  return row.poll;
}

function codesOf(values: Values, seen?: Map<string, number>): string[] {
  const row = read(values, seen);
  return row && 'errors' in row ? row.errors.map(({ column, code }) => `${column} ${code}`) : [];
}

const told = (values: Values) =>
  Object.values(values)
    .map((text) => JSON.stringify(text).slice(0, 60))
    .join(' ');
const options = (...list: unknown[]) => JSON.stringify(list);
const option = (id: unknown, votes: unknown = 1, text: unknown = `Answer ${String(id)}`) => ({ id, text, votes });

describe('a good row', () => {
  test('[S5.14 D4.3] is read with every value trimmed and dates parsed', () => {
    const texts = { category: ' Bees & other-Neighbours ', author: 'The desk\n', methodology_notes: ' Asked twice. ' };
    const lists = { tags: '["hot", " drinks "]', country_breakdown: '[{"name":"Peru","percentage":12.5}]' };
    const report = { summary: ' Coffee. ', analysis: ' <p>Why?</p> ', closed_at: '2025-05-07', total_votes: ' 7 ' };
    const values = {
      question: '  Tea\r\nor coffee?\t',
      starts_at: ' 2025-05-01T02:00+02:00 ',
      updated_at: '2025-06-01',
    };
    expect(pollOf({ ...values, ...texts, ...lists, ...report })).toEqual({
      line: 2,
      id: 'poll-1',
      question: 'Tea\nor coffee?',
      description: 'The oldest question of the office.',
      options: [option('a', 3, 'Tea'), option('b', 4, 'Coffee')],
      isActive: false,
      createdAt: Date.parse('2025-05-01'),
      startsAt: Date.parse('2025-05-01'),
      endsAt: Date.parse('2025-05-08T23:59Z'),
      closedAt: Date.parse('2025-05-07T23:59Z'),
      updatedAt: Date.parse('2025-06-01'),
      vague: expect.objectContaining({ endsAt: expect.anything() }),
      category: 'Bees & other-Neighbours',
      author: 'The desk',
      methodologyNotes: 'Asked twice.',
      tags: ['hot', 'drinks'],
      countryBreakdown: [{ name: 'Peru', percentage: 12.5 }],
      summary: 'Coffee.',
      analysis: '<p>Why?</p>',
    });
  });

  test('may be open for one day', () => {
    const { startsAt, endsAt } = pollOf({ starts_at: '2025-05-01', ends_at: '2025-05-01' });
    expect([startsAt, endsAt]).toEqual([Date.parse('2025-05-01'), Date.parse('2025-05-01T23:59Z')]);
  });

  test('that was closed today, without a time, is closed now', () => {
    const day = new Date(now).toISOString().slice(0, 10);
    expect(pollOf({ ends_at: '2099-01-01', closed_at: day }).closedAt).toBe(now);
  });

  test('distinguishes a missing column from an empty value', () => {
    expect(pollOf({})).not.toHaveProperty('summary', null);
    expect(pollOf({}).tags).toBeUndefined();
    expect(pollOf({ summary: ' ', tags: '', country_breakdown: '' })).toMatchObject({
      summary: null,
      tags: [],
      countryBreakdown: [],
    });
  });

  test.each(['true', 'TRUE', 'True', '1', 'yes', 'YES', ' yes '])('is_active "%s" is active', (word) => {
    expect(pollOf({ is_active: word }).isActive).toBe(true);
  });

  test.each(['false', 'False', '0', 'no', 'NO'])('is_active "%s" is not active', (word) => {
    expect(pollOf({ is_active: word }).isActive).toBe(false);
  });

  test.each([
    ['no', false],
    [' TRUE ', true],
    ['', undefined],
  ])('publish_ballots "%s" means %s', (word, publishBallots) => {
    expect(pollOf({ publish_ballots: word }).publishBallots).toBe(publishBallots);
  });

  test.each([
    ['["rain", " rain ", "", "sun"]', ['rain', 'sun']],
    ['rain, sun,, rain', ['rain', 'sun']],
    ['[]', []],
  ])('tags %s', (text, tags) => expect(pollOf({ tags: text }).tags).toEqual(tags));

  test('[S3.5] option texts are trimmed, and unknown members of an option are dropped', () => {
    const list = options({ ...option('a'), text: ' Tea ', colour: 'green' }, option('b'));
    expect(pollOf({ options: list }).options[0]).toEqual({ id: 'a', text: 'Tea', votes: 1 });
  });

  test('an apostrophe before a formula is removed only from what was exported here', () => {
    const question = "'-5 degrees?";
    expect(pollOf({ question }).question).toBe(question);
    const exported = Object.fromEntries(importColumns.map((column) => [column, good[column] ?? '']));
    expect(pollOf({ ...exported, question }).question).toBe('-5 degrees?');
  });

  test('markup, formulas, and names of object members are plain text', () => {
    for (const question of ['<script>x</script>?', '=1+1', '__proto__', "Robert'); DROP TABLE polls;--"])
      expect(pollOf({ question }).question).toBe(question);
    expect(pollOf({ options: options(option('__proto__'), option('constructor')) }).options).toHaveLength(2);
  });

  test('fields with only invisible characters are empty, and emoji keep their joiners', () => {
    const blank = '\u200b\u3164';
    expect(
      pollOf({ question: ' 👩‍👩‍👧‍👦❤️?', category: blank, author: blank, summary: blank, tags: `a,${blank}` }),
    ).toMatchObject({ question: '👩‍👩‍👧‍👦❤️?', category: null, author: null, summary: null, tags: ['a'] });
  });

  test('a row of only commas is ignored', () => {
    const header = readHeader({ line: 1, fields: importColumns });
    expect(
      readRow(
        2,
        Array.from(importColumns, () => ' '),
        header,
        new Map(),
        now,
      ),
    ).toBeNull();
  });
});

describe('an error of a row has column and reason', () => {
  const cases: [Values, ...string[]][] = [
    [{ id: '' }, 'id required'],
    [{ id: 'two words' }, 'id invalid_id'],
    [{ id: 'x'.repeat(81) }, 'id invalid_id'],
    [{ id: '../../etc/passwd' }, 'id invalid_id'],
    [{ id: 'bulk-upload' }, 'id reserved_id'],
    [{ id: 'Active' }, 'id reserved_id'],
    [{ id: 'historical' }, 'id reserved_id'],
    [{ id: 'related' }, 'id reserved_id'],
    [{ question: ' ' }, 'question required'],
    [{ question: '\u200b\u200d\ufeff' }, 'question required'],
    [{ description: '' }, 'description required'],
    [{ description: '\u3164 \u2060' }, 'description required'],
    [{ question: 'x'.repeat(importLimits.question + 1) }, 'question too_long'],
    [{ question: 'a\0b' }, 'question invalid_text'],
    [{ summary: 'bell \u0007' }, 'summary invalid_text'],
    [{ options: '' }, 'options required'],
    [{ options: 'Yes;No' }, 'options invalid_json'],
    [{ options: 'null' }, 'options invalid_options'],
    [{ options: '{"id":"a"}' }, 'options invalid_options'],
    [{ options: '["Yes","No"]' }, 'options invalid_options'],
    [{ options: '[]' }, 'options too_few_options'],
    [{ options: options(option('a')) }, 'options too_few_options'],
    [{ options: options(option('a'), option('a')) }, 'options duplicate_option_id'],
    [{ options: options(option('a'), option(' a ')) }, 'options duplicate_option_id'],
    [{ options: options(option(1), option('b')) }, 'options invalid_options'],
    [{ options: options(option(''), option('b')) }, 'options invalid_options'],
    [{ options: options(option('a', 1, ' '), option('b')) }, 'options invalid_options'],
    [{ options: options(option('a', 1, '\u200b\u00ad'), option('b')) }, 'options invalid_options'],
    [{ options: options({ id: 'a', text: 'A' }, option('b')) }, 'options invalid_options'],
    [{ options: options(option('a', -1), option('b')) }, 'options negative_votes'],
    [{ options: options(option('a', 1.5), option('b')) }, 'options invalid_options'],
    [{ options: options(option('a', '5'), option('b')) }, 'options invalid_options'],
    [{ options: options(option('a', true), option('b')) }, 'options invalid_options'],
    [{ options: '[{"id":"a","text":"A","votes":1e400},{"id":"b","text":"B","votes":1}]' }, 'options invalid_options'],
    [{ options: options(option('a', importLimits.votes), option('b', 1)) }, 'options invalid_options'],
    [{ options: options(option('a'), option('b', 1, '\ud800 half')) }, 'options invalid_text'],
    [
      { options: options(...Array.from({ length: importLimits.options + 1 }, (_, i) => option(`o${i}`))) },
      'options too_long',
    ],
    [{ total_votes: '8' }, 'total_votes total_votes_mismatch'],
    [{ total_votes: '0' }, 'total_votes total_votes_mismatch'],
    [{ total_votes: '-7' }, 'total_votes invalid_number'],
    [{ total_votes: '7.0' }, 'total_votes invalid_number'],
    [{ total_votes: 'seven' }, 'total_votes invalid_number'],
    [{ is_active: '' }, 'is_active required'],
    [{ is_active: 'maybe' }, 'is_active invalid_boolean'],
    [{ is_active: '-1' }, 'is_active invalid_boolean'],
    [{ publish_ballots: 'maybe' }, 'publish_ballots invalid_boolean'],
    [{ starts_at: '2099-01-01', ends_at: '2099-02-01' }, 'is_active inactive_before_start'],
    [{ created_at: '' }, 'created_at required'],
    [{ starts_at: '31/12/2024' }, 'starts_at invalid_date'],
    [{ ends_at: '2025-04-30' }, 'ends_at ends_before_start'],
    [{ starts_at: '2025-05-01T10:00:00Z', ends_at: '2025-05-01T11:00:00+03:00' }, 'ends_at ends_before_start'],
    [{ closed_at: '2025-04-30' }, 'closed_at closed_before_start'],
    [{ closed_at: '2027-01-01' }, 'closed_at closed_in_future'],
    [{ closed_at: 'soon' }, 'closed_at invalid_date'],
    [{ updated_at: 'soon' }, 'updated_at invalid_date'],
    [{ category: 'All' }, 'category reserved_category'],
    [{ category: 'x'.repeat(201) }, 'category too_long'],
    [{ tags: '["a"' }, 'tags invalid_json'],
    [{ tags: '[1]' }, 'tags invalid_tags'],
    [{ tags: '{a,b}' }, 'tags invalid_tags'],
    [{ country_breakdown: 'Kenya 55%' }, 'country_breakdown invalid_json'],
    [{ country_breakdown: '{"name":"Kenya"}' }, 'country_breakdown invalid_country_breakdown'],
    [{ country_breakdown: '[{"percentage":100}]' }, 'country_breakdown invalid_country_breakdown'],
    [{ country_breakdown: '[{"name":"Peru","percentage":-5}]' }, 'country_breakdown invalid_country_breakdown'],
    [{ country_breakdown: '[{"name":"Peru","percentage":101}]' }, 'country_breakdown invalid_country_breakdown'],
    [{ country_breakdown: '[{"name":"Peru","percentage":"55"}]' }, 'country_breakdown invalid_country_breakdown'],
    [{ country_breakdown: '[{"name":"\u2800","percentage":55}]' }, 'country_breakdown invalid_country_breakdown'],
    [
      { question: '', ends_at: 'never', is_active: '2' },
      'question required',
      'is_active invalid_boolean',
      'ends_at invalid_date',
    ],
  ];

  test.each(cases.map(([values, ...codes]) => ({ values, codes, title: `${codes.join(', ')}: ${told(values)}` })))(
    '[S5.15 D4.6] $title',
    ({ values, codes }) => {
      expect(codesOf(values)).toEqual(codes);
    },
  );

  test('the error for a duplicate id has the line of the first', () => {
    const row = read({}, new Map([['poll-1', 17]]));
    expect(row).toMatchObject({ errors: [{ line: 2, column: 'id', code: 'duplicate_id', value: 'poll-1' }] });
    expect(JSON.stringify(row)).toContain('line 17');
  });

  test('too many or too few fields are one error of the whole row', () => {
    const header = readHeader({ line: 1, fields: importColumns });
    expect(readRow(9, ['a', 'b'], header, new Map(), now)).toMatchObject({
      errors: [{ line: 9, column: null, code: 'column_count' }],
    });
  });

  test('a long value or one with control characters is not repeated in full', () => {
    const row = read({ ends_at: `\u001b[31m\u202e${'9'.repeat(1_000_000)}` });
    if (!row || !('errors' in row)) throw new Error('The row was not rejected.');
    expect(row.errors[0]?.value).toMatch(/^ \[31m 9+…$/);
    expect(row.errors[0]?.value).toHaveLength(importValueShown + 1);
  });
});

describe('the analysis', () => {
  test('[D9.13] is sanitized, with a warning and its line for every removed part', () => {
    expect(read({ analysis: '<p onclick="x()">Fine</p><script>y()</script>' })).toMatchObject({
      poll: { analysis: '<p>Fine</p>' },
      warnings: [
        { line: 2, column: 'analysis', value: 'onclick of <p>', code: 'unsafe_html_removed' },
        { line: 2, column: 'analysis', value: '<script>', code: 'unsafe_html_removed' },
      ],
    });
  });

  test('is empty if nothing safe is left of it', () => {
    expect(pollOf({ analysis: '<script>y()</script>' }).analysis).toBeNull();
  });
});

describe('the header', () => {
  const refusalOf = (fields: readonly string[] | null) => {
    try {
      readHeader({ line: 1, fields });
      return [];
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      return error.errors.map(({ code, column }) => (column === null ? code : `${code} ${column}`));
    }
  };

  test('[D9.4] accepts names in any order and letter case, with surrounding blanks', () => {
    const { positions } = readHeader({
      line: 1,
      fields: [...importColumns].reverse().map((name) => ` ${name.toUpperCase()} `),
    });
    expect(positions.get('id')).toBe(importColumns.length - 1);
    expect(positions.size).toBe(importColumns.length);
  });

  test('warns about an unknown column, but not about a nameless one', () => {
    const { warnings } = readHeader({ line: 1, fields: [...importColumns, 'Shoe_Size', ''] });
    expect(warnings).toMatchObject([{ line: 1, column: 'Shoe_Size', code: 'unknown_column' }]);
  });

  test('treats names of object members as unknown columns', () => {
    const inherited = ['__proto__', 'constructor', 'toString'];
    const { positions, warnings } = readHeader({ line: 1, fields: [...importColumns, ...inherited] });
    expect(warnings.map(({ column }) => column)).toEqual(inherited);
    expect([...positions.keys()]).toEqual([...importColumns]);
  });

  test('[S5.14] lists all missing required columns and each duplicate', () => {
    const fields = importColumns.filter((name) => name !== 'ends_at' && name !== 'id');
    expect(refusalOf([...fields, 'Category'])).toEqual([
      'missing_column id',
      'missing_column ends_at',
      'duplicate_column category',
    ]);
    const required = ['id', 'question', 'description', 'options', 'is_active', 'created_at', 'ends_at', 'starts_at'];
    expect(refusalOf(['category'])).toEqual(required.map((name) => `missing_column ${name}`));
    expect(refusalOf(required)).toEqual([]);
  });

  test.each([';', '\t', '|'])('recognizes "%s" as a wrong separator', (separator) => {
    expect(refusalOf([importColumns.join(separator)])).toEqual(['wrong_separator']);
  });

  test('refuses broken quotes, lone carriage returns, and UTF-16 without its mark', () => {
    expect(refusalOf(null)).toEqual(['unreadable_header']);
    expect(refusalOf(['id', 'question\rpoll-1'])).toEqual(['line_ends']);
    expect(refusalOf(['i\0d\0', '\0q\0'])).toEqual(['encoding']);
  });
});

test.each([
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['2026-03-01T09:30', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T09:30:15', '2026-03-01T09:30:15.000Z'],
  ['2026-03-01T09:30:15.5Z', '2026-03-01T09:30:15.500Z'],
  ['2026-03-01T09:30:15.123456789Z', '2026-03-01T09:30:15.123Z'],
  ['2026-03-01T09:30:15+05:45', '2026-03-01T03:45:15.000Z'],
  ['2026-03-01T09:30:15-0330', '2026-03-01T13:00:15.000Z'],
  ['2026-03-01T09:30+02', '2026-03-01T07:30:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['1936-01-31T00:00:00Z', '1936-01-31T00:00:00.000Z'],
  ['0042-07-01', '0042-07-01T00:00:00.000Z'],
])('[S5.15] %s is parsed as %s', (text, moment) => {
  expect(new Date(parseIsoDate(text) ?? Number.NaN).toISOString()).toBe(moment);
});

test.each([
  ...['yesterday', '2026', '2026-3-1', '01/03/2026', 'March 1, 2026', '1772323200', '20260301', '2026-03-01 09:00'],
  ...['2026-13-01', '2026-00-10', '2026-04-31', '2023-02-29', '1900-02-29', '2026-03-00'],
  ...['2026-03-01T24:00:00Z', '2026-03-01T25:00', '2026-03-01T09:60', '2026-03-01T23:59:60Z', '2026-03-01T9:00'],
  ...['2026-03-01T09:00:00+24:00', '2026-03-01T09:00:00+01:60', '2026-03-01Z', '0000-01-01', '9999-12-31T23:59-01:00'],
  ...['٢٠٢٦-٠٣-٠١', '2026-03-01\n', '-2026-03-01'],
])('[S5.15] "%s" is not a date', (text) => {
  expect(parseIsoDate(text)).toBeNull();
});

test('what a file states of imported answers is read from its columns, and a link must be an address of the web', () => {
  const columns = { source: ' The bureau ', field_dates: 'Jun 3–5, 2014', mode: '', link: 'https://bureau.example' };
  expect(pollOf({ ...columns, series_note: 'By telephone' })).toMatchObject({
    provenance: { source: 'The bureau', fieldDates: 'Jun 3–5, 2014', mode: null, link: 'https://bureau.example' },
    seriesNote: 'By telephone',
  });
  expect(pollOf({}).provenance).toBeUndefined();
  expect(codesOf({ link: 'javascript:alert(1)' })).toEqual(['link invalid_link']);
  expect(codesOf({ sample: 'x'.repeat(importLimits.provenance + 1) })).toEqual(['sample too_long']);
});
