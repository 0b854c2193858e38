import { Type } from 'typebox';
import {
  accessErrors,
  blockedMemberSchema,
  communityPollEditSchema,
  communityPollSchema,
  newCommunityPollSchema,
  pollMemberParams,
  recordedEditSchema,
  votedCommunityPollSchema,
} from './community-poll.ts';
import * as limits from './limits.ts';
import { pollIdParams, voteErrors } from './poll.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { closed, count, named, oneOf, query } from './schema.ts';
import type { Static } from './schema.ts';
import { communityCategories, communitySorts, communityStates, deviceIdPattern } from './vocabulary.ts';

const communityVoteRequestSchema = named('CommunityVoteRequest', {
  optionId: Type.String({ minLength: 1, maxLength: 80 }),
  voterFingerprint: Type.Optional(
    Type.Unknown({
      description: `Required: a device id, ${deviceIdPattern}. Without it, or with another value: DEVICE_ID_REQUIRED`,
    }),
  ),
});

const voteStatusSchema = named('VoteStatus', { hasVoted: Type.Boolean(), optionId: Type.Optional(Type.String()) });
export type VoteStatus = Static<typeof voteStatusSchema>;

/** Which polls a list has. */
const listFilter = {
  visibility: oneOf(['public', 'mine', 'invited'], { default: 'public' }),
  category: oneOf(communityCategories),
  state: oneOf(communityStates, { description: 'By default all' }),
};

/** Community polls and votes on them. */
export const communityEndpoints = {
  featuredCommunityPolls: {
    ...routes.featuredCommunityPolls,
    summary: 'Public community polls featured by the operator',
    status: 200,
    response: Type.Array(communityPollSchema),
    errors: [],
  },
  communityCategories: {
    ...routes.communityCategories,
    summary: 'Names of the categories',
    status: 200,
    response: Type.Array(oneOf(communityCategories)),
    errors: [],
  },
  communityPolls: {
    ...routes.communityPolls,
    summary: 'One page of public community polls, of the caller’s own, or of those the caller is invited to',
    query: query({
      ...listFilter,
      sort: oneOf(communitySorts, { description: 'By default newest' }),
      limit: Type.Integer({ minimum: 1, maximum: 50, default: limits.communityPageSize }),
      offset: Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0 }),
    }),
    status: 200,
    response: Type.Array(communityPollSchema),
    errors: ['VALIDATION_FAILED', 'UNAUTHENTICATED'],
  },
  communityPollCount: {
    ...routes.communityPollCount,
    summary: 'How many polls a list has',
    query: query({ ...listFilter, sort: oneOf(communitySorts) }),
    status: 200,
    response: closed({ total: count }),
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
    errors: accessErrors,
  },
  communityVoteStatus: {
    ...routes.communityVoteStatus,
    summary: 'Whether this voter has voted, and for which option',
    params: pollIdParams,
    query: closed({ fingerprint: Type.String({ pattern: deviceIdPattern }) }),
    status: 200,
    response: voteStatusSchema,
    errors: accessErrors,
  },
  communityVote: {
    ...routes.communityVote,
    summary: 'Cast one vote; the answer is the poll with this vote in it',
    params: pollIdParams,
    body: communityVoteRequestSchema,
    status: 200,
    response: votedCommunityPollSchema,
    errors: [...accessErrors, ...voteErrors, 'POLL_NOT_STARTED'],
  },
  editCommunityPoll: {
    ...routes.editCommunityPoll,
    signedIn: true,
    summary: 'Change one of the caller’s community polls; question and options only until the first vote',
    params: pollIdParams,
    body: communityPollEditSchema,
    status: 200,
    response: communityPollSchema,
    errors: [
      ...accessErrors,
      ...(['UNAUTHENTICATED', 'FORBIDDEN', 'VALIDATION_FAILED', 'CONFLICT', 'POLL_CLOSED', 'RATE_LIMITED'] as const),
    ],
  },
  communityPollEdits: {
    ...routes.communityPollEdits,
    summary: 'What the creator changed since the first vote, newest first',
    params: pollIdParams,
    status: 200,
    response: Type.Array(recordedEditSchema),
    errors: accessErrors,
  },
  communityPollCsv: {
    ...routes.communityPollCsv,
    signedIn: true,
    summary: 'Results of one of the caller’s community polls as CSV',
    params: pollIdParams,
    status: 200,
    responseType: 'text/csv',
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN'],
  },
  closeCommunityPoll: {
    ...routes.closeCommunityPoll,
    signedIn: true,
    summary: 'Close one of the caller’s community polls early',
    params: pollIdParams,
    status: 200,
    response: communityPollSchema,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'POLL_CLOSED'],
  },
  deleteCommunityPoll: {
    ...routes.deleteCommunityPoll,
    signedIn: true,
    summary: 'Delete an own community poll with its votes and comments',
    params: pollIdParams,
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN'],
  },
  blocks: {
    ...routes.blocks,
    signedIn: true,
    summary: 'Members who can’t comment on any of the caller’s polls',
    params: pollIdParams,
    status: 200,
    response: Type.Array(blockedMemberSchema),
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN'],
  },
  blockAuthor: {
    ...routes.blockAuthor,
    signedIn: true,
    summary: 'Block the author of a comment on one of the caller’s polls from commenting on them',
    params: pollIdParams,
    body: closed({ commentId: Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' }) }),
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'COMMENT_NOT_FOUND', 'CONFLICT'],
  },
  unblock: {
    ...routes.unblock,
    signedIn: true,
    summary: 'Let a blocked member comment again',
    params: pollMemberParams,
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
