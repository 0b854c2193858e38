import { Type } from 'typebox';
import {
  importHistorySchema,
  importLimits,
  importRecordSchema,
  undoOptionsSchema,
  undoPreviewSchema,
} from '#api/polls/import/poll-import.contract.ts';
import * as limits from '#contract/limits.ts';
import { del, get, patch, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import {
  adjusted,
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
  soughtText,
} from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import { managedStates, pollProtections } from '#contract/vocabulary.ts';
import { pollIdParams, pollIdSchema } from './polls.contract.ts';

/** A poll in the operator's list. */
const managedPollSchema = named('ManagedPoll', {
  id: pollIdSchema,
  question: Type.String(),
  state: oneOf(managedStates),
  totalVotes: count,
  votesHere: described(count, 'How many of them were cast on this site'),
  startsAt: described(maybeMoment, 'null only in a draft'),
  endsAt: described(maybeMoment, 'null only in a draft'),
  closedAt: maybeMoment,
  category: maybeText,
  demonstration: Type.Boolean(),
  changes: nullable(closed({ at: moment, by: Type.String() }), {
    description: 'When its draft was last saved, and by whom; null: nothing waits to be published',
  }),
  previewToken: described(
    maybeText,
    'Shows the poll before its start, and as it would be published with the changes of its draft; null for moderators and API tokens',
  ),
});
export type ManagedPoll = Static<typeof managedPollSchema>;

/** One page of polls: drafts first, then open ones, scheduled ones, and closed ones; the newest first among them. */
const managedPollsSchema = named('ManagedPolls', {
  polls: Type.Array(managedPollSchema),
  page: count,
  pages: described(count, 'At least 1'),
  total: described(count, 'Of what was asked for'),
  demonstration: described(count, 'Polls, community polls, and unchanged articles that came with the software'),
});
export type ManagedPolls = Static<typeof managedPollsSchema>;

const text = (most: number) => Type.String({ minLength: 1, maxLength: most });
const optionalText = (most: number) => nullable(Type.String({ maxLength: most }));

/** New texts of a poll; omitted ones stay. An empty text or null clears an optional one. */
const pollTextsSchema = named(
  'PollTexts',
  {
    question: Type.Optional(text(importLimits.question)),
    description: Type.Optional(text(importLimits.description)),
    category: Type.Optional(optionalText(limits.importShortText)),
    author: Type.Optional(optionalText(limits.importShortText)),
    tags: Type.Optional(Type.Array(text(limits.importShortText), { maxItems: importLimits.tags })),
    series: Type.Optional(
      described(optionalText(limits.importShortText), 'Polls with the same series ask the same question again'),
    ),
    summary: Type.Optional(optionalText(importLimits.summary)),
    analysis: Type.Optional(described(optionalText(importLimits.analysis), 'HTML; disallowed parts are removed')),
    methodologyNotes: Type.Optional(optionalText(importLimits.methodology)),
    publishBallots: Type.Optional(
      Type.Boolean({ description: 'Whether its ballots are published; refused once it has opened' }),
    ),
    protection: Type.Optional(
      oneOf(pollProtections, { description: 'What votes need; with votes it can only be raised, which its page says' }),
    ),
    options: Type.Optional(
      Type.Array(closed({ id: Type.String(), text: text(importLimits.optionText) }), {
        minItems: 1,
        maxItems: importLimits.options,
        description: 'New text for existing options; refused once the poll has votes',
      }),
    ),
  },
  { minProperties: 1 },
);
export type PollTexts = Static<typeof pollTextsSchema>;

const page = Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 });
const importParams = closed({ id: Type.String({ pattern: '^[1-9][0-9]{0,14}$' }) });

/** Endpoints of the operator for finished imports and single polls. */
export const managingEndpoints = {
  imports: {
    ...get('/api/admin/imports'),
    scope: 'read',
    admin: 'editor',
    summary: 'Imports from the page and the terminal, newest first',
    query: query({ page }),
    status: 200,
    response: importHistorySchema,
    errors: ['VALIDATION_FAILED', 'ADMIN_REQUIRED'],
  },
  undoPreview: {
    ...get('/api/admin/imports/:id/undo'),
    admin: 'editor',
    summary: 'Preview the undo of an import, and what depends on it, without changing anything',
    params: importParams,
    query: undoOptionsSchema,
    status: 200,
    response: undoPreviewSchema,
    errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  undoImport: {
    ...post('/api/admin/imports/:id/undo'),
    admin: 'editor',
    confirm: true,
    summary:
      'Undo an import; votes cast here, and polls that later imports changed, are kept. A long undo returns early with the state undoing',
    params: importParams,
    query: undoOptionsSchema,
    status: 200,
    response: importRecordSchema,
    errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  managedPolls: {
    ...get('/api/admin/polls'),
    scope: 'read',
    admin: 'operator',
    summary: 'Polls for the operator, filtered by state and by words in the question or id',
    query: query({ page, state: oneOf(managedStates), search: adjusted(soughtText, { maxLength: 200 }) }),
    status: 200,
    response: managedPollsSchema,
    errors: ['VALIDATION_FAILED', 'ADMIN_REQUIRED'],
  },
  closePoll: {
    ...post('/api/admin/polls/:id/close'),
    admin: 'editor',
    summary: 'Close an open poll early',
    params: pollIdParams,
    status: 204,
    errors: ['POLL_NOT_FOUND', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  reopenPoll: {
    ...post('/api/admin/polls/:id/reopen'),
    admin: 'editor',
    summary: 'Reopen a closed poll until its end; if its end has passed, it needs a new one',
    params: pollIdParams,
    body: closed({ endsAt: Type.Optional(moment) }),
    status: 204,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  editPoll: {
    ...patch('/api/admin/polls/:id'),
    admin: 'editor',
    summary: 'Edit the text of a poll; its options can only change while it has no votes',
    params: pollIdParams,
    body: pollTextsSchema,
    longBody: true,
    status: 200,
    response: closed({
      changed: Type.Boolean({ description: 'false: nothing was different' }),
      removed: Type.Array(Type.String(), { description: 'Disallowed HTML that was removed from the analysis' }),
    }),
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  removeDemonstration: {
    ...del('/api/admin/demonstration'),
    admin: 'owner',
    confirm: true,
    summary:
      'Remove every poll that came with the software, with its votes, and articles that were never changed; who voted stays a participant',
    status: 200,
    response: closed({ polls: count, communityPolls: count, articles: count }),
    errors: ['ADMIN_REQUIRED'],
  },
} as const satisfies Record<string, Endpoint>;
