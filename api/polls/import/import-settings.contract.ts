import { Type } from 'typebox';
import { closed, count, maybeText, moment, named, nullable, oneOf } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import { importColumns, importErrorSchema, importLimits, importWarningSchema } from './poll-import.contract.ts';

/** Columns that hold one option each, in their order. */
export const optionFields = [
  'option_1',
  'option_2',
  'option_3',
  'option_4',
  'option_5',
  'option_6',
  'option_7',
  'option_8',
  'option_9',
  'option_10',
] as const;

/** Columns of results, each with what its name says as an answer: its votes, or its share of the base in percent. */
export const answerFields = ['answer_votes', 'answer_percent'] as const;

/** Columns of answers: how many people were asked; and of a row per person, what each answered, and when. */
const resultFields = [...answerFields, 'base', 'response', 'answered_at'] as const;

/** What a column of a file can be read as; `answerFields` of several ones. */
export const importFields = [...importColumns, ...optionFields, ...resultFields] as const;
export type ImportField = (typeof importFields)[number];

/** Fields that can have one value for all rows instead of a column. */
export const fixedFields = ['question', 'starts_at', 'ends_at', 'base'] as const;
export type FixedField = (typeof fixedFields)[number];

export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

/** How dates of numbers are read. ISO 8601 dates are read with every format. */
export const dateFormats = ['iso', 'month-first', 'day-first'] as const;
export type DateFormat = (typeof dateFormats)[number];

/** Most columns of a file that settings assign. */
export const settingsColumns = 200;
/** The last line that can have the names of the columns. */
export const headerLineMost = 30;
/** Characters of settings as a form field. */
export const importSettingsChars = 20_000;
/** Rows that a preview shows. */
export const previewRows = 5;
/** Lines that a group of errors names. */
export const groupLines = 5;

const fixedText = Type.Optional(Type.String({ minLength: 1, maxLength: importLimits.question }));

/** How a file is read that is not in the specified format. */
export const importSettingsSchema = named('ImportSettings', {
  delimiter: oneOf(delimiters, { description: 'Between fields; unused for a workbook' }),
  columns: Type.Array(nullable(oneOf(importFields)), {
    maxItems: settingsColumns,
    description: 'What each column of the file is read as, in the file’s order; null: it is ignored',
  }),
  dateFormat: Type.Optional(
    oneOf(dateFormats, { description: 'By default, a preview detects it, and an import reads ISO dates' }),
  ),
  timeZone: Type.String({ maxLength: 60, description: 'IANA name; of dates without an offset' }),
  headerLine: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: headerLineMost,
      description: 'Line, or row of a workbook, with the names of the columns; what stands above is skipped',
    }),
  ),
  fixed: Type.Optional(
    closed(
      { question: fixedText, starts_at: fixedText, ends_at: fixedText, base: fixedText },
      { description: 'Values for all rows, of fields without a column' },
    ),
  ),
  answers: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: importLimits.optionText }), {
      minItems: 2,
      maxItems: importLimits.options,
      description: 'Answers that are counted in a file with a row per person; by default those that it has',
    }),
  ),
});
export type ImportSettings = Static<typeof importSettingsSchema>;

/** What a file can be. */
const fileShapes = ['polls', 'results', 'responses', 'row-per-answer', 'other'] as const;
export type FileShape = (typeof fileShapes)[number];

const previewedPoll = closed({
  id: Type.String(),
  question: Type.String(),
  description: Type.String(),
  options: Type.Array(Type.String()),
  votes: nullable(Type.Array(count), { description: 'null: the file states none' }),
  startsAt: moment,
  endsAt: moment,
  category: maybeText,
  exists: Type.Boolean({ description: 'Whether the import would update a poll' }),
});

/** How a file would be read: detected settings, or those that were sent, and its first rows. */
export const importPreviewSchema = named('ImportPreview', {
  kind: oneOf(['csv', 'xlsx']),
  isSpecified: Type.Boolean({ description: 'The file can be imported without settings' }),
  shape: oneOf(fileShapes, {
    description:
      'What the file seems to be: polls, a row each; results with a column per answer; a row per person who answered, or per answer of one poll; or none of these',
  }),
  settings: importSettingsSchema,
  dates: oneOf(['known', 'ambiguous', 'mixed', 'mismatch'], {
    description:
      'ambiguous: every date could be month-first or day-first; mixed: no one format fits all dates; mismatch: they have another format than was sent',
  }),
  columns: Type.Array(
    closed({
      name: Type.String({ description: 'In the header' }),
      samples: Type.Array(Type.String(), { description: 'First values, truncated' }),
    }),
  ),
  missing: Type.Array(oneOf(importFields), {
    description: 'Fields without which nothing can be imported, and that no column is read as',
  }),
  rows: Type.Array(closed({ line: count, poll: nullable(previewedPoll, { description: 'null: rejected' }) }), {
    description: 'The first rows; empty while a required field is missing',
  }),
  errors: Type.Array(importErrorSchema),
  warnings: Type.Array(importWarningSchema),
});
export type ImportPreview = Static<typeof importPreviewSchema>;
