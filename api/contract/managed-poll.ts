import type { FromSchema } from 'json-schema-to-ts';
import {
  importHistorySchema,
  importLimits,
  importRecordSchema,
  undoOptionsSchema,
  undoPreviewSchema,
} from './poll-import.ts';
import * as limits from './limits.ts';
import { pollIdParams, pollIdSchema } from './poll.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, maybeMoment, maybeText, moment, soughtText } from './scalars.ts';
import { managedStates, pollProtections } from './vocabulary.ts';

/** A poll in the operator's list. */
const managedPollSchema = {
  $id: 'ManagedPoll',
  type: 'object',
  required: [
    'id',
    'question',
    'state',
    'totalVotes',
    'votesHere',
    'startsAt',
    'endsAt',
    'closedAt',
    'category',
    'demonstration',
    'changes',
    'previewToken',
  ],
  additionalProperties: false,
  properties: {
    id: pollIdSchema,
    question: { type: 'string' },
    state: { type: 'string', enum: managedStates },
    totalVotes: count,
    votesHere: { ...count, description: 'How many of them were cast on this site' },
    startsAt: { ...maybeMoment, description: 'null only in a draft' },
    endsAt: { ...maybeMoment, description: 'null only in a draft' },
    closedAt: maybeMoment,
    category: maybeText,
    demonstration: { type: 'boolean' },
    changes: {
      anyOf: [
        {
          type: 'object',
          required: ['at', 'by'],
          additionalProperties: false,
          properties: { at: moment, by: { type: 'string' } },
        },
        { type: 'null' },
      ],
      description: 'When its draft was last saved, and by whom; null: nothing waits to be published',
    },
    previewToken: {
      ...maybeText,
      description:
        'Shows the poll before its start, and as it would be published with the changes of its draft; null for moderators and API tokens',
    },
  },
} as const;
export type ManagedPoll = FromSchema<typeof managedPollSchema>;

/** One page of polls: drafts first, then open ones, scheduled ones, and closed ones; the newest first among them. */
const managedPollsSchema = {
  $id: 'ManagedPolls',
  type: 'object',
  required: ['polls', 'page', 'pages', 'total', 'demonstration'],
  additionalProperties: false,
  properties: {
    polls: { type: 'array', items: managedPollSchema },
    page: count,
    pages: { ...count, description: 'At least 1' },
    total: { ...count, description: 'Of what was asked for' },
    demonstration: {
      ...count,
      description: 'Polls, community polls, and unchanged articles that came with the software',
    },
  },
} as const;
export type ManagedPolls = FromSchema<typeof managedPollsSchema>;

const text = (most: number) => ({ type: 'string', minLength: 1, maxLength: most }) as const;
const optionalText = (most: number) => ({ anyOf: [{ type: 'string', maxLength: most }, { type: 'null' }] }) as const;

/** New texts of a poll; omitted ones stay. An empty text or null clears an optional one. */
const pollTextsSchema = {
  $id: 'PollTexts',
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: {
    question: text(importLimits.question),
    description: text(importLimits.description),
    category: optionalText(limits.importShortText),
    author: optionalText(limits.importShortText),
    tags: { type: 'array', maxItems: importLimits.tags, items: text(limits.importShortText) },
    series: {
      ...optionalText(limits.importShortText),
      description: 'Polls with the same series ask the same question again',
    },
    summary: optionalText(importLimits.summary),
    analysis: { ...optionalText(importLimits.analysis), description: 'HTML; disallowed parts are removed' },
    methodologyNotes: optionalText(importLimits.methodology),
    publishBallots: { type: 'boolean', description: 'Whether its ballots are published; refused once it has opened' },
    protection: {
      type: 'string',
      enum: pollProtections,
      description: 'What votes need; with votes it can only be raised, which its page says',
    },
    options: {
      type: 'array',
      minItems: 1,
      maxItems: importLimits.options,
      items: {
        type: 'object',
        required: ['id', 'text'],
        additionalProperties: false,
        properties: { id: { type: 'string' }, text: text(importLimits.optionText) },
      },
      description: 'New text for existing options; refused once the poll has votes',
    },
  },
} as const;
export type PollTexts = FromSchema<typeof pollTextsSchema>;

const page = { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 } as const;
const importParams = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: { id: { type: 'string', pattern: '^[1-9][0-9]{0,14}$' } },
} as const;

/** Endpoints of the operator for finished imports and single polls. */
export const managingEndpoints = {
  imports: {
    ...routes.imports,
    scope: 'read',
    admin: 'editor',
    summary: 'Imports from the page and the terminal, newest first',
    query: { type: 'object', additionalProperties: false, properties: { page } },
    status: 200,
    response: importHistorySchema,
    errors: ['VALIDATION_FAILED', 'ADMIN_REQUIRED'],
  },
  undoPreview: {
    ...routes.undoPreview,
    admin: 'editor',
    summary: 'Preview the undo of an import, and what depends on it, without changing anything',
    params: importParams,
    query: undoOptionsSchema,
    status: 200,
    response: undoPreviewSchema,
    errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  undoImport: {
    ...routes.undoImport,
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
    ...routes.managedPolls,
    scope: 'read',
    admin: 'operator',
    summary: 'Polls for the operator, filtered by state and by words in the question or id',
    query: {
      type: 'object',
      additionalProperties: false,
      properties: {
        page,
        state: { type: 'string', enum: managedStates },
        search: { ...soughtText, maxLength: 200 },
      },
    },
    status: 200,
    response: managedPollsSchema,
    errors: ['VALIDATION_FAILED', 'ADMIN_REQUIRED'],
  },
  closePoll: {
    ...routes.closePoll,
    admin: 'editor',
    summary: 'Close an open poll early',
    params: pollIdParams,
    status: 204,
    errors: ['POLL_NOT_FOUND', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  reopenPoll: {
    ...routes.reopenPoll,
    admin: 'editor',
    summary: 'Reopen a closed poll until its end; if its end has passed, it needs a new one',
    params: pollIdParams,
    body: {
      type: 'object',
      additionalProperties: false,
      properties: { endsAt: moment },
    },
    status: 204,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  editPoll: {
    ...routes.editPoll,
    admin: 'editor',
    summary: 'Edit the text of a poll; its options can only change while it has no votes',
    params: pollIdParams,
    body: pollTextsSchema,
    longBody: true,
    status: 200,
    response: {
      type: 'object',
      required: ['changed', 'removed'],
      additionalProperties: false,
      properties: {
        changed: { type: 'boolean', description: 'false: nothing was different' },
        removed: {
          type: 'array',
          items: { type: 'string' },
          description: 'Disallowed HTML that was removed from the analysis',
        },
      },
    },
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  removeDemonstration: {
    ...routes.removeDemonstration,
    admin: 'owner',
    confirm: true,
    summary:
      'Remove every poll that came with the software, with its votes, and articles that were never changed; who voted stays a participant',
    status: 200,
    response: {
      type: 'object',
      required: ['polls', 'communityPolls', 'articles'],
      additionalProperties: false,
      properties: { polls: count, communityPolls: count, articles: count },
    },
    errors: ['ADMIN_REQUIRED'],
  },
} as const satisfies Record<string, Endpoint>;
