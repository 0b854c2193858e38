import { commentReportSchema, commentSchema, newCommentSchema } from './comment.ts';
import {
  communityPollSchema,
  communityVoteRequestSchema,
  inviteSchema,
  newCommunityPollSchema,
  newInviteSchema,
  voteStatusSchema,
} from './community-poll.ts';
import type { Endpoint } from './endpoint.ts';
import { routes } from './routes.ts';
import * as limits from './limits.ts';
import { pollIdParams } from './poll.ts';
import { communityCategories, deviceIdPattern } from './vocabulary.ts';

const commentParams = {
  type: 'object',
  required: ['id', 'commentId'],
  additionalProperties: false,
  properties: { ...pollIdParams.properties, commentId: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}$' } },
} as const;

const privacy = ['POLL_NOT_FOUND', 'PRIVATE_POLL_AUTH_REQUIRED', 'PRIVATE_POLL_ACCESS_DENIED'] as const;

/** Community polls, votes on them, and their comments. */
export const communityEndpoints = {
  featuredCommunityPolls: {
    ...routes.featuredCommunityPolls,
    summary: 'Public community polls featured by the operator',
    status: 200,
    response: { type: 'array', items: communityPollSchema },
    errors: [],
  },
  communityCategories: {
    ...routes.communityCategories,
    summary: 'Names of the categories',
    status: 200,
    response: { type: 'array', items: { type: 'string', enum: communityCategories } },
    errors: [],
  },
  communityPolls: {
    ...routes.communityPolls,
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
  },
  createCommunityPoll: {
    ...routes.createCommunityPoll,
    signedIn: true,
    idempotent: true,
    summary: 'Create a community poll',
    body: newCommunityPollSchema,
    status: 201,
    response: communityPollSchema,
    errors: ['UNAUTHENTICATED', 'VALIDATION_FAILED', 'IDEMPOTENCY_KEY_REUSED', 'POLL_NOT_FOUND'],
  },
  communityPoll: {
    ...routes.communityPoll,
    summary: 'One community poll, as the caller may see it',
    params: pollIdParams,
    status: 200,
    response: communityPollSchema,
    errors: privacy,
  },
  communityVoteStatus: {
    ...routes.communityVoteStatus,
    summary: 'Whether this voter has voted, and for which option',
    params: pollIdParams,
    query: {
      type: 'object',
      required: ['fingerprint'],
      additionalProperties: false,
      properties: { fingerprint: { type: 'string', pattern: deviceIdPattern } },
    },
    status: 200,
    response: voteStatusSchema,
    errors: privacy,
  },
  communityVote: {
    ...routes.communityVote,
    summary: 'Cast one vote; the answer is the poll with this vote in it',
    params: pollIdParams,
    body: communityVoteRequestSchema,
    status: 200,
    response: communityPollSchema,
    errors: [
      ...privacy,
      'DEVICE_ID_REQUIRED',
      'INVALID_OPTION',
      'ALREADY_VOTED',
      'POLL_CLOSED',
      'POLL_NOT_STARTED',
      'OVERLOADED',
    ],
  },
  closeCommunityPoll: {
    ...routes.closeCommunityPoll,
    signedIn: true,
    summary: 'Close one of the caller’s community polls early',
    params: pollIdParams,
    status: 200,
    response: communityPollSchema,
    errors: [...privacy, 'UNAUTHENTICATED', 'FORBIDDEN', 'POLL_CLOSED'],
  },
  deleteCommunityPoll: {
    ...routes.deleteCommunityPoll,
    signedIn: true,
    summary: 'Delete an own community poll with its votes and comments',
    params: pollIdParams,
    status: 204,
    errors: [...privacy, 'UNAUTHENTICATED', 'FORBIDDEN'],
  },
  invites: {
    ...routes.invites,
    signedIn: true,
    summary: 'The guests of one of the caller’s private polls',
    params: pollIdParams,
    status: 200,
    response: { type: 'array', items: inviteSchema },
    errors: [...privacy, 'UNAUTHENTICATED', 'FORBIDDEN'],
  },
  invite: {
    ...routes.invite,
    signedIn: true,
    summary: 'Invite a member to one of the caller’s private polls',
    params: pollIdParams,
    body: newInviteSchema,
    status: 201,
    response: inviteSchema,
    errors: [...privacy, 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_INVITABLE', 'VALIDATION_FAILED'],
  },
  removeInvite: {
    ...routes.removeInvite,
    signedIn: true,
    summary: 'Withdraw an invitation',
    params: {
      type: 'object',
      required: ['id', 'userId'],
      additionalProperties: false,
      properties: { ...pollIdParams.properties, userId: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}$' } },
    },
    status: 204,
    errors: [...privacy, 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  comments: {
    ...routes.comments,
    summary: 'Comments of a community poll, newest first',
    params: pollIdParams,
    query: {
      type: 'object',
      additionalProperties: false,
      properties: {
        limit: { type: 'integer', minimum: 1, maximum: limits.commentPageSize, default: limits.commentPageSize },
        before: {
          type: 'string',
          pattern: '^[A-Za-z0-9_-]{1,40}$',
          description: 'Id of the oldest comment already loaded',
        },
      },
    },
    status: 200,
    response: { type: 'array', items: commentSchema },
    errors: privacy,
  },
  createComment: {
    ...routes.createComment,
    signedIn: true,
    idempotent: true,
    summary: 'Comment on a community poll',
    params: pollIdParams,
    body: newCommentSchema,
    status: 201,
    response: commentSchema,
    errors: [...privacy, 'UNAUTHENTICATED', 'VALIDATION_FAILED', 'IDEMPOTENCY_KEY_REUSED', 'COMMENT_NOT_FOUND'],
  },
  deleteComment: {
    ...routes.deleteComment,
    signedIn: true,
    summary: 'Delete one of the caller’s comments, or any comment on one of the caller’s polls',
    params: commentParams,
    status: 204,
    errors: [...privacy, 'UNAUTHENTICATED', 'FORBIDDEN', 'COMMENT_NOT_FOUND'],
  },
  reportComment: {
    ...routes.reportComment,
    signedIn: true,
    summary: 'Report a comment to the operator',
    params: commentParams,
    body: commentReportSchema,
    status: 204,
    errors: [...privacy, 'UNAUTHENTICATED', 'COMMENT_NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
