import { Type } from 'typebox';
import { pollCardSchema, pollIdSchema, pollOptionSchema } from '#api/polls/polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { closed, count, described, moment, named } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';

const waveSchema = closed({
  id: pollIdSchema,
  question: Type.String(),
  closedAt: moment,
  totalVotes: count,
  origin: pollCardSchema.properties.origin,
  note: Type.Optional(Type.String({ description: 'The operator’s, about this wave' })),
  options: Type.Array(pollOptionSchema),
});
/** A closed poll of a series. */
export type Wave = Static<typeof waveSchema>;

/** The newest waves of a series that have a final result, oldest first. */
export const seriesSchema = closed({
  slug: Type.String(),
  name: Type.String(),
  waves: Type.Array(waveSchema, { minItems: 2, maxItems: limits.seriesWaves }),
});
export type Series = Static<typeof seriesSchema>;

/** One page of the series with several closed polls, the one with the newest wave first. */
export const seriesPageSchema = named('SeriesPage', {
  series: Type.Array(seriesSchema, {
    maxItems: limits.seriesPageSize,
    description: 'Without those that have fewer than two waves with a final result',
  }),
  total: described(count, 'On all pages'),
  page: Type.Integer({ minimum: 1 }),
});
export type SeriesPage = Static<typeof seriesPageSchema>;
