import type { FromSchema } from 'json-schema-to-ts';
import * as limits from './limits.ts';
import { pollIdSchema } from './poll.ts';
import { count, maybeDayOrMoment, maybeMoment, maybeText, moment } from './scalars.ts';
import { communityCategories, deviceIdPattern, visibilities } from './vocabulary.ts';

/** One answer of a community poll. `votes` is null until the asking voter may see counts: after voting, or when closed. */
export const communityOptionSchema = {
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

/** A community poll as the asking person may see it. `createdBy` and `allowedUsers` are in its creator's answers only. */
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
    isActive: { type: 'boolean' },
    visibility: { type: 'string', enum: visibilities },
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
    hasVoted: { type: 'boolean' },
    userVote: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'The option this voter chose' },
    commentCount: count,
  },
} as const;
export type CommunityPoll = FromSchema<typeof communityPollSchema>;

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
} = communityPollSchema.properties;

/** What a card in a list shows of a community poll: nothing of who made it, and nothing of who reads. */
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
  ],
  additionalProperties: false,
  properties: {
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
  },
} as const;
export type NewCommunityPoll = FromSchema<typeof newCommunityPollSchema>;

/** Somebody who may open a private poll; seen by its creator only. */
export const inviteSchema = {
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

export const newInviteSchema = {
  $id: 'NewInvite',
  type: 'object',
  required: ['usernameOrEmail'],
  additionalProperties: false,
  properties: { usernameOrEmail: { type: 'string', minLength: 1, maxLength: 254 } },
} as const;
export type NewInvite = FromSchema<typeof newInviteSchema>;

export const communityVoteRequestSchema = {
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

export const voteStatusSchema = {
  $id: 'VoteStatus',
  type: 'object',
  required: ['hasVoted'],
  additionalProperties: false,
  properties: { hasVoted: { type: 'boolean' }, optionId: { type: 'string' } },
} as const;
export type VoteStatus = FromSchema<typeof voteStatusSchema>;
