import type { FromSchema } from 'json-schema-to-ts';
import * as limits from './limits.ts';
import { pollIdParams, pollIdSchema, receiptSchema } from './poll.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, maybeDayOrMoment, maybeMoment, maybeText, moment } from './scalars.ts';
import {
  communityCategories,
  communitySorts,
  communityStates,
  deviceIdPattern,
  resultVisibilities,
  visibilities,
} from './vocabulary.ts';
import { ballotsPublished, voteFigures } from './vote-figures.ts';

/** An option of a community poll. `votes` is null where `resultVisibility` hides the counts. */
const communityOptionSchema = {
  $id: 'CommunityPollOption',
  type: 'object',
  required: ['id', 'text', 'votes'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    text: { type: 'string' },
    votes: { anyOf: [count, { type: 'null' }] },
  },
} as const;

/** A community poll as the caller may see it. `createdBy` and `allowedUsers` are in responses to its creator only. */
export const communityPollSchema = {
  $id: 'CommunityPoll',
  type: 'object',
  required: [
    'id',
    'question',
    'description',
    'options',
    'totalVotes',
    'isActive',
    'visibility',
    'featured',
    'createdAt',
    'startsAt',
    'endsAt',
    'closedAt',
    'category',
    'tags',
    'createdByName',
    'isMine',
    'hasVoted',
    'userVote',
    'commentCount',
  ],
  additionalProperties: false,
  properties: {
    id: pollIdSchema,
    question: { type: 'string' },
    description: { type: 'string' },
    options: { type: 'array', items: communityOptionSchema },
    totalVotes: count,
    ...voteFigures,
    ...ballotsPublished,
    isActive: { type: 'boolean' },
    visibility: { type: 'string', enum: visibilities },
    resultVisibility: {
      type: 'string',
      enum: resultVisibilities,
      description:
        'Who sees the counts besides the creator; left out: those who have voted, and everyone after the end',
    },
    commentsOpen: { type: 'boolean', description: 'Left out: yes' },
    editedAt: { ...moment, description: 'Of the newest edit since the first vote' },
    featured: { type: 'boolean' },
    createdAt: moment,
    startsAt: moment,
    endsAt: maybeMoment,
    closedAt: maybeMoment,
    category: maybeText,
    tags: { type: 'array', items: { type: 'string' } },
    createdByName: { type: 'string', description: "The creator's name, or 'a former member'" },
    createdBy: { type: 'string', description: 'Id of the creator; only in responses to the creator' },
    allowedUsers: {
      type: 'array',
      items: { type: 'string' },
      description: 'Ids of the guests, in the order of their invitations; only in responses to the creator',
    },
    isMine: { type: 'boolean' },
    takenDown: { type: 'boolean', description: 'Only its creator can still see it; absent for other polls' },
    hasVoted: { type: 'boolean' },
    userVote: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'The option this voter chose' },
    commentCount: count,
  },
} as const;
export type CommunityPoll = FromSchema<typeof communityPollSchema>;

/** The response to a vote on a community poll: the poll with this vote in it. */
const votedCommunityPollSchema = {
  ...communityPollSchema,
  $id: 'VotedCommunityPoll',
  required: [...communityPollSchema.required, 'receipt'],
  properties: { ...communityPollSchema.properties, receipt: receiptSchema },
} as const;

const {
  id,
  question,
  description,
  totalVotes,
  isActive,
  visibility,
  featured,
  createdAt,
  startsAt,
  endsAt,
  closedAt,
  category,
  commentCount,
} = communityPollSchema.properties;

/** A community poll as a card in a list: without anything specific to its creator or the caller. */
export const communityCardSchema = {
  $id: 'CommunityCard',
  type: 'object',
  required: [
    'id',
    'question',
    'description',
    'totalVotes',
    'isActive',
    'visibility',
    'featured',
    'createdAt',
    'startsAt',
    'endsAt',
    'closedAt',
    'category',
    'commentCount',
  ],
  additionalProperties: false,
  properties: {
    id,
    question,
    description,
    totalVotes,
    ...voteFigures,
    isActive,
    visibility,
    featured,
    createdAt,
    startsAt,
    endsAt,
    closedAt,
    category,
    commentCount,
  },
} as const;
export type CommunityCard = FromSchema<typeof communityCardSchema>;

export const newCommunityPollSchema = {
  $id: 'NewCommunityPoll',
  type: 'object',
  required: ['question', 'options'],
  additionalProperties: false,
  properties: {
    question: { type: 'string', minLength: 1, maxLength: limits.communityQuestion },
    description: { type: 'string', maxLength: limits.communityDescription },
    visibility: { type: 'string', enum: visibilities, default: 'public' },
    category: { anyOf: [{ type: 'string', enum: communityCategories }, { type: 'null' }] },
    options: {
      type: 'array',
      minItems: limits.communityOptionsMin,
      maxItems: limits.communityOptionsMax,
      items: {
        type: 'object',
        required: ['id', 'text'],
        additionalProperties: false,
        properties: {
          id: { type: 'string', pattern: '^option-[0-9]{1,2}$' },
          text: { type: 'string', minLength: 1, maxLength: limits.communityOption },
          votes: { type: 'integer', const: 0 },
        },
      },
    },
    startsAt: maybeDayOrMoment,
    endsAt: maybeMoment,
    resultVisibility: { type: 'string', enum: resultVisibilities, description: 'By default after-voting' },
    publishBallots: {
      type: 'boolean',
      description: 'Of a public poll, once it closes; by default true, and never with results for the creator only',
    },
  },
} as const;
export type NewCommunityPoll = FromSchema<typeof newCommunityPollSchema>;

const { properties: fields } = newCommunityPollSchema;

/** Changes of a community poll; at least one field. */
export const communityPollEditSchema = {
  $id: 'CommunityPollEdit',
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: {
    question: fields.question,
    description: fields.description,
    options: {
      ...fields.options,
      items: {
        type: 'object',
        required: ['text'],
        additionalProperties: false,
        properties: { text: fields.options.items.properties.text },
      },
    },
    endsAt: fields.endsAt,
    resultVisibility: fields.resultVisibility,
    commentsOpen: { type: 'boolean' },
  },
} as const;
export type CommunityPollEdit = FromSchema<typeof communityPollEditSchema>;

/** What a creator changed after the first vote. */
const recordedEditSchema = {
  $id: 'RecordedEdit',
  type: 'object',
  required: ['editedAt', 'changes'],
  additionalProperties: false,
  properties: {
    editedAt: moment,
    changes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'before', 'after'],
        additionalProperties: false,
        properties: {
          field: { type: 'string', enum: ['description', 'endsAt'] },
          before: maybeText,
          after: maybeText,
        },
      },
    },
  },
} as const;
export type RecordedEdit = FromSchema<typeof recordedEditSchema>;

/** A guest of a private poll; visible to its creator only. */
const inviteSchema = {
  $id: 'Invite',
  type: 'object',
  required: ['userId', 'name', 'username', 'invitedAt', 'acceptedAt'],
  additionalProperties: false,
  properties: {
    userId: { type: 'string' },
    name: { type: 'string', description: 'First and last name, or the username' },
    username: { type: 'string' },
    invitedAt: moment,
    acceptedAt: { ...maybeMoment, description: 'When the guest first opened the poll' },
  },
} as const;
export type Invite = FromSchema<typeof inviteSchema>;

/** A member who can’t comment on any poll of the caller. */
const blockedMemberSchema = {
  $id: 'BlockedMember',
  type: 'object',
  required: ['userId', 'name', 'username', 'blockedAt'],
  additionalProperties: false,
  properties: {
    userId: { type: 'string' },
    name: { type: 'string', description: 'First and last name, or the username' },
    username: { type: 'string' },
    blockedAt: moment,
  },
} as const;
export type BlockedMember = FromSchema<typeof blockedMemberSchema>;

export const newInviteSchema = {
  $id: 'NewInvite',
  type: 'object',
  required: ['usernameOrEmail'],
  additionalProperties: false,
  properties: { usernameOrEmail: { type: 'string', minLength: 1, maxLength: 254 } },
} as const;
export type NewInvite = FromSchema<typeof newInviteSchema>;

const communityVoteRequestSchema = {
  $id: 'CommunityVoteRequest',
  type: 'object',
  required: ['optionId'],
  additionalProperties: false,
  properties: {
    optionId: { type: 'string', minLength: 1, maxLength: 80 },
    voterFingerprint: {
      description: `Required: a device id, ${deviceIdPattern}. Without it, or with another value: DEVICE_ID_REQUIRED`,
    },
  },
} as const;

const voteStatusSchema = {
  $id: 'VoteStatus',
  type: 'object',
  required: ['hasVoted'],
  additionalProperties: false,
  properties: { hasVoted: { type: 'boolean' }, optionId: { type: 'string' } },
} as const;
export type VoteStatus = FromSchema<typeof voteStatusSchema>;

const userParams = {
  type: 'object',
  required: ['id', 'userId'],
  additionalProperties: false,
  properties: { ...pollIdParams.properties, userId: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}$' } },
} as const;

/** Errors of every endpoint about one community poll. */
export const accessErrors = ['POLL_NOT_FOUND', 'PRIVATE_POLL_AUTH_REQUIRED', 'PRIVATE_POLL_ACCESS_DENIED'] as const;

/** Which polls a list has. */
const listFilter = {
  visibility: { type: 'string', enum: ['public', 'mine', 'invited'], default: 'public' },
  category: { type: 'string', enum: communityCategories },
  state: { type: 'string', enum: communityStates, description: 'By default all' },
} as const;

/** Community polls and votes on them. */
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
    summary: 'One page of public community polls, of the caller’s own, or of those the caller is invited to',
    query: {
      type: 'object',
      additionalProperties: false,
      properties: {
        ...listFilter,
        sort: { type: 'string', enum: communitySorts, description: 'By default newest' },
        limit: { type: 'integer', minimum: 1, maximum: 50, default: limits.communityPageSize },
        offset: { type: 'integer', minimum: 0, maximum: 10_000_000, default: 0 },
      },
    },
    status: 200,
    response: { type: 'array', items: communityPollSchema },
    errors: ['VALIDATION_FAILED', 'UNAUTHENTICATED'],
  },
  communityPollCount: {
    ...routes.communityPollCount,
    summary: 'How many polls a list has',
    query: {
      type: 'object',
      additionalProperties: false,
      properties: { ...listFilter, sort: { type: 'string', enum: communitySorts } },
    },
    status: 200,
    response: { type: 'object', required: ['total'], additionalProperties: false, properties: { total: count } },
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
    query: {
      type: 'object',
      required: ['fingerprint'],
      additionalProperties: false,
      properties: { fingerprint: { type: 'string', pattern: deviceIdPattern } },
    },
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
    errors: [
      ...accessErrors,
      'DEVICE_ID_REQUIRED',
      'INVALID_OPTION',
      'ALREADY_VOTED',
      'CHALLENGE_REQUIRED',
      'POLL_CLOSED',
      'POLL_NOT_STARTED',
      'OVERLOADED',
    ],
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
    response: { type: 'array', items: recordedEditSchema },
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
  invites: {
    ...routes.invites,
    signedIn: true,
    summary: 'The guests of one of the caller’s private polls',
    params: pollIdParams,
    status: 200,
    response: { type: 'array', items: inviteSchema },
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN'],
  },
  invite: {
    ...routes.invite,
    signedIn: true,
    summary: 'Invite a member to one of the caller’s private polls',
    params: pollIdParams,
    body: newInviteSchema,
    status: 201,
    response: inviteSchema,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_INVITABLE', 'VALIDATION_FAILED'],
  },
  blocks: {
    ...routes.blocks,
    signedIn: true,
    summary: 'Members who can’t comment on any of the caller’s polls',
    params: pollIdParams,
    status: 200,
    response: { type: 'array', items: blockedMemberSchema },
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN'],
  },
  blockAuthor: {
    ...routes.blockAuthor,
    signedIn: true,
    summary: 'Block the author of a comment on one of the caller’s polls from commenting on them',
    params: pollIdParams,
    body: {
      type: 'object',
      required: ['commentId'],
      additionalProperties: false,
      properties: { commentId: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}$' } },
    },
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'COMMENT_NOT_FOUND', 'CONFLICT'],
  },
  unblock: {
    ...routes.unblock,
    signedIn: true,
    summary: 'Let a blocked member comment again',
    params: userParams,
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  removeInvite: {
    ...routes.removeInvite,
    signedIn: true,
    summary: 'Withdraw an invitation',
    params: userParams,
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
