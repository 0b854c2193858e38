import type { FromSchema } from 'json-schema-to-ts';
import { count, maybeMoment, maybeText, moment } from './scalars.ts';
import { pollIdPattern } from './vocabulary.ts';

export const pollIdSchema = { type: 'string', pattern: pollIdPattern } as const;

/** The path parameters of every call about one poll. */
export const pollIdParams = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: { id: pollIdSchema },
} as const;

/** One answer of a poll with its votes (imported base and votes cast here, added up). */
export const pollOptionSchema = {
  $id: 'PollOption',
  type: 'object',
  required: ['id', 'text', 'votes'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    text: { type: 'string' },
    votes: count,
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
    totalVotes: count,
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

/**
 * A poll of the weekly kind, open or closed, as every call shows it. `hasVoted` and `userVote` speak of the
 * voter who asks (device, voter cookie or account) and are false and null where nobody asks.
 */
export const pollSchema = {
  $id: 'Poll',
  type: 'object',
  required: [
    ...pollCardSchema.required,
    'hasVoted',
    'userVote',
    'summary',
    'analysis',
    'methodologyNotes',
    'countryBreakdown',
  ],
  additionalProperties: false,
  properties: {
    ...pollCardSchema.properties,
    hasVoted: { type: 'boolean' },
    userVote: maybeText,
    summary: maybeText,
    analysis: { ...maybeText, description: 'HTML, sanitized on import' },
    methodologyNotes: maybeText,
    countryBreakdown: { type: 'array', items: countryShareSchema },
  },
} as const;
export type Poll = FromSchema<typeof pollSchema>;

/** One page of the archive. `total` counts the whole filtered archive; `categories` begins with "all". */
export const historicalPageSchema = {
  $id: 'HistoricalPage',
  type: 'object',
  required: ['polls', 'total', 'categories'],
  additionalProperties: false,
  properties: {
    polls: { type: 'array', items: pollCardSchema },
    total: count,
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
    totalVotes: count,
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
