import { Type } from 'typebox';
import { pollIdSchema } from '#api/polls/polls.contract.ts';
import { get } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { closed, described, oneOf, query } from '#contract/schema.ts';

/** What can be exported: polls as an import reads them, results with one row per option, and published ballots. */
export const exportKinds = ['polls', 'results', 'ballots'] as const;
export type ExportKind = (typeof exportKinds)[number];
export const exportFormats = ['csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];
export const exportStates = ['all', 'scheduled', 'open', 'closed'] as const;
export type ExportState = (typeof exportStates)[number];

/** Which polls: the weekly ones, or the public community polls. */
export const exportSources = ['weekly', 'community'] as const;
export type ExportSource = (typeof exportSources)[number];

/** Columns of exported community polls, in their order; the weekly polls have those of imports. */
export const communityColumns = [
  ...(['id', 'question', 'description', 'options', 'state', 'category', 'tags', 'created_at', 'edited_at'] as const),
  ...(['starts_at', 'ends_at', 'closed_at', 'result_visibility', 'publish_ballots', 'protection'] as const),
  ...(['method', 'min_choices', 'max_choices', 'comments', 'total_votes'] as const),
] as const;

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
  // Of voters, who may choose several options.
  'percent',
  'imported_votes',
  'total_votes',
  'set_aside_votes',
  'votes_after_results',
  'votes_in_published_order',
  'votes_embedded',
  'votes_on_screen',
  'independent_votes',
  // Of ranked options, as lists by round: the votes of this one, null once it is eliminated, and those that rank none that is left.
  'rounds',
  'exhausted_votes',
  // The votes that rank it above each other option, by the id of that.
  'preferred_to',
  // Of an answer that a voter wrote.
  'added_at',
] as const;

/** Columns of exported ballots, in their order; the ids of several options have commas between. */
export const ballotColumns = ['poll_id', 'version', 'receipt', 'option_id', 'batch', 'status', 'decision'] as const;

/** Exports for operators. */
export const exportEndpoints = {
  exportPolls: {
    ...get('/api/admin/exports/:file'),
    admin: 'editor',
    scope: 'read',
    summary:
      'Polls, their results, or their published ballots as CSV or JSON: of the weekly polls, which as CSV can be imported again and change nothing, or of the public community polls, with results where everyone may see them',
    params: closed({ file: Type.String({ pattern: `^(${exportKinds.join('|')})\\.(${exportFormats.join('|')})$` }) }),
    query: query({
      source: oneOf(exportSources, { default: 'weekly' }),
      state: oneOf(exportStates, { default: 'all' }),
      poll: described(pollIdSchema, 'Only this poll'),
    }),
    status: 200,
    responseType: 'text/csv',
    errors: ['VALIDATION_FAILED', 'POLL_NOT_FOUND', 'ADMIN_REQUIRED'],
  },
} as const satisfies Record<string, Endpoint>;
