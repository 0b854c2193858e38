import type { FromSchema } from 'json-schema-to-ts';
import { passkeySummarySchema, sessionSummarySchema } from './account-security.ts';
import { userSchema } from './account.ts';
import { badgeCategories, badgeKeys, badgeTiers } from './badges.ts';
import { communityPollSchema } from './community-poll.ts';
import * as limits from './limits.ts';
import { accuracySchema } from './guess.ts';
import { emailInviteSchema, inviteLinkSchema } from './invitation.ts';
import { notificationExportSchema } from './notification.ts';
import { decisionSchema } from './moderation.ts';
import { pollIdSchema } from './poll.ts';
import { count, maybeMoment, maybeText, moment } from './scalars.ts';
import { activityTypes, operatorRoles, pollKinds, reportCategories, reportedKinds } from './vocabulary.ts';

const activityProperties = {
  id: { type: 'integer' },
  activityType: { type: 'string', enum: activityTypes },
  entityId: { type: 'string' },
  entityType: { type: 'string', enum: ['poll', 'community_poll', 'comment', 'badge'] },
  metadata: { type: 'object', additionalProperties: true },
  createdAt: moment,
} as const;

/** Something that a member did or earned, as it is kept. */
export const activitySchema = {
  $id: 'Activity',
  type: 'object',
  required: ['id', 'activityType', 'entityId', 'entityType', 'metadata', 'createdAt'],
  additionalProperties: false,
  properties: activityProperties,
} as const;
export type Activity = FromSchema<typeof activitySchema>;

/** The same with the poll that it is about: null where there is none, it is gone, or its reader may not see it any more. */
export const timelineActivitySchema = {
  $id: 'TimelineActivity',
  type: 'object',
  required: [...activitySchema.required, 'poll', 'choice'],
  additionalProperties: false,
  properties: {
    ...activityProperties,
    poll: {
      anyOf: [
        {
          type: 'object',
          required: ['id', 'kind', 'question'],
          additionalProperties: false,
          properties: { id: pollIdSchema, kind: { type: 'string', enum: pollKinds }, question: { type: 'string' } },
        },
        { type: 'null' },
      ],
    },
    choice: {
      ...maybeText,
      description: 'Text of the chosen option; null if this is not a vote or the poll is no longer visible',
    },
  },
} as const;
export type TimelineActivity = FromSchema<typeof timelineActivitySchema>;

/** How much a member did: votes and comments ever, polls that are there, badges. */
export const activityStatsSchema = {
  $id: 'ActivityStats',
  type: 'object',
  required: ['votes', 'polls', 'comments', 'badges', 'activities'],
  additionalProperties: false,
  properties: { votes: count, polls: count, comments: count, badges: count, activities: count },
} as const;
export type ActivityStats = FromSchema<typeof activityStatsSchema>;

/** One page of the timeline, newest first. */
export const activityPageSchema = {
  $id: 'ActivityPage',
  type: 'object',
  required: ['activities', 'total', 'matching', 'searched', 'next', 'stats'],
  additionalProperties: false,
  properties: {
    activities: { type: 'array', items: timelineActivitySchema, maxItems: limits.activityPageSizeMax },
    total: { ...count, description: 'All activities of the member' },
    matching: { ...count, description: 'Activities matching the type and search, on all pages' },
    searched: {
      anyOf: [count, { type: 'null' }],
      description: `How many of the newest activities were searched (at most ${limits.activitySearchDepth}); null without a search`,
    },
    next: { ...maybeText, description: '`before` for the next page; null on the last page' },
    stats: activityStatsSchema,
  },
} as const;
export type ActivityPage = FromSchema<typeof activityPageSchema>;

/** Votes, polls and comments of each day of about a year, days in UTC. Days without any are left out. */
export const activityDaysSchema = {
  $id: 'ActivityDays',
  type: 'object',
  required: ['from', 'to', 'total', 'activeDays', 'streak', 'days'],
  additionalProperties: false,
  properties: {
    from: { type: 'string', format: 'date' },
    to: { type: 'string', format: 'date', description: 'Today' },
    total: count,
    activeDays: { ...count, description: 'Number of days listed' },
    streak: {
      type: 'object',
      description: 'Consecutive days of visits: the current streak and the longest ever',
      required: ['current', 'longest'],
      additionalProperties: false,
      properties: { current: count, longest: count },
    },
    days: {
      type: 'array',
      maxItems: limits.activityDays,
      items: {
        type: 'object',
        required: ['day', 'count'],
        additionalProperties: false,
        properties: { day: { type: 'string', format: 'date' }, count: { type: 'integer', minimum: 1 } },
      },
    },
  },
} as const;
export type ActivityDays = FromSchema<typeof activityDaysSchema>;

const percent = { type: 'integer', minimum: 0, maximum: 100 } as const;

/** So many of so many, and whole percent, rounded down. */
const tallySchema = {
  type: 'object',
  required: ['earned', 'total', 'percent'],
  additionalProperties: false,
  properties: { earned: count, total: count, percent },
} as const;
export type Tally = FromSchema<typeof tallySchema>;

/** A badge of the tracker: when it was earned, and how far its owner is. */
export const trackedBadgeSchema = {
  $id: 'TrackedBadge',
  type: 'object',
  required: ['key', 'category', 'tier', 'earnedAt', 'current', 'target', 'percent', 'remaining'],
  additionalProperties: false,
  properties: {
    key: { type: 'string', enum: badgeKeys },
    category: { type: 'string', enum: badgeCategories },
    tier: { type: 'string', enum: badgeTiers },
    earnedAt: maybeMoment,
    current: { ...count, description: 'Never more than the target' },
    target: count,
    percent,
    remaining: { ...count, description: 'How many more are needed' },
  },
} as const;
export type TrackedBadge = FromSchema<typeof trackedBadgeSchema>;

/** The badge tracker: every tracked badge, and the hidden ones that are earned, in the order of the catalogue. */
export const badgeTrackerSchema = {
  $id: 'BadgeTracker',
  type: 'object',
  required: ['overall', 'tracked', 'categories', 'badges'],
  additionalProperties: false,
  properties: {
    overall: { ...tallySchema, description: 'All badges, including hidden ones' },
    tracked: { ...tallySchema, description: 'Badges tracked from the start' },
    categories: {
      type: 'array',
      description: 'Core badges per category; bonus and hidden badges are not included',
      items: {
        type: 'object',
        required: ['category', ...tallySchema.required],
        additionalProperties: false,
        properties: { category: { type: 'string', enum: badgeCategories }, ...tallySchema.properties },
      },
    },
    badges: { type: 'array', items: trackedBadgeSchema, maxItems: limits.badges },
  },
} as const;
export type BadgeTracker = FromSchema<typeof badgeTrackerSchema>;

/** Badges that somebody is about to be told of. */
export const announcementSchema = {
  $id: 'Announcement',
  type: 'object',
  required: ['badges'],
  additionalProperties: false,
  properties: {
    badges: { type: 'array', items: { type: 'string', enum: badgeKeys }, minItems: 1, maxItems: limits.badges },
  },
} as const;

/** A poll that a member opened, or whose link was copied. */
export const pollEventSchema = {
  $id: 'PollDoing',
  type: 'object',
  required: ['kind', 'id'],
  additionalProperties: false,
  properties: { kind: { type: 'string', enum: pollKinds }, id: pollIdSchema },
} as const;
export type PollEvent = FromSchema<typeof pollEventSchema>;

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

const maybeAccuracy = {
  anyOf: [accuracySchema, { type: 'null' }],
  description: 'How well the member guesses results; null before the first guess',
} as const;

/** What the profile shows of the signed-in person: the latest activities and own polls, all badges, and how much there is. */
export const profileSchema = {
  $id: 'Profile',
  type: 'object',
  required: ['user', 'activities', 'polls', 'badges', 'stats', 'accuracy'],
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
    activities: { type: 'array', items: timelineActivitySchema, maxItems: limits.profileRecent },
    polls: { type: 'array', items: communityPollSchema, maxItems: limits.profileRecent },
    badges: { type: 'array', items: earnedBadgeSchema, maxItems: limits.badges },
    stats: activityStatsSchema,
    accuracy: maybeAccuracy,
  },
} as const;
export type Profile = FromSchema<typeof profileSchema>;

/** Of a poll that the member may see; null for others. */
const question = maybeText;

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
    'decisions',
    'origins',
    'invitations',
    'inviteLinks',
    'emailInvites',
    'blocked',
    'activities',
    'badges',
    'events',
    'progress',
    'activityDays',
    'guesses',
    'notifications',
    'sessions',
    'email',
    'passkeys',
    'operator',
    'picture',
    'recoveryCodes',
    'resetLinks',
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
        required: ['pollId', 'question', 'optionId', 'option', 'createdAt', 'network', 'traits', 'nonce'],
        additionalProperties: false,
        properties: {
          pollId: { type: 'string' },
          question,
          optionId: { type: 'string' },
          option: { ...maybeText, description: 'Its text; null where the question is' },
          createdAt: { ...moment, description: 'From 30 days after the end of the poll, the start of the day' },
          network: {
            type: ['integer', 'null'],
            description: 'A digest of the network the vote came from, until 30 days after the end of the poll',
          },
          traits: {
            type: ['integer', 'null'],
            description: 'Age of the account in steps, voter cookie, and challenge, as bits; for the same time',
          },
          nonce: {
            type: ['string', 'null'],
            description: 'The random number in the vote’s receipt, 32 hexadecimal digits; for the same time',
          },
        },
      },
    },
    comments: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'pollId', 'question', 'content', 'createdAt'],
        additionalProperties: false,
        properties: {
          id: { type: 'string' },
          pollId: { type: 'string' },
          question,
          content: { type: 'string' },
          createdAt: moment,
        },
      },
    },
    reports: {
      type: 'array',
      description: 'What this user reported',
      items: {
        type: 'object',
        required: ['kind', 'id', 'pollId', 'question', 'category', 'reason', 'createdAt'],
        additionalProperties: false,
        properties: {
          kind: { type: 'string', enum: reportedKinds },
          id: { ...maybeText, description: 'Null for a member' },
          pollId: { ...maybeText, description: 'The poll, or the one that the comment is on; null for a member' },
          question,
          category: { type: 'string', enum: reportCategories },
          reason: maybeText,
          createdAt: moment,
        },
      },
    },
    decisions: { type: 'array', items: decisionSchema, description: 'By moderators, about this user' },
    origins: {
      type: 'array',
      description: 'Digests of the networks that polls and comments were created from, for 30 days',
      items: {
        type: 'object',
        required: ['kind', 'id', 'network', 'createdAt'],
        additionalProperties: false,
        properties: {
          kind: { type: 'string', enum: ['poll', 'comment'] },
          id: { type: 'string' },
          network: { type: 'integer' },
          createdAt: moment,
        },
      },
    },
    invitations: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pollId', 'question', 'invitedAt'],
        additionalProperties: false,
        properties: { pollId: { type: 'string' }, question, invitedAt: moment },
      },
    },
    inviteLinks: {
      type: 'array',
      description: 'Links that members join private polls of this user with',
      items: {
        type: 'object',
        required: ['pollId', ...inviteLinkSchema.required],
        additionalProperties: false,
        properties: { pollId: { type: 'string' }, ...inviteLinkSchema.properties },
      },
    },
    emailInvites: {
      type: 'array',
      description: 'Invitations to private polls of this user that were mailed and not accepted',
      items: {
        type: 'object',
        required: ['pollId', ...emailInviteSchema.required],
        additionalProperties: false,
        properties: { pollId: { type: 'string' }, ...emailInviteSchema.properties },
      },
    },
    blocked: {
      type: 'array',
      items: {
        type: 'object',
        required: ['userId', 'blockedAt'],
        additionalProperties: false,
        properties: { userId: { type: 'string' }, blockedAt: moment },
      },
    },
    activities: { type: 'array', items: timelineActivitySchema },
    badges: { type: 'array', items: earnedBadgeSchema },
    events: {
      type: 'array',
      description: 'What activities and badges are computed from; of a vote, the time is the start of its day (UTC)',
      items: {
        type: 'object',
        required: ['type', 'subject', 'createdAt', 'details'],
        additionalProperties: false,
        properties: {
          type: { type: 'string' },
          subject: { type: 'string' },
          createdAt: moment,
          details: { type: 'object', additionalProperties: true },
        },
      },
    },
    progress: { type: 'object', additionalProperties: true, description: 'The figures of the rules of badges' },
    activityDays: activityDaysSchema.properties.days,
    guesses: maybeAccuracy,
    notifications: notificationExportSchema,
    sessions: { type: 'array', items: sessionSummarySchema },
    email: {
      type: 'object',
      required: ['confirmed', 'pending'],
      additionalProperties: false,
      properties: {
        confirmed: { type: 'boolean', description: 'Whether the address of the account is confirmed' },
        pending: { ...maybeText, description: 'An address that waits for its owner to confirm it' },
      },
    },
    passkeys: { type: 'array', items: passkeySummarySchema },
    operator: {
      anyOf: [
        {
          type: 'object',
          required: ['role', 'createdAt', 'invitedBy'],
          additionalProperties: false,
          properties: {
            role: { type: 'string', enum: operatorRoles },
            createdAt: moment,
            invitedBy: { type: 'string', description: 'Who made the invitation' },
          },
        },
        { type: 'null' },
      ],
      description: 'The role of an operator of this site; null for other members',
    },
    picture: { ...maybeText, description: 'The WebP file of the picture, as base64' },
    recoveryCodes: { ...count, description: 'Recovery codes that have not been used' },
    resetLinks: {
      type: 'array',
      description: 'Links to set a new password, made by the operator or mailed in the last 30 days',
      items: {
        type: 'object',
        required: ['createdAt', 'usedAt'],
        additionalProperties: false,
        properties: { createdAt: moment, usedAt: maybeMoment },
      },
    },
  },
} as const;
export type UserExport = FromSchema<typeof userExportSchema>;
