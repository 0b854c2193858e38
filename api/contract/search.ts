import type { FromSchema } from 'json-schema-to-ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, maybeText, moment, soughtText } from './scalars.ts';

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
const markedText = {
  type: 'array',
  items: {
    type: 'object',
    required: ['text', 'marked'],
    additionalProperties: false,
    properties: { text: { type: 'string' }, marked: { type: 'boolean' } },
  },
} as const;

const kind = { type: 'string', enum: searchKinds } as const;
const path = { type: 'string', pattern: '^/', description: 'Path of its page on this site' } as const;

const searchPageSchema = {
  $id: 'SearchPage',
  type: 'object',
  required: ['results', 'total', 'isMore', 'page', 'pages', 'match', 'corrected'],
  additionalProperties: false,
  properties: {
    results: {
      type: 'array',
      maxItems: searchPageSize,
      items: {
        type: 'object',
        required: ['kind', 'path', 'title', 'snippet', 'date'],
        additionalProperties: false,
        properties: {
          kind,
          path,
          title: markedText,
          snippet: { ...markedText, description: 'An excerpt of the texts, around matches if it has any' },
          date: { ...moment, description: 'When a poll ends or ended, and when anything else was published' },
        },
      },
      description: 'Best first',
    },
    total: { ...count, description: 'Results on all pages' },
    isMore: { type: 'boolean', description: 'There are older results, which no page shows' },
    page: { type: 'integer', minimum: 1 },
    pages: { type: 'integer', minimum: 1 },
    match: {
      type: 'string',
      enum: ['all', 'some'],
      description: 'Whether results have all terms, or only some because none has all',
    },
    corrected: {
      ...maybeText,
      description: 'The terms that were searched for instead, if nothing contains those sent',
    },
  },
} as const;
export type SearchPage = FromSchema<typeof searchPageSchema>;
export type MarkedText = SearchPage['results'][number]['title'];

const suggestionSchema = {
  $id: 'SearchSuggestion',
  type: 'object',
  required: ['kind', 'path', 'title'],
  additionalProperties: false,
  properties: { kind, path, title: { type: 'string' } },
} as const;
export type SearchSuggestion = FromSchema<typeof suggestionSchema>;

const q = { ...soughtText, maxLength: searchLength } as const;

export const searchEndpoints = {
  search: {
    ...routes.search,
    summary: 'Polls, reports, public community polls, and articles with all words of a text, best first',
    query: {
      type: 'object',
      additionalProperties: false,
      properties: {
        q,
        type: kind,
        page: { type: 'integer', minimum: 1, maximum: Math.ceil(searchRanked / searchPageSize), default: 1 },
      },
    },
    status: 200,
    response: searchPageSchema,
    errors: ['VALIDATION_FAILED'],
  },
  searchSuggestions: {
    ...routes.searchSuggestions,
    summary: 'Titles that have words beginning like those of a text, open polls first, then newest first',
    query: { type: 'object', additionalProperties: false, properties: { q } },
    status: 200,
    response: { type: 'array', items: suggestionSchema, maxItems: searchSuggestions },
    errors: ['VALIDATION_FAILED'],
  },
} as const satisfies Record<string, Endpoint>;
