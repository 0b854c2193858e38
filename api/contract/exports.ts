import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { pollIdSchema } from './poll.ts';

/** What can be exported: polls as an import reads them, results with one row per option, and published ballots. */
export const exportKinds = ['polls', 'results', 'ballots'] as const;
export type ExportKind = (typeof exportKinds)[number];
export const exportFormats = ['csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];
export const exportStates = ['all', 'scheduled', 'open', 'closed'] as const;
export type ExportState = (typeof exportStates)[number];

/** Columns of exported results, in their order. */
export const resultColumns = [
  'poll_id',
  'question',
  'state',
  'starts_at',
  'ends_at',
  'closed_at',
  'option_id',
  'option',
  'position',
  'votes',
  'percent',
  'imported_votes',
  'total_votes',
  'set_aside_votes',
] as const;

/** Columns of exported ballots, in their order. */
export const ballotColumns = ['poll_id', 'version', 'receipt', 'option_id', 'batch', 'status', 'decision'] as const;

/** Exports for operators. */
export const exportEndpoints = {
  exportPolls: {
    ...routes.exportPolls,
    admin: 'editor',
    scope: 'read',
    summary:
      'Weekly polls, their results, or their published ballots as CSV or JSON; the polls as CSV can be imported again, and change nothing',
    params: {
      type: 'object',
      required: ['file'],
      additionalProperties: false,
      properties: {
        file: { type: 'string', pattern: `^(${exportKinds.join('|')})\\.(${exportFormats.join('|')})$` },
      },
    },
    query: {
      type: 'object',
      additionalProperties: false,
      properties: {
        state: { type: 'string', enum: exportStates, default: 'all' },
        poll: { ...pollIdSchema, description: 'Only this poll' },
      },
    },
    status: 200,
    responseType: 'text/csv',
    errors: ['VALIDATION_FAILED', 'POLL_NOT_FOUND', 'ADMIN_REQUIRED'],
  },
} as const satisfies Record<string, Endpoint>;
