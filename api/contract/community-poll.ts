import type { FromSchema } from 'json-schema-to-ts';
import * as limits from './limits.ts';
import { pollIdParams, pollIdSchema, receiptSchema } from './poll.ts';
import { promiseSchema } from './promise.ts';
import { count, maybeDayOrMoment, maybeMoment, maybeText, moment } from './scalars.ts';
import { communityCategories, pollProtections, resultVisibilities, visibilities } from './vocabulary.ts';
import { ballotProtection, ballotsPublished, logDifference, voteFigures } from './vote-figures.ts';

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
    'createdByUsername',
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
    ...logDifference,
    ...ballotProtection,
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
    createdByUsername: { ...maybeText, description: 'Null for a former member' },
    createdByStaff: { type: 'boolean', description: 'The creator is an operator of the site; left out: no' },
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
export const votedCommunityPollSchema = {
  ...communityPollSchema,
  $id: 'VotedCommunityPoll',
  required: [...communityPollSchema.required, 'receipt', 'promise'],
  properties: { ...communityPollSchema.properties, receipt: receiptSchema, promise: promiseSchema },
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
    protection: {
      type: 'string',
      enum: pollProtections,
      description: 'What votes need; by default any browser. Private polls are for members who are invited',
    },
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
    protection: { ...fields.protection, description: 'With votes it can only be raised, which the poll’s page says' },
    commentsOpen: { type: 'boolean' },
  },
} as const;
export type CommunityPollEdit = FromSchema<typeof communityPollEditSchema>;

/** What a creator changed after the first vote. */
export const recordedEditSchema = {
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

/** A member who can’t comment on any poll of the caller. */
export const blockedMemberSchema = {
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

/** A community poll, and a member as its creator refers to them. */
export const pollMemberParams = {
  type: 'object',
  required: ['id', 'userId'],
  additionalProperties: false,
  properties: { ...pollIdParams.properties, userId: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}$' } },
} as const;

/** Errors of every endpoint about one community poll. */
export const accessErrors = ['POLL_NOT_FOUND', 'PRIVATE_POLL_AUTH_REQUIRED', 'PRIVATE_POLL_ACCESS_DENIED'] as const;
