import type { FromSchema } from 'json-schema-to-ts';
import { badgeKeys } from './badges.ts';
import * as limits from './limits.ts';
import { pollIdSchema } from './poll.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, maybeMoment, maybeText, moment } from './scalars.ts';
import {
  digestPeriods,
  moderationActions,
  mutableKinds,
  notificationKinds,
  pollKinds,
  reportedKinds,
} from './vocabulary.ts';

/** Something that a member is notified of. */
export const notificationSchema = {
  $id: 'Notification',
  type: 'object',
  required: ['id', 'kind', 'at', 'read', 'poll', 'badges', 'people', 'lastPerson', 'reason'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer' },
    kind: { type: 'string', enum: notificationKinds },
    at: { ...moment, description: 'Of the last event, if several are grouped' },
    read: { type: 'boolean' },
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
      description: 'Null for a badge, and for notices about a comment whose poll the member can’t see any more',
    },
    comment: { type: 'string', description: 'The reply, or the comment with the mention; left out: none' },
    badges: {
      type: 'array',
      items: { type: 'string', enum: badgeKeys },
      description: 'Badges that were earned, the first one first',
    },
    people: {
      ...count,
      description: `Who commented, among the newest ${limits.groupedComments} comments; otherwise 0`,
    },
    lastPerson: { ...maybeText, description: 'Name and username of the person who commented last' },
    reason: { ...maybeText, description: 'Why a moderator decided so' },
    hidden: {
      type: 'boolean',
      description: 'The comment was hidden by the creator of the poll and not deleted; left out: no',
    },
    decision: {
      type: 'object',
      description: 'What a moderator decided; absent where the creator of the poll did',
      required: ['action', 'kind', 'granted'],
      additionalProperties: false,
      properties: {
        action: { type: 'string', enum: moderationActions },
        kind: { type: 'string', enum: reportedKinds },
        granted: { anyOf: [{ type: 'boolean' }, { type: 'null' }], description: 'Of an appeal; null before' },
      },
    },
  },
} as const;
export type Notification = FromSchema<typeof notificationSchema>;

/** One page of a member’s notifications, newest first, with the settings. */
export const notificationPageSchema = {
  $id: 'NotificationPage',
  type: 'object',
  required: ['notifications', 'total', 'unread', 'newest', 'muted', 'feedCreatedAt', 'digest', 'digestTo'],
  additionalProperties: false,
  properties: {
    notifications: { type: 'array', items: notificationSchema, maxItems: limits.notificationPageSize },
    total: { ...count, maximum: limits.notificationsShown },
    unread: { ...count, maximum: limits.notificationsShown },
    newest: {
      ...maybeMoment,
      description: 'Of the newest of all pages, to mark everything up to it as read; null without any',
    },
    muted: { type: 'array', items: { type: 'string', enum: mutableKinds }, description: 'Kinds the member turned off' },
    feedCreatedAt: {
      ...maybeMoment,
      description: 'When the address of the personal feed was created; null without one',
    },
    digest: { type: 'string', enum: digestPeriods, description: 'How often unread notifications are mailed' },
    digestTo: {
      ...maybeText,
      description: 'Where they are mailed to; null without a confirmed address or mail server',
    },
  },
} as const;
export type NotificationPage = FromSchema<typeof notificationPageSchema>;

/** Everything stored about the notifications of a member. */
export const notificationExportSchema = {
  type: 'object',
  required: ['list', 'muted', 'feedCreatedAt', 'digest'],
  additionalProperties: false,
  properties: {
    list: {
      type: 'array',
      description: 'Of the last half a year, oldest first',
      items: {
        type: 'object',
        required: ['kind', 'subject', 'pollId', 'reason', 'createdAt', 'latestAt', 'readAt'],
        additionalProperties: false,
        properties: {
          kind: { type: 'string', enum: notificationKinds },
          subject: { type: 'string', description: 'Id of the poll or comment, or key of the badge' },
          pollId: maybeText,
          reason: maybeText,
          createdAt: moment,
          latestAt: moment,
          readAt: maybeMoment,
        },
      },
    },
    muted: notificationPageSchema.properties.muted,
    feedCreatedAt: notificationPageSchema.properties.feedCreatedAt,
    digest: notificationPageSchema.properties.digest,
  },
} as const;

/** A member’s notifications, visible only to that member. */
export const notificationEndpoints = {
  notifications: {
    ...routes.notifications,
    signedIn: true,
    summary: `One page of the newest ${limits.notificationsShown} notifications`,
    query: {
      type: 'object',
      additionalProperties: false,
      properties: {
        page: {
          type: 'integer',
          minimum: 1,
          maximum: limits.notificationsShown / limits.notificationPageSize,
          default: 1,
        },
      },
    },
    status: 200,
    response: notificationPageSchema,
    errors: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
  },
  readNotifications: {
    ...routes.readNotifications,
    signedIn: true,
    summary: 'Mark what a member has seen as read: one notification, or all; returns how many are unread',
    body: {
      type: 'object',
      required: ['until'],
      additionalProperties: false,
      properties: {
        until: { ...moment, description: 'The last event that was seen; a notification with a later one stays unread' },
        notificationId: {
          type: 'integer',
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Omitted: all notifications',
        },
      },
    },
    status: 200,
    response: {
      type: 'object',
      required: ['unread'],
      additionalProperties: false,
      properties: { unread: { ...count, maximum: limits.notificationsShown } },
    },
    errors: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
  },
  muteNotifications: {
    ...routes.muteNotifications,
    signedIn: true,
    summary: 'Turn a kind of notification off or on',
    body: {
      type: 'object',
      required: ['topic', 'muted'],
      additionalProperties: false,
      properties: { topic: { type: 'string', enum: mutableKinds }, muted: { type: 'boolean' } },
    },
    status: 204,
    errors: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
  },
  setDigest: {
    ...routes.setDigest,
    signedIn: true,
    summary: 'Set how often unread notifications are mailed to the confirmed address',
    body: {
      type: 'object',
      required: ['every'],
      additionalProperties: false,
      properties: { every: { type: 'string', enum: digestPeriods } },
    },
    status: 204,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'CONFLICT', 'VALIDATION_FAILED'],
  },
  unsubscribe: {
    ...routes.unsubscribe,
    summary: 'Turn off mailed notifications, or invitations, for anyone with the link in such a mail (RFC 8058)',
    params: {
      type: 'object',
      required: ['token'],
      additionalProperties: false,
      properties: { token: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,43}[.][A-Za-z0-9_-]{43}$' } },
    },
    status: 204,
    errors: ['NOT_FOUND'],
  },
  createNotificationFeed: {
    ...routes.createNotificationFeed,
    signedIn: true,
    summary: 'Create the secret address of a personal feed; an earlier one stops working',
    status: 201,
    response: {
      type: 'object',
      required: ['path'],
      additionalProperties: false,
      properties: { path: { type: 'string', description: 'On this site; returned only once' } },
    },
    errors: ['UNAUTHENTICATED'],
  },
  deleteNotificationFeed: {
    ...routes.deleteNotificationFeed,
    signedIn: true,
    summary: 'Make the address of the personal feed stop working',
    status: 204,
    errors: ['UNAUTHENTICATED'],
  },
  notificationFeed: {
    ...routes.notificationFeed,
    summary: 'A member’s newest notifications as an Atom feed, for anyone with its secret address',
    params: {
      type: 'object',
      required: ['secret'],
      additionalProperties: false,
      properties: { secret: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' } },
    },
    status: 200,
    responseType: 'application/atom+xml',
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
