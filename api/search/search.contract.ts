import { Type } from 'typebox';
import { get } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import {
  adjusted,
  closed,
  count,
  described,
  maybeText,
  moment,
  named,
  oneOf,
  query,
  soughtText,
} from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';

/** What a search finds; a report is a closed weekly poll. */
export const searchKinds = ['poll', 'report', 'community', 'article'] as const;
export type SearchKind = (typeof searchKinds)[number];

/** Characters of a search. */
export const searchLength = 200;
/** Results on one page. */
export const searchPageSize = 20;
/** How many of the newest documents with all terms are ranked and counted, which bounds the cost of frequent words. */
export const searchRanked = 300;
/** Suggestions in one response. */
export const searchSuggestions = 6;
/** Minimum length of a text that gets suggestions. */
export const suggestedFrom = 2;

/** A text in pieces; matches are marked. */
const markedText = Type.Array(closed({ text: Type.String(), marked: Type.Boolean() }));

const kind = oneOf(searchKinds);
const path = Type.String({ pattern: '^/', description: 'Path of its page on this site' });

const searchPageSchema = named('SearchPage', {
  results: Type.Array(
    closed({
      kind,
      path,
      title: markedText,
      snippet: described(markedText, 'An excerpt of the texts, around matches if it has any'),
      date: described(moment, 'When a poll ends or ended, and when anything else was published'),
    }),
    { maxItems: searchPageSize, description: 'Best first' },
  ),
  total: described(count, 'Results on all pages'),
  isMore: Type.Boolean({ description: 'There are older results, which no page shows' }),
  page: Type.Integer({ minimum: 1 }),
  pages: Type.Integer({ minimum: 1 }),
  match: oneOf(['all', 'some'], { description: 'Whether results have all terms, or only some because none has all' }),
  corrected: described(maybeText, 'The terms that were searched for instead, if nothing contains those sent'),
});
export type SearchPage = Static<typeof searchPageSchema>;
export type MarkedText = SearchPage['results'][number]['title'];

const suggestionSchema = named('SearchSuggestion', { kind, path, title: Type.String() });
export type SearchSuggestion = Static<typeof suggestionSchema>;

const q = adjusted(soughtText, { maxLength: searchLength });

export const searchEndpoints = {
  search: {
    ...get('/api/search'),
    client: false,
    summary: 'Polls, reports, public community polls, and articles with all words of a text, best first',
    query: query({
      q,
      type: kind,
      page: Type.Integer({ minimum: 1, maximum: Math.ceil(searchRanked / searchPageSize), default: 1 }),
    }),
    status: 200,
    response: searchPageSchema,
    errors: ['VALIDATION_FAILED'],
  },
  searchSuggestions: {
    ...get('/api/search/suggestions'),
    client: false,
    summary: 'Titles that have words beginning like those of a text, open polls first, then newest first',
    query: query({ q }),
    status: 200,
    response: Type.Array(suggestionSchema, { maxItems: searchSuggestions }),
    errors: ['VALIDATION_FAILED'],
  },
} as const satisfies Record<string, Endpoint>;
