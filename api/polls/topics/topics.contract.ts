import { Type } from 'typebox';
import { pollCardSchema } from '#api/polls/polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { get } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { adjusted, closed, count, described, named, oneOf, query, soughtText } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import { topicKinds } from '#contract/vocabulary.ts';
import { seriesSchema } from './series.contract.ts';

/** One page of the closed polls of a category, tag, series, or year, newest first. */
export const topicPageSchema = named('TopicPage', {
  kind: oneOf(topicKinds),
  slug: Type.String(),
  name: Type.String({ description: 'As the newest poll spells it' }),
  polls: Type.Array(pollCardSchema, { maxItems: limits.historicalPageSize }),
  total: described(count, 'Polls on all pages'),
  page: Type.Integer({ minimum: 1 }),
  series: Type.Optional(described(seriesSchema, 'Of the first page of a series with several waves')),
});
export type TopicPage = Static<typeof topicPageSchema>;

export const topicEndpoints = {
  topic: {
    ...get('/api/topics/:kind/:slug'),
    client: false,
    summary: 'One page of the closed polls of a category, tag, series, or year, newest first',
    params: closed({
      kind: oneOf(topicKinds),
      slug: adjusted(soughtText, { minLength: 1, maxLength: limits.importShortText }),
    }),
    query: query({ page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }) }),
    status: 200,
    response: topicPageSchema,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
  },
} as const satisfies Record<string, Endpoint>;
