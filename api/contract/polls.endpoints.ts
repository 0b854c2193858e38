import type { Endpoint } from './endpoint.ts';
import { routes } from './routes.ts';
import { healthSchema } from './health.ts';
import * as limits from './limits.ts';
import {
  historicalPageSchema,
  pollIdParams,
  pollIdSchema,
  pollSchema,
  relatedPollSchema,
  voteRequestSchema,
} from './poll.ts';
import { soughtText } from './scalars.ts';
import { statisticsSchema } from './statistics.ts';
import { historicalSorts } from './vocabulary.ts';

/** The client may add `v` and `t` to any read that must not be cached; they mean nothing to the server. */
const cacheBuster = { v: { type: 'string' }, t: { type: 'string' } } as const;

/** Weekly polls, the headline figures, and what tells about the service itself. */
export const pollEndpoints = {
  health: {
    ...routes.health,
    summary: 'Health of the service, its database, and the published release, and whether the database is writable',
    status: 200,
    response: healthSchema,
    errors: [],
  },
  metrics: {
    ...routes.metrics,
    summary:
      'Figures of this process in the text form of Prometheus: for programs on its machine, and with the admin password in its header',
    status: 200,
    response: { type: 'string' },
    responseType: 'text/plain',
    errors: ['ADMIN_REQUIRED'],
  },
  openapi: {
    ...routes.openapi,
    summary: 'This document',
    status: 200,
    response: { type: 'object', additionalProperties: true },
    errors: [],
  },
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
        preview: { type: 'string', description: 'Token from the operator’s list of polls' },
        ...cacheBuster,
      },
    },
    status: 200,
    response: pollSchema,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED'],
  },
  vote: {
    ...routes.vote,
    summary: 'Cast one vote; the answer is the poll with this vote in it',
    params: pollIdParams,
    body: voteRequestSchema,
    status: 200,
    response: pollSchema,
    errors: ['POLL_NOT_FOUND', 'DEVICE_ID_REQUIRED', 'INVALID_OPTION', 'ALREADY_VOTED', 'POLL_CLOSED', 'OVERLOADED'],
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
