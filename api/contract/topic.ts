import type { FromSchema } from 'json-schema-to-ts';
import * as limits from './limits.ts';
import { pollCardSchema } from './poll.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, soughtText } from './scalars.ts';
import { seriesSchema } from './series.ts';
import { topicKinds } from './vocabulary.ts';

/** One page of the closed polls of a category, tag, series, or year, newest first. */
export const topicPageSchema = {
  $id: 'TopicPage',
  type: 'object',
  required: ['kind', 'slug', 'name', 'polls', 'total', 'page'],
  additionalProperties: false,
  properties: {
    kind: { type: 'string', enum: topicKinds },
    slug: { type: 'string' },
    name: { type: 'string', description: 'As the newest poll spells it' },
    polls: { type: 'array', items: pollCardSchema, maxItems: limits.historicalPageSize },
    total: { ...count, description: 'Polls on all pages' },
    page: { type: 'integer', minimum: 1 },
    series: { ...seriesSchema, description: 'Of the first page of a series with several waves' },
  },
} as const;
export type TopicPage = FromSchema<typeof topicPageSchema>;

export const topicEndpoints = {
  topic: {
    ...routes.topic,
    summary: 'One page of the closed polls of a category, tag, series, or year, newest first',
    params: {
      type: 'object',
      required: ['kind', 'slug'],
      additionalProperties: false,
      properties: {
        kind: { type: 'string', enum: topicKinds },
        slug: { ...soughtText, minLength: 1, maxLength: limits.importShortText },
      },
    },
    query: {
      type: 'object',
      additionalProperties: false,
      properties: { page: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 } },
    },
    status: 200,
    response: topicPageSchema,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
  },
} as const satisfies Record<string, Endpoint>;
