import { Type } from 'typebox';
import {
  closed,
  count,
  described,
  maybeMoment,
  maybeText,
  moment,
  named,
  nullable,
  oneOf,
  query,
} from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';

/** Characters of texts, and numbers of entries, in a poll of an imported file. */
export const importLimits = {
  question: 500,
  description: 5_000,
  optionText: 300,
  optionId: 80,
  options: 100,
  optionsMin: 2,
  summary: 5_000,
  analysis: 200_000,
  methodology: 20_000,
  seriesNote: 300,
  /** Each of the texts about imported answers. */
  provenance: 500,
  tags: 30,
  countries: 300,
  /** Low enough that the sum over all polls is an exact number. */
  votes: 100_000_000_000,
} as const;

/** Columns that every CSV file of polls must have. */
export const requiredImportColumns = [
  'id',
  'question',
  'description',
  'options',
  'is_active',
  'created_at',
  'ends_at',
  'starts_at',
] as const;

/** Columns that a CSV file of polls may have. */
export const optionalImportColumns = [
  'total_votes',
  'summary',
  'analysis',
  'methodology_notes',
  'author',
  'category',
  'tags',
  'closed_at',
  'country_breakdown',
  'updated_at',
  'series',
  'publish_ballots',
  'protection',
  'series_note',
  'source',
  'sample',
  'field_dates',
  'mode',
  'sponsor',
  'license',
  'link',
] as const;

export const importColumns = [...requiredImportColumns, ...optionalImportColumns] as const;
export type ImportColumn = (typeof importColumns)[number];

/** The column of a downloaded file of rejected rows that says why; imports ignore it. */
export const rejectionColumn = 'import_errors';

/** Reasons for which a whole file is refused and nothing is imported. */
export const importFileCodes = [
  'wrong_extension',
  'empty_file',
  'file_too_large',
  'too_many_rows',
  'encoding',
  'line_ends',
  'unreadable_header',
  'wrong_separator',
  'missing_column',
  'duplicate_column',
  'no_rows',
  'invalid_workbook',
  'wrong_content',
  'row_per_person',
  'unreadable_response',
  'too_many_answers',
  'column_mismatch',
] as const;
export type ImportFileCode = (typeof importFileCodes)[number];

/** Reasons for which a row is rejected. */
const importRowCodes = [
  'csv_syntax',
  'column_count',
  'required',
  'spreadsheet_error',
  'invalid_id',
  'reserved_id',
  'duplicate_id',
  'id_taken',
  'id_deleted',
  'invalid_text',
  'too_long',
  'invalid_json',
  'invalid_options',
  'too_few_options',
  'duplicate_option_id',
  'duplicate_option',
  'negative_votes',
  'option_has_votes',
  'ballots_locked',
  'invalid_protection',
  'protection_locked',
  'protection_unavailable',
  'invalid_number',
  'total_votes_mismatch',
  'invalid_boolean',
  'inactive_before_start',
  'invalid_date',
  'ends_before_start',
  'closed_before_start',
  'closed_in_future',
  'reserved_category',
  'invalid_tags',
  'invalid_country_breakdown',
  'invalid_link',
] as const;
export type ImportRowCode = (typeof importRowCodes)[number];

/** Warnings that do not stop the import. */
const importWarningCodes = ['unknown_column', 'unsafe_html_removed', 'garbled_text'] as const;
export type ImportWarningCode = (typeof importWarningCodes)[number];

export const importModes = ['partial', 'all-or-nothing'] as const;
export type ImportMode = (typeof importModes)[number];

const place = {
  line: nullable(Type.Integer({ minimum: 1 }), {
    description: 'Line on which the row starts (the header is line 1); null for the whole file',
  }),
  column: nullable(Type.String(), { description: 'null for the whole row' }),
  value: nullable(Type.String(), { description: 'The value found, truncated if long' }),
};
const reason = Type.String({ description: 'A message to display' });

export const importErrorSchema = named('ImportError', {
  ...place,
  code: oneOf([...importFileCodes, ...importRowCodes]),
  reason,
});
export type ImportError = Static<typeof importErrorSchema>;

export const importWarningSchema = named('ImportWarning', { ...place, code: oneOf(importWarningCodes), reason });
export type ImportWarning = Static<typeof importWarningSchema>;

/** Errors of one kind in one column. */
const errorGroup = closed({
  code: importErrorSchema.properties.code,
  column: place.column,
  reason: Type.String({ description: 'The first error’s' }),
  sameReason: Type.Boolean({ description: 'Whether it is the reason of all of them' }),
  count,
  lines: Type.Array(count, { description: 'The first ones' }),
});
export type ErrorGroup = Static<typeof errorGroup>;

/**
 * The result of an import or a dry run. `imported` is `inserted` plus `updated`. Valid rows are `imported` plus `unchanged`;
 * `rejected` counts rows, and a row may have several errors.
 */
export const importResultSchema = named('ImportResult', {
  message: Type.String({ description: 'The outcome in one or two sentences, to display' }),
  imported: count,
  inserted: count,
  updated: count,
  unchanged: count,
  rejected: count,
  errors: Type.Array(importErrorSchema, { description: 'In file order; the first ones of very many' }),
  groups: Type.Array(errorGroup, { description: 'All errors by code and column, most frequent first' }),
  warnings: Type.Array(importWarningSchema, { description: 'In file order' }),
});
export type ImportResult = Static<typeof importResultSchema>;

/** Where an import was started. */
const importOrigins = ['page', 'terminal'] as const;
export type ImportOrigin = (typeof importOrigins)[number];

/** States of an import. `stopped`: it was interrupted, and what it had written stays. */
const importStates = ['running', 'done', 'refused', 'stopped', 'undoing', 'undone'] as const;
export type ImportState = (typeof importStates)[number];

/** Effects of undoing an import on the polls that it added or updated. */
const undoCounts = {
  removed: described(count, 'Polls the import added that have no votes cast here'),
  restored: described(count, 'Polls whose previous text, times, and imported counts are restored'),
  keptVoted: described(count, 'Polls the import added that are kept because people voted on them'),
  keptChanged: described(count, 'Polls left unchanged because they were edited after the import'),
  keptLater: described(count, 'Polls left unchanged because a later import changed them'),
};

/** Days for which the previous states of polls are kept, so that an import can be undone. */
export const undoDays = 90;

/** An import in the history. */
export const importRecordSchema = named('ImportRecord', {
  id: Type.String(),
  startedAt: moment,
  finishedAt: maybeMoment,
  origin: oneOf(importOrigins),
  fileName: maybeText,
  mode: oneOf(importModes),
  state: oneOf(importStates),
  message: Type.String({ description: 'The outcome in one or two sentences' }),
  inserted: count,
  updated: count,
  unchanged: count,
  rejected: count,
  undoable: Type.Boolean({
    description: `Whether it can be undone: it changed polls, was not undone yet, and is at most ${undoDays} days old, or no import followed it`,
  }),
  undo: nullable(closed({ undoneAt: maybeMoment, ...undoCounts }), {
    description: 'Progress of the undo; null if none was requested',
  }),
});
export type ImportRecord = Static<typeof importRecordSchema>;

/** One page of imports, newest first. */
export const importHistorySchema = named('ImportHistory', {
  imports: Type.Array(importRecordSchema),
  page: count,
  pages: described(count, 'At least 1'),
  total: count,
});
export type ImportHistory = Static<typeof importHistorySchema>;

/** Why an undo leaves a poll unchanged. */
export const leftReasons = ['later', 'changes', 'votes'] as const;
export type LeftReason = (typeof leftReasons)[number];

const leftPoll = closed({ id: Type.String(), question: Type.String(), because: oneOf(leftReasons) });

/** How an undo treats polls that were edited after the import. */
export const undoOptionsSchema = query({
  discardEdits: Type.Boolean({
    default: false,
    description: 'Also undo polls that were edited after the import; an undo that continues keeps its first choice',
  }),
});

/** What undoing an import would do now, and what depends on it. */
export const undoPreviewSchema = named('UndoPreview', {
  ...undoCounts,
  votes: described(count, 'Votes cast here on the polls it added or updated; all are kept'),
  series: Type.Array(Type.String(), { description: 'The first series whose waves would be removed or changed' }),
  later: Type.Array(closed({ id: Type.String(), fileName: maybeText, startedAt: moment, polls: count }), {
    description: 'The first later imports that changed the same polls, newest first; undone first, they release them',
  }),
  kept: Type.Array(leftPoll, { description: 'The first polls left unchanged, per reason' }),
});
export type UndoPreview = Static<typeof undoPreviewSchema>;
