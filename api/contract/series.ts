import type { FromSchema } from 'json-schema-to-ts';
import * as limits from './limits.ts';
import { pollCardSchema, pollIdSchema, pollOptionSchema } from './poll.ts';
import { count, moment } from './scalars.ts';

const waveSchema = {
  type: 'object',
  required: ['id', 'question', 'closedAt', 'totalVotes', 'options'],
  additionalProperties: false,
  properties: {
    id: pollIdSchema,
    question: { type: 'string' },
    closedAt: moment,
    totalVotes: count,
    origin: pollCardSchema.properties.origin,
    options: { type: 'array', items: pollOptionSchema },
  },
} as const;
/** A closed poll of a series. */
export type Wave = FromSchema<typeof waveSchema>;

/** The newest waves of a series that have a final result, oldest first. */
export const seriesSchema = {
  type: 'object',
  required: ['slug', 'name', 'waves'],
  additionalProperties: false,
  properties: {
    slug: { type: 'string' },
    name: { type: 'string' },
    waves: { type: 'array', items: waveSchema, minItems: 2, maxItems: limits.seriesWaves },
  },
} as const;
export type Series = FromSchema<typeof seriesSchema>;

/** One page of the series with several closed polls, the one with the newest wave first. */
export const seriesPageSchema = {
  $id: 'SeriesPage',
  type: 'object',
  required: ['series', 'total', 'page'],
  additionalProperties: false,
  properties: {
    series: {
      type: 'array',
      items: seriesSchema,
      maxItems: limits.seriesPageSize,
      description: 'Without those that have fewer than two waves with a final result',
    },
    total: { ...count, description: 'On all pages' },
    page: { type: 'integer', minimum: 1 },
  },
} as const;
export type SeriesPage = FromSchema<typeof seriesPageSchema>;
