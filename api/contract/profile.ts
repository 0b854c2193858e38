import type { FromSchema } from 'json-schema-to-ts';
import { userSchema } from './account.ts';
import { communityPollSchema } from './community-poll.ts';
import { maybeText, moment } from './scalars.ts';
import { activityTypes } from './vocabulary.ts';

export const activitySchema = {
  $id: 'Activity',
  type: 'object',
  required: ['id', 'activityType', 'entityId', 'entityType', 'metadata', 'createdAt'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer' },
    activityType: { type: 'string', enum: activityTypes },
    entityId: { type: 'string' },
    entityType: { type: 'string' },
    metadata: { type: 'object', additionalProperties: true },
    createdAt: moment,
  },
} as const;
export type Activity = FromSchema<typeof activitySchema>;

export const earnedBadgeSchema = {
  $id: 'EarnedBadge',
  type: 'object',
  required: ['badgeType', 'earnedAt', 'metadata'],
  additionalProperties: false,
  properties: {
    badgeType: { type: 'string' },
    earnedAt: moment,
    metadata: { type: 'object', additionalProperties: true },
  },
} as const;
export type EarnedBadge = FromSchema<typeof earnedBadgeSchema>;

/** Everything about the signed-in person's doings, seen by that person only. */
export const profileSchema = {
  $id: 'Profile',
  type: 'object',
  required: ['user', 'activities', 'polls', 'badges'],
  additionalProperties: false,
  properties: {
    user: {
      type: 'object',
      required: ['id', 'firstName', 'lastName', 'email', 'profileImageUrl', 'createdAt'],
      additionalProperties: false,
      properties: {
        id: { type: 'string' },
        firstName: maybeText,
        lastName: maybeText,
        email: maybeText,
        profileImageUrl: maybeText,
        createdAt: moment,
      },
    },
    activities: { type: 'array', items: activitySchema },
    polls: { type: 'array', items: communityPollSchema },
    badges: { type: 'array', items: earnedBadgeSchema },
  },
} as const;
export type Profile = FromSchema<typeof profileSchema>;

/** Everything that is kept about one person, for that person to keep. Votes say what was chosen, never from which device. */
export const userExportSchema = {
  $id: 'UserExport',
  type: 'object',
  required: [
    'exportedAt',
    'user',
    'polls',
    'votes',
    'comments',
    'reports',
    'invitations',
    'activities',
    'badges',
    'sessions',
  ],
  additionalProperties: false,
  properties: {
    exportedAt: moment,
    user: userSchema,
    polls: { type: 'array', items: communityPollSchema },
    votes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pollId', 'optionId', 'createdAt'],
        additionalProperties: false,
        properties: { pollId: { type: 'string' }, optionId: { type: 'string' }, createdAt: moment },
      },
    },
    comments: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'pollId', 'content', 'createdAt'],
        additionalProperties: false,
        properties: {
          id: { type: 'string' },
          pollId: { type: 'string' },
          content: { type: 'string' },
          createdAt: moment,
        },
      },
    },
    reports: {
      type: 'array',
      description: 'Comments that this person told the operator about',
      items: {
        type: 'object',
        required: ['commentId', 'reason', 'createdAt'],
        additionalProperties: false,
        properties: { commentId: { type: 'string' }, reason: maybeText, createdAt: moment },
      },
    },
    invitations: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pollId', 'invitedAt'],
        additionalProperties: false,
        properties: { pollId: { type: 'string' }, invitedAt: moment },
      },
    },
    activities: { type: 'array', items: activitySchema },
    badges: { type: 'array', items: earnedBadgeSchema },
    sessions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['expiresAt'],
        additionalProperties: false,
        properties: { expiresAt: moment },
      },
    },
  },
} as const;
export type UserExport = FromSchema<typeof userExportSchema>;
