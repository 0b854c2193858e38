import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { ErrorCode } from './error-codes.ts';
import { healthSchema } from './health.ts';
import { limits } from './limits.ts';
import { historicalPageSchema, pollIdSchema, pollSchema, relatedPollSchema, voteRequestSchema } from './poll.ts';
import { statisticsSchema } from './statistics.ts';
import { historicalSorts } from './vocabulary.ts';

/** One call of the API: where it is, what it takes, what it answers. The server and the client read the same. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with `:name` for each parameter. */
  readonly path: string;
  readonly summary: string;
  readonly params?: JSONSchema;
  readonly query?: JSONSchema;
  readonly body?: JSONSchema;
  /** Status and schema of the answer when all is well. */
  readonly status: 200 | 201 | 202 | 204;
  readonly response?: JSONSchema;
  /** Codes beyond the general ones (not found, rate limited, internal). */
  readonly errors: readonly ErrorCode[];
  /** `public`: the same for everybody and kept for minutes; `none`: never kept. */
  readonly cache: 'none' | 'public';
  /** The call reads the device id from its header. */
  readonly device?: 'required' | 'optional';
}

const idParams = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: { id: pollIdSchema },
} as const;

/** The client may add `v` and `t` to any read that must not be cached; they mean nothing to the server. */
const cacheBuster = { v: { type: 'string' }, t: { type: 'string' } } as const;

export const endpoints = {
  health: {
    method: 'GET',
    path: '/api/health',
    summary: 'Liveness of the service, its database and the published release',
    status: 200,
    response: healthSchema,
    errors: [],
    cache: 'none',
  },
  openapi: {
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This document',
    status: 200,
    response: { type: 'object', additionalProperties: true },
    errors: [],
    cache: 'public',
  },
  activePolls: {
    method: 'GET',
    path: '/api/polls/active',
    summary: "This week's open polls, as the asking voter sees them",
    query: { type: 'object', additionalProperties: false, properties: cacheBuster },
    status: 200,
    response: { type: 'array', items: pollSchema },
    errors: [],
    cache: 'none',
    device: 'optional',
  },
  statistics: {
    method: 'GET',
    path: '/api/statistics',
    summary: 'The headline figures',
    query: { type: 'object', additionalProperties: false, properties: cacheBuster },
    status: 200,
    response: statisticsSchema,
    errors: [],
    cache: 'none',
  },
  poll: {
    method: 'GET',
    path: '/api/polls/:id',
    summary: 'One poll, open or closed, as the asking voter sees it',
    params: idParams,
    status: 200,
    response: pollSchema,
    errors: ['POLL_NOT_FOUND'],
    cache: 'none',
    device: 'optional',
  },
  vote: {
    method: 'POST',
    path: '/api/polls/:id/vote',
    summary: 'Cast one vote; the answer is the poll with this vote in it',
    params: idParams,
    body: voteRequestSchema,
    status: 200,
    response: pollSchema,
    errors: [
      'POLL_NOT_FOUND',
      'DEVICE_ID_REQUIRED',
      'INVALID_OPTION',
      'ALREADY_VOTED',
      'POLL_CLOSED',
      'POLL_NOT_STARTED',
      'OVERLOADED',
    ],
    cache: 'none',
    device: 'required',
  },
  historicalPolls: {
    method: 'GET',
    path: '/api/polls/historical/paginated',
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
        category: { type: 'string', maxLength: limits.importShortText },
        ...cacheBuster,
      },
    },
    status: 200,
    response: historicalPageSchema,
    errors: ['VALIDATION_FAILED'],
    cache: 'none',
  },
  relatedPolls: {
    method: 'GET',
    path: '/api/polls/related/:category/:id',
    summary: 'Closed polls of the same category, most voted first, without the poll itself',
    params: {
      type: 'object',
      required: ['category', 'id'],
      additionalProperties: false,
      properties: {
        category: { type: 'string', minLength: 1, maxLength: limits.importShortText },
        id: pollIdSchema,
      },
    },
    status: 200,
    response: { type: 'array', items: relatedPollSchema, maxItems: limits.relatedPolls },
    errors: [],
    cache: 'public',
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;

type SchemaOf<N extends EndpointName, K extends string> =
  (typeof endpoints)[N] extends Record<K, infer S> ? (S extends JSONSchema ? FromSchema<S> : undefined) : undefined;

/** What a call answers. */
export type ResponseOf<N extends EndpointName> = SchemaOf<N, 'response'>;
/** What a call takes as its JSON body. */
export type BodyOf<N extends EndpointName> = SchemaOf<N, 'body'>;
export type ParamsOf<N extends EndpointName> = SchemaOf<N, 'params'>;
/** The query of a call; what has a default may be left out. */
export type QueryOf<N extends EndpointName> = (typeof endpoints)[N] extends { query: infer S extends JSONSchema }
  ? FromSchema<S, { keepDefaultedPropertiesOptional: true }>
  : undefined;

/** The path of a call with its parameters filled in and percent-encoded, and its query behind it. */
export function pathOf(
  name: EndpointName,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const path = endpoints[name].path.replace(/:(\w+)/g, (_, key: string) => {
    const value = params[key];
    if (value === undefined) throw new Error(`The path of "${name}" needs the parameter "${key}".`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
}
