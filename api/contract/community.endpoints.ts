import { commentSchema, newCommentSchema } from './comment.ts';
import {
  communityPollSchema,
  communityVoteRequestSchema,
  newCommunityPollSchema,
  voteStatusSchema,
} from './community-poll.ts';
import type { Endpoint } from './endpoint.ts';
import { limits } from './limits.ts';
import { pollIdSchema } from './poll.ts';
import { communityCategories, deviceIdPattern } from './vocabulary.ts';

const idParams = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: { id: pollIdSchema },
} as const;

const privacy = ['POLL_NOT_FOUND', 'PRIVATE_POLL_AUTH_REQUIRED', 'PRIVATE_POLL_ACCESS_DENIED'] as const;

/** Community polls, votes on them, and their comments. */
export const communityEndpoints = {
  featuredCommunityPolls: {
    method: 'GET',
    path: '/api/community-polls/featured',
    summary: 'Public community polls that the operator features',
    status: 200,
    response: { type: 'array', items: communityPollSchema },
    errors: [],
    cache: 'none',
  },
  communityCategories: {
    method: 'GET',
    path: '/api/community-polls/categories',
    summary: 'Names of the categories',
    status: 200,
    response: { type: 'array', items: { type: 'string', enum: communityCategories } },
    errors: [],
    cache: 'public',
  },
  communityPolls: {
    method: 'GET',
    path: '/api/community-polls',
    summary: 'One page of public community polls, or of the caller’s own',
    query: {
      type: 'object',
      additionalProperties: false,
      properties: {
        visibility: { type: 'string', enum: ['public', 'mine'], default: 'public' },
        limit: { type: 'integer', minimum: 1, maximum: 50, default: limits.communityPageSize },
        offset: { type: 'integer', minimum: 0, maximum: 10_000_000, default: 0 },
        category: { type: 'string', enum: communityCategories },
      },
    },
    status: 200,
    response: { type: 'array', items: communityPollSchema },
    errors: ['VALIDATION_FAILED', 'UNAUTHENTICATED'],
    cache: 'none',
  },
  createCommunityPoll: {
    method: 'POST',
    path: '/api/community-polls',
    summary: 'Make a community poll',
    body: newCommunityPollSchema,
    status: 201,
    response: communityPollSchema,
    errors: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
    cache: 'none',
  },
  communityPoll: {
    method: 'GET',
    path: '/api/community-polls/:id',
    summary: 'One community poll, as the caller may see it',
    params: idParams,
    status: 200,
    response: communityPollSchema,
    errors: privacy,
    cache: 'none',
    device: 'optional',
  },
  communityVoteStatus: {
    method: 'GET',
    path: '/api/community-polls/:id/vote/status',
    summary: 'Whether this voter has voted, and for what',
    params: idParams,
    query: {
      type: 'object',
      required: ['fingerprint'],
      additionalProperties: false,
      properties: { fingerprint: { type: 'string', pattern: deviceIdPattern } },
    },
    status: 200,
    response: voteStatusSchema,
    errors: privacy,
    cache: 'none',
  },
  communityVote: {
    method: 'POST',
    path: '/api/community-polls/:id/vote',
    summary: 'Cast one vote; the answer is the poll with this vote in it',
    params: idParams,
    body: communityVoteRequestSchema,
    status: 200,
    response: communityPollSchema,
    errors: [...privacy, 'INVALID_OPTION', 'ALREADY_VOTED', 'POLL_CLOSED', 'POLL_NOT_STARTED', 'OVERLOADED'],
    cache: 'none',
  },
  comments: {
    method: 'GET',
    path: '/api/community-polls/:id/comments',
    summary: 'Comments of a community poll',
    params: idParams,
    status: 200,
    response: { type: 'array', items: commentSchema },
    errors: privacy,
    cache: 'none',
  },
  createComment: {
    method: 'POST',
    path: '/api/community-polls/:id/comments',
    summary: 'Comment on a community poll',
    params: idParams,
    body: newCommentSchema,
    status: 201,
    response: commentSchema,
    errors: [...privacy, 'UNAUTHENTICATED', 'VALIDATION_FAILED'],
    cache: 'none',
  },
} as const satisfies Record<string, Endpoint>;
