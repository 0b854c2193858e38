import type { FromSchema } from 'json-schema-to-ts';
import { pollIdSchema } from './poll.ts';
import { count, maybeMoment, maybeText, moment } from './scalars.ts';
import * as limits from './limits.ts';
import { importLimits } from './poll-import.ts';
import { managedStates } from './vocabulary.ts';

/** A poll in the operator's list. */
export const managedPollSchema = {
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
    'previewToken',
  ],
  additionalProperties: false,
  properties: {
    id: pollIdSchema,
    question: { type: 'string' },
    state: { type: 'string', enum: managedStates },
    totalVotes: count,
    votesHere: { ...count, description: 'How many of them were cast on this site' },
    startsAt: moment,
    endsAt: moment,
    closedAt: maybeMoment,
    category: maybeText,
    demonstration: { type: 'boolean' },
    previewToken: { ...maybeText, description: 'Shows the poll before its start; null once it has started' },
  },
} as const;
export type ManagedPoll = FromSchema<typeof managedPollSchema>;

/** One page of polls: open ones first, then scheduled ones, then closed ones; the newest first among them. */
export const managedPollsSchema = {
  $id: 'ManagedPolls',
  type: 'object',
  required: ['polls', 'page', 'pages', 'total', 'demonstration'],
  additionalProperties: false,
  properties: {
    polls: { type: 'array', items: managedPollSchema },
    page: count,
    pages: { ...count, description: 'At least 1' },
    total: { ...count, description: 'Of what was asked for' },
    demonstration: { ...count, description: 'Polls and community polls that came with the software' },
  },
} as const;
export type ManagedPolls = FromSchema<typeof managedPollsSchema>;

const text = (most: number) => ({ type: 'string', minLength: 1, maxLength: most }) as const;
const optionalText = (most: number) => ({ anyOf: [{ type: 'string', maxLength: most }, { type: 'null' }] }) as const;

/** New texts of a poll; what is left out stays. An empty text or null clears what may be empty. */
export const pollTextsSchema = {
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
    summary: optionalText(importLimits.summary),
    analysis: { ...optionalText(importLimits.analysis), description: 'HTML; disallowed parts are removed' },
    methodologyNotes: optionalText(importLimits.methodology),
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
