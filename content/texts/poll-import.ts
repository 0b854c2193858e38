import type { ImportFileCode, ImportRowCode, ImportWarningCode } from '#contract/poll-import.ts';

const number = (value: number) => value.toLocaleString('en');
const rows = (count: number) => `${number(count)} ${count === 1 ? 'row' : 'rows'}`;
const polls = (count: number) => `${number(count)} ${count === 1 ? 'poll' : 'polls'}`;

/** Why a file was refused as a whole. */
export const importFileTexts = {
  wrong_extension: 'The name of the file does not end in .csv. Please select a CSV file.',
  empty_file: 'The file is empty: it has no bytes.',
  file_too_large: (bytes: number) =>
    `The file is larger than ${number(bytes / 1024 / 1024)} MB. Split it into several files and import one after the other.`,
  too_many_rows: (most: number) =>
    `The file has more than ${rows(most)}. Split it into several files and import one after the other.`,
  encoding: 'The file is not UTF-8, and not UTF-16 with a byte order mark. Save it as “CSV UTF-8” and import it again.',
  line_ends:
    'The lines of the file end in a lone carriage return. Save it with LF or CRLF line ends and import it again.',
  unreadable_header: 'The first line cannot be read as CSV: its quotes do not match.',
  wrong_separator: (separator: string) =>
    `The fields are separated by ${separator}, but an import takes commas. Save the file with commas and import it again.`,
  missing_column: (column: string) => `The required column “${column}” is missing.`,
  duplicate_column: (column: string) =>
    `The column “${column}” appears twice, so that it is not clear which one counts.`,
  no_rows: 'The file has no rows after the header.',
} as const satisfies Record<ImportFileCode, unknown>;

export const separatorNames = { ';': 'semicolons', '\t': 'tabs', '|': 'vertical bars' } as const;

/** Why a row was rejected. */
export const importRowTexts = {
  csv_syntax:
    'The quotes of this row do not match. A field with quotes, commas or line breaks is put in double quotes, and a quote inside it is doubled.',
  column_count: (found: number, expected: number) =>
    `The row has ${number(found)} fields, but the header has ${number(expected)}.`,
  required: 'This value is required, but it is empty.',
  invalid_id: 'An id takes 1 to 80 letters (A to Z), digits, hyphens and underscores.',
  reserved_id: 'This word is part of an address of the site and cannot be an id.',
  duplicate_id: (line: number) => `The same id already stands in line ${number(line)}; the first one counts.`,
  id_taken: 'A community poll has this id. Choose another one.',
  invalid_text: 'The text holds control characters or halves of characters that cannot be stored.',
  too_long: (most: number) => `The value is too long: it takes up to ${number(most)} characters.`,
  too_many: (most: number) => `The list is too long: it takes up to ${number(most)} entries.`,
  invalid_json: 'The text is not valid JSON.',
  invalid_options: 'The options must be a JSON list of objects, each with id, text and votes.',
  invalid_option: (position: number) =>
    `Option ${number(position)} must be an object with an id, a text and votes, a whole number.`,
  too_many_votes: (most: number) => `A poll takes up to ${number(most)} votes.`,
  too_few_options: 'A poll needs at least two options.',
  duplicate_option_id: (id: string) => `Two options have the id “${id}”.`,
  negative_votes: (position: number) => `Option ${number(position)} has fewer than zero votes.`,
  option_has_votes: (id: string) =>
    `The option “${id}” is missing in the file, but people have voted for it here. It cannot be removed.`,
  invalid_number: 'This is not a whole number of zero or more.',
  total_votes_mismatch: (sum: number) => `The votes of the options add up to ${number(sum)}.`,
  invalid_boolean: 'This takes true, false, 1, 0, yes or no.',
  inactive_before_start:
    'A poll that starts in the future must be active: it stays hidden until its start and opens then.',
  invalid_date:
    'This is not an ISO 8601 date such as 2026-03-01 or 2026-03-01T09:00:00Z, or there is no such day or time.',
  ends_before_start: 'The end is not after the start.',
  closed_before_start: 'The closing time is before the start.',
  closed_in_future:
    'The closing time is in the future. Leave it empty for a poll that is still open; dates without an offset are UTC.',
  reserved_category: 'The archive uses this word for all categories. Choose another one.',
  invalid_tags: 'Tags must be a JSON list of texts, or texts separated by commas.',
  invalid_country_breakdown: 'This must be a JSON list of objects, each with a name and a percentage from 0 to 100.',
} as const satisfies Record<ImportRowCode, unknown> & Record<string, unknown>;

export const importWarningTexts = {
  unknown_column: 'This column is not known and was ignored.',
  unsafe_html_removed: 'This was removed from the analysis, since it is not allowed in a page.',
} as const satisfies Record<ImportWarningCode, unknown>;

/** The outcome of an import in a sentence or two. */
export const importMessages = {
  refused: (reason: string) => `Nothing was imported. ${reason}`,
  refusedWithMore: (reason: string, more: number) =>
    `Nothing was imported. ${reason} (${number(more)} more ${more === 1 ? 'error' : 'errors'})`,
  done: (inserted: number, updated: number, unchanged: number) =>
    inserted + updated === 0
      ? `Nothing changed: ${polls(unchanged)} already as in the file.`
      : `Imported ${polls(inserted + updated)}: ${number(inserted)} new, ${number(updated)} updated, ${number(unchanged)} unchanged.`,
  wouldDo: (inserted: number, updated: number, unchanged: number) =>
    `Dry run, nothing was changed. An import would add ${polls(inserted)}, update ${number(updated)} and leave ${number(unchanged)} unchanged.`,
  rejected: (count: number) => `${rows(count)} rejected.`,
  nothingAccepted: (count: number) => `Nothing was imported: ${rows(count)} rejected.`,
  allOrNothing: (count: number) =>
    `Nothing was imported, since ${rows(count)} ${count === 1 ? 'was' : 'were'} rejected and the import was asked to take all or nothing.`,
  listed: (most: number) => `The first ${number(most)} errors are listed.`,
} as const;

/** What becomes of an import beside its result. */
export const importHistoryTexts = {
  brokenOff: 'The import broke off. What it had written stays; import the same file again to go on.',
  failed: (reason: string) =>
    `The import stopped: ${reason}. What it had written stays; import the same file again to go on.`,
  overtaken: 'The import took too long between two steps and was given up.',
  busy: 'Another import is being written right now. Please try again in a moment.',
  undoUnfinished:
    'The last import is being taken back, and that has not come to its end. Undo it again to finish that first.',
  noSuchImport: 'There is no such import.',
  notTheLast: 'This import cannot be undone: it changed nothing, or another one came after it. Reload and look again.',
  undoneAlready: 'This import has been undone already.',
  nothingToUndo: 'There is no import to undo: none has changed anything yet, or the last one is undone already.',
  unnamed: 'a file',
  buildReason: 'An import was undone',
  preview: (counts: UndoneCounts) => `An undo would ${did(counts, ['remove', 'restore', 'leave'])}.`,
  undone: (counts: UndoneCounts) => `The import was undone. ${capital(did(counts, ['removed', 'restored', 'left']))}.`,
} as const;

/** What an undo did, or would do. */
interface UndoneCounts {
  readonly removed: number;
  readonly restored: number;
  readonly keptVoted: number;
  readonly keptChanged: number;
}

function did(counts: UndoneCounts, [remove, restore, leave]: readonly [string, string, string]): string {
  const { removed, restored, keptVoted, keptChanged } = counts;
  const parts = [
    `${remove} ${polls(removed)}`,
    `${restore} ${number(restored)}`,
    ...(keptVoted > 0 ? [`${leave} ${number(keptVoted)} on which people have voted`] : []),
    ...(keptChanged > 0 ? [`${leave} ${number(keptChanged)} that were edited since`] : []),
  ];
  return parts.length === 1 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Why the site is built again after an import, as the build's log shows it. */
export const importBuildReason = (changed: number) => `Import of ${polls(changed)}`;

/** What the command `npm run import` says. */
export const importCommandTexts = {
  usage: `Imports polls from a CSV file.

  npm run import -- FILE.csv [--dry-run] [--all-or-nothing]

  npm run import -- --undo [--dry-run] [--discard-edits]
  npm run import -- --remove-demonstration

  --dry-run               says what would happen and changes nothing
  --all-or-nothing        imports nothing when any row is wrong
  --undo                  takes the last import back: polls that it added go, unless people have voted on them; polls
                          that it updated get their former texts, times and imported counts back; votes stay, and so
                          do polls that were edited since
  --discard-edits         with --undo: also undoes polls that were edited after the import; their edits are lost
  --remove-demonstration  removes the polls that came with the software, with their votes
  --help                  shows this text

Polls are known by their id: new ids are added, known ones updated, and votes that were cast on the site stay on
top of the imported counts. The command ends with 0 when every row was right, and with 1 when the file was refused
or a row was rejected.

Required columns: id, question, description, options, is_active, created_at, ends_at, starts_at
Optional columns: total_votes, summary, analysis, methodology_notes, author, category, tags, closed_at,
                  country_breakdown, updated_at
options is a JSON list of {"id", "text", "votes"}; dates are ISO 8601 (without an offset: UTC).`,
  fileAndUndo: 'An undo takes no file: npm run import -- --undo (--help shows all).',
  undoOf: (file: string, moment: string) => `Import of ${file}, ${moment}.`,
  discardWithoutUndo:
    '--discard-edits belongs to an undo: npm run import -- --undo --discard-edits (--help shows all).',
  kept: {
    changes: 'These stay as they are, because they were edited after the import (--discard-edits undoes them as well):',
    votes: 'These stay, because people have voted on them:',
  },
  removedDemonstration: (count: number, community: number) =>
    count + community === 0
      ? 'There are no demonstration polls.'
      : `Removed ${polls(count)} and ${number(community)} community ${community === 1 ? 'poll' : 'polls'} that came with the software.`,
  awaitsBuild: 'A build is running. Removed polls are taken out of the pages when it ends; waiting for it.',
  noFile: 'Which file? Name one CSV file: npm run import -- FILE.csv (--help shows all).',
  tooManyFiles: (count: number) => `One file at a time, please: ${number(count)} were named.`,
  noSuchFile: (file: string) => `There is no file ${file}.`,
  isFolder: (file: string) => `${file} is a folder, but an import takes a file.`,
  unreadable: (file: string, reason: string) => `${file} cannot be read: ${reason}.`,
  databaseFailed: (reason: string) => `The database cannot be used: ${reason}. Nothing was imported by this command.`,
  stopped: (reason: string) =>
    `The import stopped: ${reason}. What it had written stays; import the same file again to go on.`,
  phases: { checking: 'Checking', writing: 'Writing' },
  bar: '{text} [{bar}] {percentage} %',
  counts: { inserted: 'new', updated: 'updated', unchanged: 'unchanged', rejected: 'rejected rows' },
  errors: (count: number) => `${number(count)} ${count === 1 ? 'error' : 'errors'}`,
  warnings: (count: number) => `${number(count)} ${count === 1 ? 'warning' : 'warnings'}`,
  heads: { line: 'line', column: 'column', value: 'value', reason: 'reason' },
  none: '–',
  more: (count: number) => `… and ${number(count)} more.`,
  took: (seconds: number) => `Took ${seconds.toFixed(1)} s.`,
} as const;
