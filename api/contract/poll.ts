import type { FromSchema } from 'json-schema-to-ts';
import * as limits from './limits.ts';
import { promiseSchema } from './promise.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, maybeMoment, maybeText, moment, soughtText } from './scalars.ts';
import { historicalSorts, pollIdPattern } from './vocabulary.ts';
import { ballotProtection, ballotsPublished, logDifference, voteFigures } from './vote-figures.ts';

/** Where the answers come from. */
const answersOrigin = {
  origin: {
    type: 'string',
    enum: ['imported', 'both', 'demo'],
    description: 'Omitted if all answers were cast here; demo: with invented counts',
  },
} as const;

export const pollIdSchema = { type: 'string', pattern: pollIdPattern } as const;

/** The path parameters of every endpoint about one poll. */
export const pollIdParams = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: { id: pollIdSchema },
} as const;

/** An option of a poll with its counted votes: the sum of imported votes and votes cast here. */
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

/** A poll in the archive's list, without the long texts of its report. */
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
    ...voteFigures,
    ...answersOrigin,
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
 * A weekly poll, open or closed. `hasVoted` and `userVote` are about the caller (device, voter cookie or account), and false
 * and null where the caller is unknown.
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
    ...ballotsPublished,
    ...logDifference,
    ...ballotProtection,
    series: { type: 'string', description: 'Omitted if it belongs to none; polls of one series ask the same question' },
    hasVoted: { type: 'boolean' },
    userVote: maybeText,
    summary: maybeText,
    analysis: { ...maybeText, description: 'HTML, sanitized on import' },
    methodologyNotes: maybeText,
    countryBreakdown: { type: 'array', items: countryShareSchema },
  },
} as const;
export type Poll = FromSchema<typeof pollSchema>;

/**
 * One page of the archive. `total` counts the whole filtered archive; `categories` starts with "all"; `years` are those in
 * which polls of the whole archive closed, newest first.
 */
export const historicalPageSchema = {
  $id: 'HistoricalPage',
  type: 'object',
  required: ['polls', 'total', 'categories', 'years'],
  additionalProperties: false,
  properties: {
    polls: { type: 'array', items: pollCardSchema },
    total: count,
    categories: { type: 'array', items: { type: 'string' } },
    years: { type: 'array', items: { type: 'integer' }, maxItems: limits.archiveYears },
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

/** The body of a vote. */
const voteRequestSchema = {
  $id: 'VoteRequest',
  type: 'object',
  required: ['optionId'],
  additionalProperties: false,
  properties: { optionId: { type: 'string', minLength: 1, maxLength: 80 } },
} as const;

/** Clients may add `v` and `t` to any read that must not be cached; the server ignores them. */
const cacheBuster = { v: { type: 'string' }, t: { type: 'string' } } as const;

const periodsSchema = {
  type: 'array',
  description: 'Periods with votes, oldest first',
  items: {
    type: 'object',
    required: ['startsAt', 'votes'],
    additionalProperties: false,
    properties: {
      startsAt: moment,
      votes: {
        type: 'object',
        additionalProperties: count,
        description: 'Votes of each option that had some, by its id',
      },
    },
  },
} as const;

/** When votes on a closed poll were cast: by day, and the first 48 hours by hour if there were enough; in UTC. */
export const votesOverTimeSchema = {
  type: 'object',
  required: ['days', 'hours'],
  additionalProperties: false,
  properties: { days: periodsSchema, hours: periodsSchema },
} as const;
export type VotesOverTime = FromSchema<typeof votesOverTimeSchema>;

/** The results of a closed poll as published in /poll/{id}.json: sums, never a single vote. */
export const openResultsSchema = {
  $id: 'OpenResults',
  type: 'object',
  required: [
    'poll',
    'totalVotes',
    'receivedVotes',
    'setAsideVotes',
    'heldVotes',
    'interventions',
    'options',
    'countries',
    'method',
    'citation',
    'license',
    'checksum',
  ],
  additionalProperties: false,
  properties: {
    poll: {
      type: 'object',
      required: [
        'id',
        'question',
        'description',
        'category',
        'tags',
        'author',
        'startsAt',
        'closedAt',
        'updatedAt',
        'report',
      ],
      additionalProperties: false,
      properties: {
        id: pollIdSchema,
        question: { type: 'string' },
        description: { type: 'string' },
        category: maybeText,
        tags: { type: 'array', items: { type: 'string' } },
        author: maybeText,
        startsAt: moment,
        closedAt: maybeMoment,
        updatedAt: moment,
        report: { type: 'string', description: 'Address of the report' },
      },
    },
    totalVotes: { ...count, description: 'Counted votes' },
    ...voteFigures,
    options: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'text', 'rank', 'votes', 'percent'],
        additionalProperties: false,
        properties: {
          id: { type: 'string' },
          text: { type: 'string' },
          rank: {
            type: ['integer', 'null'],
            minimum: 1,
            description: 'Equal votes share a rank; null without votes, and while votes are held for a decision',
          },
          votes: count,
          percent: { type: 'number', minimum: 0, description: 'Of totalVotes, rounded to one decimal' },
        },
      },
    },
    countries: { type: 'array', items: countryShareSchema },
    method: {
      type: 'array',
      items: { type: 'string' },
      description: 'How the votes were collected, and their limitations',
    },
    citation: { type: 'string' },
    license: { type: 'string' },
    checksum: {
      type: 'object',
      required: ['algorithm', 'of', 'value'],
      additionalProperties: false,
      properties: {
        algorithm: { type: 'string', const: 'SHA-256' },
        of: { type: 'string', description: 'The input of the digest' },
        value: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      },
    },
  },
} as const;
export type OpenResults = FromSchema<typeof openResultsSchema>;

/** The headline figures of the home page. Demonstration polls count only toward participants. */
export const statisticsSchema = {
  $id: 'Statistics',
  type: 'object',
  required: ['totalVotes', 'importedVotes', 'totalParticipants', 'totalPolls'],
  additionalProperties: false,
  properties: {
    totalVotes: { type: 'integer', minimum: 0, description: 'Votes on all publicly listed polls' },
    importedVotes: { type: 'integer', minimum: 0, description: 'Those of them that came with imports' },
    totalParticipants: { type: 'integer', minimum: 0, description: 'Distinct voters on this site' },
    totalPolls: { type: 'integer', minimum: 0, description: 'Publicly listed polls' },
  },
} as const;
export type Statistics = FromSchema<typeof statisticsSchema>;

/** The receipt of a recorded vote; a retry gets the same one. */
export const receiptSchema = {
  type: 'string',
  pattern: '^([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$',
  description: 'Finds this vote in the published ballots, and proves it to anyone who has it',
} as const;

/** The response to a vote on a weekly poll: the poll with this vote in it, and the headline figures after it. */
export const votedPollSchema = {
  ...pollSchema,
  $id: 'VotedPoll',
  required: [...pollSchema.required, 'statistics', 'receipt', 'promise'],
  properties: {
    ...pollSchema.properties,
    ...{ statistics: statisticsSchema, receipt: receiptSchema, promise: promiseSchema },
  },
} as const;

/** Errors of votes on polls of both kinds. */
export const voteErrors = [
  'DEVICE_ID_REQUIRED',
  'INVALID_OPTION',
  'ALREADY_VOTED',
  'CHALLENGE_REQUIRED',
  'EMAIL_REQUIRED',
  'EMAIL_CODE_WRONG',
  'EMAIL_CODE_EXPIRED',
  'ADDRESS_USED',
  'MEMBERS_ONLY',
  'CONFLICT',
  'POLL_CLOSED',
  'OVERLOADED',
] as const;

/** Weekly polls and the headline figures. */
export const pollEndpoints = {
  activePolls: {
    ...routes.activePolls,
    summary: 'This week’s open polls, as this voter sees them',
    query: { type: 'object', additionalProperties: false, properties: cacheBuster },
    status: 200,
    response: { type: 'array', items: pollSchema },
    errors: [],
  },
  statistics: {
    ...routes.statistics,
    summary: 'The headline figures',
    query: { type: 'object', additionalProperties: false, properties: cacheBuster },
    status: 200,
    response: statisticsSchema,
    errors: [],
  },
  poll: {
    ...routes.poll,
    summary:
      'One poll, open or closed, as the asking voter sees it; one that has not started only with a preview token',
    params: pollIdParams,
    query: {
      type: 'object',
      additionalProperties: false,
      properties: {
        preview: {
          type: 'string',
          description:
            'Token from the operator’s list of polls: shows also what is not published; with a wrong one there is no such poll',
        },
        ...cacheBuster,
      },
    },
    status: 200,
    response: pollSchema,
    errors: ['POLL_NOT_FOUND', 'POLL_DELETED', 'VALIDATION_FAILED'],
  },
  vote: {
    ...routes.vote,
    summary: 'Cast one vote; the answer is the poll with this vote in it, and the headline figures',
    params: pollIdParams,
    body: voteRequestSchema,
    status: 200,
    response: votedPollSchema,
    errors: ['POLL_NOT_FOUND', ...voteErrors],
  },
  historicalPolls: {
    ...routes.historicalPolls,
    summary: 'One page of the archive of closed polls',
    query: {
      type: 'object',
      additionalProperties: false,
      properties: {
        page: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: limits.historicalPageSizeMax,
          default: limits.historicalPageSize,
        },
        sort: { type: 'string', enum: historicalSorts, default: 'newest' },
        category: { ...soughtText, maxLength: limits.importShortText },
        ...cacheBuster,
      },
    },
    status: 200,
    response: historicalPageSchema,
    errors: ['VALIDATION_FAILED'],
  },
  relatedPolls: {
    ...routes.relatedPolls,
    summary: 'Other closed polls in the same category, most votes first',
    params: {
      type: 'object',
      required: ['category', 'id'],
      additionalProperties: false,
      properties: {
        category: { ...soughtText, minLength: 1, maxLength: limits.importShortText },
        id: pollIdSchema,
      },
    },
    status: 200,
    response: { type: 'array', items: relatedPollSchema, maxItems: limits.relatedPolls },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
