import type { FromSchema } from 'json-schema-to-ts';
import { importModes } from './poll-import.ts';
import { count, maybeMoment, maybeText, moment } from './scalars.ts';

/** Where an import was asked for. */
export const importOrigins = ['page', 'terminal'] as const;
export type ImportOrigin = (typeof importOrigins)[number];

/** How an import stands: `stopped` broke off and what it had written stays. */
export const importStates = ['running', 'done', 'refused', 'stopped', 'undoing', 'undone'] as const;
export type ImportState = (typeof importStates)[number];

/** What taking an import back does: to polls that it added, and to polls that it updated. */
const undoCounts = {
  removed: { ...count, description: 'Polls the import added that have no votes cast here' },
  restored: { ...count, description: 'Polls whose previous text, times, and imported counts are restored' },
  keptVoted: { ...count, description: 'Polls the import added that are kept because people voted on them' },
  keptChanged: { ...count, description: 'Polls left unchanged because they were edited after the import' },
} as const;
const undoNames = ['removed', 'restored', 'keptVoted', 'keptChanged'] as const;

/** One import as the operator sees it later. */
export const importRecordSchema = {
  $id: 'ImportRecord',
  type: 'object',
  required: [
    'id',
    'startedAt',
    'finishedAt',
    'origin',
    'fileName',
    'mode',
    'state',
    'message',
    'inserted',
    'updated',
    'unchanged',
    'rejected',
    'undoable',
    'undo',
  ],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    startedAt: moment,
    finishedAt: maybeMoment,
    origin: { type: 'string', enum: importOrigins },
    fileName: maybeText,
    mode: { type: 'string', enum: importModes },
    state: { type: 'string', enum: importStates },
    message: { type: 'string', description: 'The outcome in one or two sentences' },
    inserted: count,
    updated: count,
    unchanged: count,
    rejected: count,
    undoable: { type: 'boolean', description: 'Whether it can be undone: it is the last one that changed anything' },
    undo: {
      anyOf: [
        {
          type: 'object',
          required: ['undoneAt', ...undoNames],
          additionalProperties: false,
          properties: { undoneAt: maybeMoment, ...undoCounts },
        },
        { type: 'null' },
      ],
      description: 'Progress of the undo; null if none was requested',
    },
  },
} as const;
export type ImportRecord = FromSchema<typeof importRecordSchema>;

/** One page of imports, newest first. */
export const importHistorySchema = {
  $id: 'ImportHistory',
  type: 'object',
  required: ['imports', 'last', 'page', 'pages', 'total'],
  additionalProperties: false,
  properties: {
    imports: { type: 'array', items: importRecordSchema },
    last: {
      anyOf: [importRecordSchema, { type: 'null' }],
      description: 'The import that can be undone, on any page',
    },
    page: count,
    pages: { ...count, description: 'At least 1' },
    total: count,
  },
} as const;
export type ImportHistory = FromSchema<typeof importHistorySchema>;

const keptPoll = {
  type: 'object',
  required: ['id', 'question', 'because'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    question: { type: 'string' },
    because: { type: 'string', enum: ['votes', 'changes'] },
  },
} as const;

/** What an undo does about polls that were edited after the import. */
export const undoOptionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    discardEdits: {
      type: 'boolean',
      default: false,
      description: 'Also undo polls that were edited after the import; an undo that continues keeps its first choice',
    },
  },
} as const;

/** What taking the last import back would do now. */
export const undoPreviewSchema = {
  $id: 'UndoPreview',
  type: 'object',
  required: [...undoNames, 'kept'],
  additionalProperties: false,
  properties: {
    ...undoCounts,
    kept: { type: 'array', items: keptPoll, description: 'The first polls left unchanged, per reason' },
  },
} as const;
export type UndoPreview = FromSchema<typeof undoPreviewSchema>;
