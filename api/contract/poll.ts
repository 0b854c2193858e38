import type { FromSchema } from 'json-schema-to-ts';
import { pollIdPattern } from './vocabulary.ts';

const moment = { type: 'string', format: 'date-time', description: 'ISO 8601 in UTC' } as const;
const maybeMoment = { anyOf: [moment, { type: 'null' }] } as const;
const maybeText = { anyOf: [{ type: 'string' }, { type: 'null' }] } as const;

export const pollIdSchema = { type: 'string', pattern: pollIdPattern } as const;

/** One answer of a poll with its votes (imported base and votes cast here, added up). */
export const pollOptionSchema = {
  $id: 'PollOption',
  type: 'object',
  required: ['id', 'text', 'votes'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    text: { type: 'string' },
    votes: { type: 'integer', minimum: 0 },
  },
} as const;
export type PollOption = FromSchema<typeof pollOptionSchema>;

export const countryShareSchema = {
  $id: 'CountryShare',
  type: 'object',
  required: ['name', 'percentage'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    percentage: { type: 'number', minimum: 0, maximum: 100 },
  },
} as const;
export type CountryShare = FromSchema<typeof countryShareSchema>;

/**
 * A poll of the weekly kind, open or closed, as every call shows it. `hasVoted` and `userVote` speak of the
 * voter who asks (device, voter cookie or account) and are false and null where nobody asks.
 */
export const pollSchema = {
  $id: 'Poll',
  type: 'object',
  required: [
    'id',
    'question',
    'description',
    'options',
    'totalVotes',
    'hasVoted',
    'userVote',
    'isActive',
    'createdAt',
    'startsAt',
    'endsAt',
    'updatedAt',
    'closedAt',
    'category',
    'tags',
    'author',
    'summary',
    'analysis',
    'methodologyNotes',
    'countryBreakdown',
  ],
  additionalProperties: false,
  properties: {
    id: pollIdSchema,
    question: { type: 'string' },
    description: { type: 'string' },
    options: { type: 'array', items: pollOptionSchema },
    totalVotes: { type: 'integer', minimum: 0 },
    hasVoted: { type: 'boolean' },
    userVote: maybeText,
    isActive: { type: 'boolean' },
    createdAt: moment,
    startsAt: moment,
    endsAt: moment,
    updatedAt: moment,
    closedAt: maybeMoment,
    category: maybeText,
    tags: { type: 'array', items: { type: 'string' } },
    author: maybeText,
    summary: maybeText,
    analysis: { ...maybeText, description: 'HTML, made safe at import' },
    methodologyNotes: maybeText,
    countryBreakdown: { type: 'array', items: countryShareSchema },
  },
} as const;
export type Poll = FromSchema<typeof pollSchema>;

/** A poll in the archive's list: what a card shows, without the report's long texts. */
export const pollCardSchema = {
  $id: 'PollCard',
  type: 'object',
  required: [
    'id',
    'question',
    'description',
    'options',
    'totalVotes',
    'isActive',
    'createdAt',
    'startsAt',
    'endsAt',
    'updatedAt',
    'closedAt',
    'category',
    'tags',
    'author',
  ],
  additionalProperties: false,
  properties: {
    id: pollIdSchema,
    question: { type: 'string' },
    description: { type: 'string' },
    options: { type: 'array', items: pollOptionSchema },
    totalVotes: { type: 'integer', minimum: 0 },
    isActive: { type: 'boolean' },
    createdAt: moment,
    startsAt: moment,
    endsAt: moment,
    updatedAt: moment,
    closedAt: maybeMoment,
    category: maybeText,
    tags: { type: 'array', items: { type: 'string' } },
    author: maybeText,
  },
} as const;
export type PollCard = FromSchema<typeof pollCardSchema>;

/** One page of the archive. `total` counts the whole filtered archive; `categories` begins with "all". */
export const historicalPageSchema = {
  $id: 'HistoricalPage',
  type: 'object',
  required: ['polls', 'total', 'categories'],
  additionalProperties: false,
  properties: {
    polls: { type: 'array', items: pollCardSchema },
    total: { type: 'integer', minimum: 0 },
    categories: { type: 'array', items: { type: 'string' } },
  },
} as const;
export type HistoricalPage = FromSchema<typeof historicalPageSchema>;

export const relatedPollSchema = {
  $id: 'RelatedPoll',
  type: 'object',
  required: ['id', 'question', 'totalVotes'],
  additionalProperties: false,
  properties: {
    id: pollIdSchema,
    question: { type: 'string' },
    totalVotes: { type: 'integer', minimum: 0 },
  },
} as const;
export type RelatedPoll = FromSchema<typeof relatedPollSchema>;

/** What the vote call expects. */
export const voteRequestSchema = {
  $id: 'VoteRequest',
  type: 'object',
  required: ['optionId'],
  additionalProperties: false,
  properties: { optionId: { type: 'string', minLength: 1, maxLength: 80 } },
} as const;
export type VoteRequest = FromSchema<typeof voteRequestSchema>;
