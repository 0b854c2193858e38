import type { FromSchema } from 'json-schema-to-ts';
import { countryShareSchema, pollIdSchema } from './poll.ts';
import { count, maybeMoment, maybeText, moment } from './scalars.ts';

/** The results of a closed poll as /poll/{id}.json offers them to everybody: sums, never a single vote. */
export const openResultsSchema = {
  $id: 'OpenResults',
  type: 'object',
  required: ['poll', 'totalVotes', 'options', 'countries', 'method', 'citation', 'license', 'checksum'],
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
    totalVotes: count,
    options: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'text', 'rank', 'votes', 'percent'],
        additionalProperties: false,
        properties: {
          id: { type: 'string' },
          text: { type: 'string' },
          rank: { type: ['integer', 'null'], minimum: 1, description: 'Equal votes share a rank; null without votes' },
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
