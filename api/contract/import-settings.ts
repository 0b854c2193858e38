import type { FromSchema } from 'json-schema-to-ts';
import { importColumns, importErrorSchema, importWarningSchema } from './poll-import.ts';
import { count, maybeText, moment } from './scalars.ts';

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

/** What a column of a file can be read as. */
export const importFields = [...importColumns, ...optionFields] as const;
export type ImportField = (typeof importFields)[number];

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

/** How a file is read that is not in the specified format. */
export const importSettingsSchema = {
  $id: 'ImportSettings',
  type: 'object',
  required: ['delimiter', 'columns', 'timeZone'],
  additionalProperties: false,
  properties: {
    delimiter: { type: 'string', enum: delimiters, description: 'Between fields; unused for a workbook' },
    columns: {
      type: 'array',
      maxItems: settingsColumns,
      items: { anyOf: [{ type: 'string', enum: importFields }, { type: 'null' }] },
      description: 'What each column of the file is read as, in the file’s order; null: it is ignored',
    },
    dateFormat: {
      type: 'string',
      enum: dateFormats,
      description: 'By default, a preview detects it, and an import reads ISO dates',
    },
    timeZone: { type: 'string', maxLength: 60, description: 'IANA name; of dates without an offset' },
    headerLine: {
      type: 'integer',
      minimum: 1,
      maximum: headerLineMost,
      description: 'Line, or row of a workbook, with the names of the columns; what stands above is skipped',
    },
  },
} as const;
export type ImportSettings = FromSchema<typeof importSettingsSchema>;

const previewedPoll = {
  type: 'object',
  required: ['id', 'question', 'description', 'options', 'startsAt', 'endsAt', 'category', 'exists'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    question: { type: 'string' },
    description: { type: 'string' },
    options: { type: 'array', items: { type: 'string' } },
    startsAt: moment,
    endsAt: moment,
    category: maybeText,
    exists: { type: 'boolean', description: 'Whether the import would update a poll' },
  },
} as const;

/** How a file would be read: detected settings, or those that were sent, and its first rows. */
export const importPreviewSchema = {
  $id: 'ImportPreview',
  type: 'object',
  required: [
    ...['kind', 'isSpecified', 'isPerPerson', 'settings', 'dates', 'columns', 'missing', 'rows', 'errors', 'warnings'],
  ],
  additionalProperties: false,
  properties: {
    kind: { type: 'string', enum: ['csv', 'xlsx'] },
    isSpecified: { type: 'boolean', description: 'The file can be imported without settings' },
    isPerPerson: { type: 'boolean', description: 'It seems to have a row per person who answered, not per poll' },
    settings: importSettingsSchema,
    dates: {
      type: 'string',
      enum: ['known', 'ambiguous', 'mixed', 'mismatch'],
      description:
        'ambiguous: every date could be month-first or day-first; mixed: no one format fits all dates; mismatch: they have another format than was sent',
    },
    columns: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'samples'],
        additionalProperties: false,
        properties: {
          name: { type: 'string', description: 'In the header' },
          samples: { type: 'array', items: { type: 'string' }, description: 'First values, truncated' },
        },
      },
    },
    missing: {
      type: 'array',
      items: { type: 'string', enum: importFields },
      description: 'Fields without which nothing can be imported, and that no column is read as',
    },
    rows: {
      type: 'array',
      items: {
        type: 'object',
        required: ['line', 'poll'],
        additionalProperties: false,
        properties: { line: count, poll: { anyOf: [previewedPoll, { type: 'null' }], description: 'null: rejected' } },
      },
      description: 'The first rows; empty while a required field is missing',
    },
    errors: { type: 'array', items: importErrorSchema },
    warnings: { type: 'array', items: importWarningSchema },
  },
} as const;
export type ImportPreview = FromSchema<typeof importPreviewSchema>;
