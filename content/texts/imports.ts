import type { ExportKind, ExportSource, ExportState } from '#api/polls/exports/exports.contract.ts';
import type {
  DateFormat,
  Delimiter,
  FileShape,
  FixedField,
  ImportField,
} from '#api/polls/import/import-settings.contract.ts';
import { importFileTexts } from './poll-import.ts';

const number = (value: number) => value.toLocaleString('en-US');

/** Choosing a file, or the address of one. */
export const sourceTexts = {
  address: 'Or the address of a published spreadsheet, such as a Google sheet',
  fetch: 'Fetch',
  fetching: 'Fetching',
  fetched: (day: string, extension: string) => `Spreadsheet ${day}.${extension}`,
  missing: 'Please enter the address of a spreadsheet.',
  formats: 'CSV or Excel (.xlsx), up to 20 MB and 50,000 rows',
} as const;

/** How a file is read that isn’t in the specified format. */
export const mappingTexts = {
  heading: 'How the file is read',
  open: 'Change how the file is read',
  delimiter: 'Fields are separated by',
  delimiters: {
    ',': 'Commas',
    ';': 'Semicolons',
    '\t': 'Tabs',
    '|': 'Vertical bars',
  } as const satisfies Record<Delimiter, string>,
  workbook: 'The first sheet of the workbook is read.',
  headerLine: 'Row with the column names',
  headerLineHint: 'Rows above it are skipped.',
  dateFormat: 'Dates',
  chooseFormat: 'Choose…',
  dateFormats: {
    iso: 'Year first: 2026-11-22',
    'month-first': 'Month first: 11/22/2026',
    'day-first': 'Day first: 22/11/2026',
  } as const satisfies Record<DateFormat, string>,
  ambiguous: 'The dates in this file could have the month or the day first. Choose one.',
  mixed:
    'Some dates in this file have the month first and others the day. Choose one; the other rows will be rejected.',
  mismatch:
    'At least one date in this file has another order than the chosen one; the rows of such dates will be rejected.',
  timeZone: 'Time zone',
  timeZoneHint:
    'Of dates without one. A date without a time is the beginning of its day, or as an end its last minute, 23:59.',
  columns: 'Columns',
  idsHint: 'Polls without an id get one from their question and start date; the same file always gives the same ids.',
  column: (name: string, place: number) => (name === '' ? `Column ${number(place)}` : name),
  readAs: (column: string) => `Read “${column}” as`,
  ignored: 'Not imported',
  fields: {
    id: 'Id',
    question: 'Question',
    description: 'Description',
    options: 'Options (Yes|No|Maybe, or JSON)',
    is_active: 'Active',
    created_at: 'Created',
    ends_at: 'End',
    starts_at: 'Start',
    total_votes: 'Total votes',
    summary: 'Summary',
    analysis: 'Analysis',
    methodology_notes: 'Methodology',
    author: 'Author',
    category: 'Category',
    tags: 'Tags',
    closed_at: 'Closed',
    country_breakdown: 'Countries (JSON)',
    updated_at: 'Updated',
    series: 'Series',
    publish_ballots: 'Publish ballots',
    series_note: 'Note in the series',
    source: 'Source of the answers',
    sample: 'Sample or base',
    field_dates: 'Field dates',
    mode: 'Mode',
    sponsor: 'Sponsor',
    license: 'License',
    link: 'Link',
    protection: 'Who can vote',
    option_1: 'Option 1',
    option_2: 'Option 2',
    option_3: 'Option 3',
    option_4: 'Option 4',
    option_5: 'Option 5',
    option_6: 'Option 6',
    option_7: 'Option 7',
    option_8: 'Option 8',
    option_9: 'Option 9',
    option_10: 'Option 10',
    answer_votes: 'An answer, with its votes',
    answer_percent: 'An answer, in percent',
    base: 'People asked',
    response: 'What each person answered',
    answered_at: 'When each person answered',
  } as const satisfies Record<ImportField, string>,
  missing: (fields: readonly string[]) =>
    `Choose the columns for: ${new Intl.ListFormat('en-US', { type: 'conjunction' }).format(fields)}.`,
  /** What a file is that lacks something. */
  shapes: {
    results: 'This file has a row per poll, and a column per answer.',
    responses: importFileTexts.row_per_person,
    'row-per-answer':
      'This file seems to have a row per answer of one poll. Put the answers side by side, each in a column of its own, with their results in one row below, and import that.',
    other: 'This file is a table, and no column looks like a question, options, or the answers of people.',
  } as const satisfies Record<Exclude<FileShape, 'polls'>, string>,
  fixed: 'For all rows, without a column',
  fixedHints: {
    question: undefined,
    starts_at: 'Such as 2026-11-22.',
    ends_at: 'Such as 2026-11-29.',
    base: 'The number of people whose answers the percentages are of.',
  } as const satisfies Record<FixedField, string | undefined>,
  answers: 'Answers',
  answersHint:
    'One per line. If you leave this blank, they are found in the file. With a list, cells with several answers are split by it, and whatever else they have counts as “Other.”',
  rows: 'The first rows, as they would be imported',
  line: (line: number) => `Line ${number(line)}`,
  rejected: 'Rejected',
  isNew: 'New',
  exists: 'Already here',
  opens: 'Opens',
  closes: 'Closes',
  check: 'Check all rows',
} as const;

/** The errors of a file. */
export const rejectionTexts = {
  groups: (count: number) => `${number(count)} ${count === 1 ? 'kind of error' : 'kinds of errors'}`,
  heads: { count: 'Rows', column: 'Column', lines: 'Lines', reason: 'Reason' },
  forExample: (reason: string) => `For example: ${reason}`,
  lines: (lines: readonly number[], count: number) =>
    `${lines.map(number).join(', ')}${count > lines.length ? '…' : ''}`,
  download: 'Download rejected rows',
  downloading: 'Collecting the rows',
  hint: 'The file has the rejected rows with their errors. Correct them and import it; the other rows aren’t in it.',
  fileName: 'rejected-rows.csv',
} as const;

/** What depends on an import that is to be undone. */
export const dependentTexts = {
  keptLater: (count: number) =>
    count === 1
      ? '1 poll will be left unchanged because a later import changed it.'
      : `${number(count)} polls will be left unchanged because later imports changed them.`,
  leftList: 'Left unchanged because a later import changed it',
  later: 'To restore these polls, too, undo the later imports first:',
  laterImport: (file: string, moment: string, polls: number) =>
    `${file}, ${moment} (${number(polls)} ${polls === 1 ? 'poll' : 'polls'})`,
  votes: (count: number) =>
    count === 1
      ? '1 vote was cast here on the polls of this import. It stays.'
      : `${number(count)} votes were cast here on the polls of this import. They stay.`,
  series: (names: readonly string[]) =>
    `Polls of these series will change: ${new Intl.ListFormat('en-US', { type: 'conjunction' }).format(names)}.`,
} as const;

/** Exporting polls. */
export const exportTexts = {
  heading: 'Exports',
  text: 'Polls, results, and ballots as files for spreadsheets and programs.',
  source: 'Which polls',
  sources: {
    weekly: 'Weekly polls',
    community: 'Public community polls',
  } as const satisfies Record<ExportSource, string>,
  sourceHints: {
    weekly: undefined,
    community:
      'Without their creators. Private and unlisted polls, and those that were taken down, are never exported; their creators can download the results.',
  } as const satisfies Record<ExportSource, string | undefined>,
  kind: 'What',
  kinds: {
    polls: 'Polls',
    results: 'Results',
    ballots: 'Published ballots',
  } as const satisfies Record<ExportKind, string>,
  hints: {
    weekly: {
      polls:
        'As CSV, they can be imported again. The counts are the imported ones; votes cast here are in the results.',
      results: 'One row per option, with the votes counted now.',
      ballots: 'The ballots of closed polls, as everybody can download them: receipt, option, batch, and status.',
    },
    community: {
      polls: 'Texts, dates, settings, and totals.',
      results: 'One row per option. The counts are blank where people see them only after voting, or never.',
      ballots: 'The ballots of closed polls whose results everybody sees: receipt, option, batch, and status.',
    },
  } as const satisfies Record<ExportSource, Record<ExportKind, string>>,
  state: 'State',
  states: {
    all: 'All',
    scheduled: 'Scheduled',
    open: 'Open',
    closed: 'Closed',
  } as const satisfies Record<ExportState, string>,
  poll: 'Poll id',
  pollHint: 'Leave it blank for all polls in this state.',
  optional: 'optional',
  csv: 'Download CSV',
  json: 'Download JSON',
  pending: 'Preparing the file',
} as const;
