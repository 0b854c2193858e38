import type { DateFormat } from '#api/polls/import/import-settings.contract.ts';
import type { ImportFileCode, ImportRowCode, ImportWarningCode } from '#api/polls/import/poll-import.contract.ts';

const number = (value: number) => value.toLocaleString('en-US');
const rows = (count: number) => `${number(count)} ${count === 1 ? 'row' : 'rows'}`;
const polls = (count: number) => `${number(count)} ${count === 1 ? 'poll' : 'polls'}`;

/** Why a file was refused as a whole. */
export const importFileTexts = {
  wrong_extension: 'The file name doesn’t end in .csv. Please select a CSV file.',
  wrong_extension_with_settings: 'The file name must end in .csv, .tsv, or .xlsx.',
  workbook_too_large: (bytes: number) =>
    `The workbook unpacks to more than ${number(bytes / 1024 / 1024)} MB. Save the sheet with the polls as CSV and import that.`,
  empty_file: 'The file is empty.',
  file_too_large: (bytes: number) =>
    `The file is larger than ${number(bytes / 1024 / 1024)} MB. Split it into several files and import them one at a time.`,
  too_many_rows: (most: number) =>
    `The file has more than ${rows(most)}. Split it into several files and import them one at a time.`,
  encoding: 'The file is neither UTF-8 nor UTF-16 with a byte order mark. Save it as “CSV UTF-8” and import it again.',
  line_ends:
    'The lines of the file end in a carriage return alone. Save it with LF or CRLF line endings and import it again.',
  unreadable_header: 'The line with the column names isn’t valid CSV: its quotes don’t match.',
  wrong_separator: (separator: string) =>
    `The fields are separated by ${separator}, but an import needs commas. Save the file with commas and import it again.`,
  missing_column: (column: string) => `The required column “${column}” is missing.`,
  duplicate_column: (column: string) => `The column “${column}” appears twice.`,
  no_rows: 'The file has no rows after the header.',
  wrong_content: {
    named_workbook:
      'The file is named .xlsx, but it has text and no workbook in it. If it’s a CSV file, rename it so that it ends in .csv.',
    old_workbook:
      'This is a workbook of an old format (.xls), or one with a password. Save it as .xlsx without a password, or as CSV.',
    is_workbook: 'This is an Excel workbook, although its name ends in .csv. Rename it so that it ends in .xlsx.',
    web_page: 'This is a web page, not a table. Open it, and save or download the table as CSV or .xlsx.',
  },
  row_per_person:
    'The file seems to have one row per person who answered, such as the answers to a form. Choose the column whose answers are to be counted; they become one poll.',
  unreadable_response: (line: number) =>
    `Line ${number(line)} can’t be read, and without it the answers would be counted wrongly. Correct it, or remove the line.`,
  too_many_answers:
    'This column has too many different answers, as if people had written them in their own words. Choose another column, or list the answers that are to be counted.',
  invalid_workbook: 'The workbook can’t be read. Save it again as .xlsx without a password, or as CSV.',
  column_mismatch: (found: number, expected: number) =>
    `The file has ${number(found)} columns, but the settings are for ${number(expected)}. Choose the file again.`,
} as const satisfies Record<ImportFileCode, unknown> & Record<string, unknown>;

export const separatorNames = { ';': 'semicolons', '\t': 'tabs', '|': 'vertical bars' } as const;

interface JsonPlace {
  readonly line: number;
  readonly column: number;
  readonly expected: keyof typeof jsonExpectations;
}

const jsonExpectations = {
  value: 'a text in double quotes, a number, a list, or an object',
  key: 'a name in double quotes',
  colon: 'a colon',
  comma: 'a comma or a closing bracket',
  end: 'the end of the value',
  quote: 'a closing double quote',
  escape: 'an escaped character, such as \\n for a line break,',
} as const;

/** Why a row was rejected. */
export const importRowTexts = {
  csv_syntax:
    'The quotes in this row don’t match. Put a field that contains quotes, commas, or line breaks in double quotes, and double any quote inside it.',
  column_count: (found: number, expected: number) =>
    `The row has ${number(found)} fields, but the header has ${number(expected)}.`,
  required: 'This value is required but empty.',
  spreadsheet_error:
    'A formula of the spreadsheet failed here. Correct it, or type the value, and save the file again.',
  invalid_id: 'An id must be 1 to 80 letters (A to Z), digits, hyphens, or underscores.',
  reserved_id: 'This word is reserved for an address on the site and can’t be an id.',
  duplicate_id: (line: number) => `The same id is already used in line ${number(line)}; the first one counts.`,
  id_deleted: 'A poll with this id was deleted, and its address must not show another one. Choose a different id.',
  id_taken: 'A community poll already has this id. Choose a different one.',
  generated_id_taken: (id: string) =>
    `Without an id, this row would get “${id}”, which a poll with another question has. Add a column with ids: that one to change the poll, or a new one to add another.`,
  invalid_text: 'The text contains control characters or broken characters that can’t be stored.',
  too_long: (most: number) => `The value is too long: the limit is ${number(most)} characters.`,
  too_many: (most: number) => `The list is too long: the limit is ${number(most)} entries.`,
  invalid_json: ({ line, column, expected }: JsonPlace) =>
    `This isn’t valid JSON: in line ${number(line)} of the value, at character ${number(column)}, ${jsonExpectations[expected]} was expected.`,
  no_json: 'This isn’t valid JSON.',
  not_options:
    'This is neither a JSON list nor a list separated by vertical bars, such as Yes|No|Maybe. Commas don’t separate options, because texts contain them.',
  invalid_options: 'The options must be a JSON list of objects, each with id, text, and votes.',
  invalid_option: (position: number) =>
    `Option ${number(position)} must be an object with an id, a text, and a whole number of votes.`,
  too_many_votes: (most: number) => `A poll can have up to ${number(most)} votes.`,
  too_few_options: 'A poll needs at least two options.',
  duplicate_option_id: (id: string) => `Two options have the id “${id}”.`,
  duplicate_option: (position: number, text: string) =>
    `Option ${number(position)}, “${text}”, looks the same as an earlier option, so votes would be split between them.`,
  negative_votes: (position: number) => `Option ${number(position)} has fewer than zero votes.`,
  option_has_votes: (id: string) =>
    `The option “${id}” is missing from the file, but it has votes, so it can’t be removed.`,
  invalid_protection: 'This must be browser, check, email, or members.',
  protection_locked: 'The poll has opened. Change what its votes need in the editor, which tells its voters.',
  protection_unavailable: 'This site can’t check that: email needs SMTP_URL, and check needs https.',
  ballots_locked: 'The poll has opened, so it’s too late to change whether its ballots are published.',
  invalid_number: 'This must be a whole number, zero or more.',
  not_a_count: 'This must be a whole number of people or votes.',
  not_a_share: 'This must be a percentage from 0 to 100.',
  mixed_results: 'One poll has either votes or percentages, not both.',
  shares_over: 'The percentages of this row add up to more than 100.',
  total_votes_mismatch: (sum: number) => `The votes of the options add up to ${number(sum)}.`,
  invalid_boolean: 'This must be true, false, 1, 0, yes, or no.',
  inactive_before_start: 'A poll that starts in the future must be active: it stays hidden until it starts.',
  invalid_date: 'This isn’t a valid ISO 8601 date, such as 2026-03-01 or 2026-03-01T09:00:00Z.',
  date_in_format: {
    iso: 'This isn’t a date that exists in ISO format, such as 2026-11-22 or 2026-11-22 09:30.',
    'month-first': 'This isn’t a date that exists with the month first, such as 11/22/2026 or 11/22/2026 9:30 AM.',
    'day-first': 'This isn’t a date that exists with the day first, such as 22.11.2026 or 22/11/2026 09:30.',
  } as const satisfies Record<DateFormat, string>,
  skipped_time: (zone: string) =>
    `This time doesn’t exist in ${zone}: clocks are set forward then, and skip it. Choose an earlier or a later one.`,
  ends_before_start: 'The end must be after the start.',
  closed_before_start: 'The closing time is before the start.',
  closed_in_future: 'The closing time is in the future. Leave it blank for a poll that is still open.',
  reserved_category: 'The archive uses this word for all categories. Choose a different one.',
  invalid_tags: 'Tags must be a JSON list of strings or a comma-separated list.',
  invalid_link: 'The link must be an address that starts with https:// or http://.',
  invalid_country_breakdown: 'This must be a JSON list of objects, each with a name and a percentage from 0 to 100.',
} as const satisfies Record<ImportRowCode, unknown> & Record<string, unknown>;

export const importWarningTexts = {
  unknown_column: 'This column is unknown and was ignored.',
  garbled_text: (text: string) =>
    `This looks garbled, as if the file had been saved with another encoding. Did you mean “${text}”?`,
  characters_lost:
    'Characters were lost here when the file was saved: each is now �. Save it again as “CSV UTF-8” from the original.',
  unsafe_html_removed: 'This was removed from the analysis because it isn’t allowed on a page.',
} as const satisfies Record<ImportWarningCode, unknown> & Record<string, unknown>;

/** What imports add to polls whose results they have counted or derived. */
export const importNotes = {
  derived: (base: string) =>
    `Derived counts: the source gives percentages. Each was multiplied by the ${base} people who were asked, and rounded to a whole vote.`,
  counted: (people: number) => `Counted from the answers of ${number(people)} people.`,
  several: (people: number) =>
    `Counted from the answers of ${number(people)} people, who could give several: the votes are answers, not people.`,
  rest: 'Other or no answer',
  other: 'Other',
} as const;

/** Why a spreadsheet at an address can’t be used. */
export const spreadsheetTexts = {
  notAnAddress: 'Enter an address that starts with https:// or http://, without a password.',
  notPublic: 'This address isn’t on the public internet.',
  unreachable: (reason: string) => `The spreadsheet couldn’t be fetched: ${reason}`,
  redirects: 'This address redirects too often.',
  isPage:
    'This address shows a web page. Publish the sheet as CSV (in Google Sheets: File, Share, Publish to web, Comma-separated values), and use that address.',
  status: (status: number) => `The server of this address answered with the error ${status}.`,
} as const;

/** The outcome of an import in a sentence or two. */
export const importMessages = {
  refused: (reason: string) => `Nothing was imported. ${reason}`,
  refusedWithMore: (reason: string, more: number) =>
    `Nothing was imported. ${reason} (${number(more)} more ${more === 1 ? 'error' : 'errors'})`,
  done: (inserted: number, updated: number, unchanged: number) =>
    inserted + updated === 0
      ? `Nothing changed: ${polls(unchanged)} already matched the file.`
      : `Imported ${polls(inserted + updated)}: ${number(inserted)} new, ${number(updated)} updated, ${number(unchanged)} unchanged.`,
  wouldDo: (inserted: number, updated: number, unchanged: number) =>
    `Dry run: nothing was changed. An import would add ${polls(inserted)}, update ${number(updated)}, and leave ${number(unchanged)} unchanged.`,
  rejected: (count: number) => `${rows(count)} rejected.`,
  nothingAccepted: (count: number) => `Nothing was imported: ${rows(count)} rejected.`,
  allOrNothing: (count: number) =>
    `Nothing was imported because ${rows(count)} ${count === 1 ? 'was' : 'were'} rejected and the import was set to all or nothing.`,
  listed: (most: number) => `The first ${number(most)} errors are listed.`,
} as const;

/** The outcome of imports that failed or were undone. */
export const importHistoryTexts = {
  brokenOff: 'The import was interrupted. What it had written stays; import the same file again to continue.',
  failed: (reason: string) =>
    `The import stopped: ${reason}. What it had written stays; import the same file again to continue.`,
  overtaken: 'The import took too long between two steps and was abandoned.',
  busy: 'Another import is in progress. Please try again in a moment.',
  undoUnfinished: 'Undoing an import hasn’t finished. Undo it again to finish that first.',
  noSuchImport: 'There is no such import.',
  nothingLeft: 'This import can’t be undone: it changed nothing, or it’s too old.',
  undoneAlready: 'This import has already been undone.',
  nothingToUndo: 'There is no import to undo: none has changed anything yet, or all have already been undone.',
  unnamed: 'a file',
  preview: (counts: UndoneCounts) => `An undo would ${did(counts, ['remove', 'restore', 'leave'])}.`,
  undone: (counts: UndoneCounts) => `The import was undone. ${capital(did(counts, ['removed', 'restored', 'left']))}.`,
} as const;

/** What an undo did, or would do. */
interface UndoneCounts {
  readonly removed: number;
  readonly restored: number;
  readonly keptVoted: number;
  readonly keptChanged: number;
  readonly keptLater: number;
}

function did(counts: UndoneCounts, [remove, restore, leave]: readonly [string, string, string]): string {
  const { removed, restored, keptVoted, keptChanged, keptLater } = counts;
  const parts = [
    `${remove} ${polls(removed)}`,
    `${restore} ${number(restored)}`,
    ...(keptVoted > 0 ? [`${leave} ${number(keptVoted)} that people have voted on`] : []),
    ...(keptLater > 0 ? [`${leave} ${number(keptLater)} that later imports changed`] : []),
    ...(keptChanged > 0 ? [`${leave} ${number(keptChanged)} that were edited since then`] : []),
  ];
  return new Intl.ListFormat('en-US', { type: 'conjunction' }).format(parts);
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Reason for the build after an import, as its log shows it. */

/** What the command `npm run import` says. */
export const importCommandTexts = {
  usage: `Imports polls from a file: CSV, also with semicolons, tabs, or vertical bars, or an Excel workbook (.xlsx).

  npm run import -- FILE [--dry-run] [--all-or-nothing]
      [--columns FIELD,FIELD,…] [--dates ORDER] [--time-zone ZONE] [--header-line NUMBER]

  npm run import -- --undo [--dry-run] [--discard-edits]
  npm run import -- --remove-demonstration

  --dry-run               show what an import or --undo would do and change nothing
  --all-or-nothing        import nothing if any row has an error
  --columns               what each column is read as, in the file’s order, with - for columns that are ignored, such as
                          question,option_1,option_2,starts_at,-,ends_at; by default their names decide. Of results:
                          answer_votes or answer_percent with base; of a row per person: response and answered_at
  --dates                 iso, month-first, or day-first; by default the file’s dates decide
  --time-zone             an IANA name such as Europe/Berlin, for dates without an offset
  --header-line           the line with the column names; lines above it are skipped
  --undo                  undo the newest import that is not undone yet: removes polls it added, unless people have voted
                          on them, and restores the previous text, times, and imported counts of polls it updated;
                          keeps votes, and polls that were edited since then
  --discard-edits         with --undo: also undo polls that were edited after the import; their edits are lost
  --remove-demonstration  remove the demo polls and their votes, and articles that were never changed
  --help                  show this help

Polls are matched by id: new ids are added, existing ones updated. Votes cast on the site count in addition to the
imported counts. The exit code is 0 if every row was imported, and 1 if the file was refused or a row was
rejected.

The following is the format that is read as it stands. Files in other formats are read as the admin page proposes it; polls
without an id get one from their question and start date.

Required columns: id, question, description, options, is_active, created_at, ends_at, starts_at
Optional columns: total_votes, summary, analysis, methodology_notes, author, category, tags, closed_at,
                  country_breakdown, updated_at, series, publish_ballots, protection, series_note,
                  source, sample, field_dates, mode, sponsor, license, link
options is a JSON list of {"id", "text", "votes"}; dates are ISO 8601. Without an offset they are in the time zone
of the site (TIME_ZONE). A date without a time is the beginning of its day, or as an end its last minute, 23:59.`,
  readAs: 'Columns are read as follows. Change this with --columns.',
  ignored: 'not imported',
  unclearDates:
    'The dates in this file could have the month or the day first: add --dates month-first or --dates day-first.',
  noField: (name: string) => `There is no field “${name}” (see --help).`,
  noDateOrder: (name: string) => `--dates must be iso, month-first, or day-first, not “${name}.”`,
  noZone: (name: string) => `There is no time zone “${name}.”`,
  noHeaderLine: (most: number) => `--header-line must be a number from 1 to ${most}.`,
  fileAndUndo: '--undo takes no file: npm run import -- --undo (see --help).',
  removalDryRun: '--remove-demonstration has no --dry-run: nothing was removed (see --help).',
  undoOf: (file: string, moment: string) => `Import of ${file}, ${moment}.`,
  discardWithoutUndo: '--discard-edits requires --undo: npm run import -- --undo --discard-edits (see --help).',
  kept: {
    later: 'Left unchanged because a later import changed them:',
    changes: 'Left unchanged because they were edited after the import (--discard-edits undoes them too):',
    votes: 'Left in place because people have voted on them:',
  },
  removedDemonstration: (count: number, community: number, articles: number) =>
    count + community + articles === 0
      ? 'There are no demo polls.'
      : `Removed ${polls(count)} and ${number(community)} community ${community === 1 ? 'poll' : 'polls'} that came with the software, and ${number(articles)} ${articles === 1 ? 'article' : 'articles'}.`,
  noFile: 'Missing file: npm run import -- FILE.csv (see --help).',
  tooManyFiles: (count: number) => `Only one file can be imported at a time, but ${number(count)} were given.`,
  noSuchFile: (file: string) => `No such file: ${file}.`,
  isFolder: (file: string) => `${file} is a folder, not a file.`,
  unreadable: (file: string, reason: string) => `${file} can’t be read: ${reason}.`,
  databaseFailed: (reason: string) => `The database can’t be used: ${reason}. This command imported nothing.`,
  stopped: (reason: string) =>
    `The import stopped: ${reason}. What it had written stays; import the same file again to continue.`,
  phases: { checking: 'Checking', writing: 'Writing' },
  bar: '{text} [{bar}] {percentage} %',
  counts: { inserted: 'new', updated: 'updated', unchanged: 'unchanged', rejected: 'rejected rows' },
  errors: (count: number) => `${number(count)} ${count === 1 ? 'error' : 'errors'}`,
  warnings: (count: number) => `${number(count)} ${count === 1 ? 'warning' : 'warnings'}`,
  heads: { line: 'line', column: 'column', value: 'value', reason: 'reason' },
  none: '–',
  more: (count: number) => `…and ${number(count)} more.`,
  took: (seconds: number) => `Took ${seconds.toFixed(1)} s.`,
} as const;
