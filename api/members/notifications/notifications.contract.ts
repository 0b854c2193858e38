import { Type } from 'typebox';
import { badgeKeys } from '#api/members/badges/badges.contract.ts';
import { pollIdSchema } from '#api/polls/polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { del, get, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import {
  adjusted,
  closed,
  count,
  described,
  maybeMoment,
  maybeText,
  moment,
  named,
  nullable,
  oneOf,
  query,
} from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import {
  digestPeriods,
  moderationActions,
  mutableKinds,
  notificationKinds,
  pollKinds,
  reportedKinds,
} from '#contract/vocabulary.ts';

/** Something that a member is notified of. */
export const notificationSchema = named('Notification', {
  id: Type.Integer(),
  kind: oneOf(notificationKinds),
  at: described(moment, 'Of the last event, if several are grouped'),
  read: Type.Boolean(),
  poll: nullable(closed({ id: pollIdSchema, kind: oneOf(pollKinds), question: Type.String() }), {
    description: 'Null for a badge, and for notices about a comment whose poll the member can’t see any more',
  }),
  comment: Type.Optional(Type.String({ description: 'The reply, or the comment with the mention; left out: none' })),
  badges: Type.Array(oneOf(badgeKeys), { description: 'Badges that were earned, the first one first' }),
  people: described(count, `Who commented, among the newest ${limits.groupedComments} comments; otherwise 0`),
  lastPerson: described(maybeText, 'Name and username of the person who commented last'),
  reason: described(maybeText, 'Why a moderator decided so'),
  hidden: Type.Optional(
    Type.Boolean({ description: 'The comment was hidden by the creator of the poll and not deleted; left out: no' }),
  ),
  decision: Type.Optional(
    closed(
      {
        action: oneOf(moderationActions),
        kind: oneOf(reportedKinds),
        granted: nullable(Type.Boolean(), { description: 'Of an appeal; null before' }),
      },
      { description: 'What a moderator decided; absent where the creator of the poll did' },
    ),
  ),
});
export type Notification = Static<typeof notificationSchema>;

/** One page of a member’s notifications, newest first, with the settings. */
export const notificationPageSchema = named('NotificationPage', {
  notifications: Type.Array(notificationSchema, { maxItems: limits.notificationPageSize }),
  total: adjusted(count, { maximum: limits.notificationsShown }),
  unread: adjusted(count, { maximum: limits.notificationsShown }),
  newest: described(maybeMoment, 'Of the newest of all pages, to mark everything up to it as read; null without any'),
  muted: Type.Array(oneOf(mutableKinds), { description: 'Kinds the member turned off' }),
  feedCreatedAt: described(maybeMoment, 'When the address of the personal feed was created; null without one'),
  digest: oneOf(digestPeriods, { description: 'How often unread notifications are mailed' }),
  digestTo: described(maybeText, 'Where they are mailed to; null without a confirmed address or mail server'),
});
export type NotificationPage = Static<typeof notificationPageSchema>;

/** Everything stored about the notifications of a member. */
export const notificationExportSchema = closed({
  list: Type.Array(
    closed({
      kind: oneOf(notificationKinds),
      subject: Type.String({ description: 'Id of the poll or comment, or key of the badge' }),
      pollId: maybeText,
      reason: maybeText,
      createdAt: moment,
      latestAt: moment,
      readAt: maybeMoment,
    }),
    { description: 'Of the last half a year, oldest first' },
  ),
  muted: notificationPageSchema.properties.muted,
  feedCreatedAt: notificationPageSchema.properties.feedCreatedAt,
  digest: notificationPageSchema.properties.digest,
});

/** A member’s notifications, visible only to that member. */
export const notificationEndpoints = {
  notifications: {
    ...get('/api/user/notifications'),
    signedIn: true,
    summary: `One page of the newest ${limits.notificationsShown} notifications`,
    query: query({
      page: Type.Integer({ minimum: 1, maximum: limits.notificationsShown / limits.notificationPageSize, default: 1 }),
    }),
    status: 200,
    response: notificationPageSchema,
    errors: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
  },
  readNotifications: {
    ...post('/api/user/notifications/read'),
    signedIn: true,
    summary: 'Mark what a member has seen as read: one notification, or all; returns how many are unread',
    body: closed({
      until: described(moment, 'The last event that was seen; a notification with a later one stays unread'),
      notificationId: Type.Optional(
        Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Omitted: all notifications' }),
      ),
    }),
    status: 200,
    response: closed({ unread: adjusted(count, { maximum: limits.notificationsShown }) }),
    errors: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
  },
  muteNotifications: {
    ...post('/api/user/notifications/muted'),
    signedIn: true,
    summary: 'Turn a kind of notification off or on',
    body: closed({ topic: oneOf(mutableKinds), muted: Type.Boolean() }),
    status: 204,
    errors: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
  },
  setDigest: {
    ...post('/api/user/notifications/digest'),
    signedIn: true,
    summary: 'Set how often unread notifications are mailed to the confirmed address',
    body: closed({ every: oneOf(digestPeriods) }),
    status: 204,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'CONFLICT', 'VALIDATION_FAILED'],
  },
  unsubscribe: {
    ...post('/api/unsubscribe/:token'),
    summary: 'Turn off mailed notifications, or invitations, for anyone with the link in such a mail (RFC 8058)',
    params: closed({ token: Type.String({ pattern: '^[A-Za-z0-9_-]{1,43}[.][A-Za-z0-9_-]{43}$' }) }),
    status: 204,
    errors: ['NOT_FOUND'],
  },
  createNotificationFeed: {
    ...post('/api/user/notifications/feed'),
    signedIn: true,
    summary: 'Create the secret address of a personal feed; an earlier one stops working',
    status: 201,
    response: closed({ path: Type.String({ description: 'On this site; returned only once' }) }),
    errors: ['UNAUTHENTICATED'],
  },
  deleteNotificationFeed: {
    ...del('/api/user/notifications/feed'),
    signedIn: true,
    summary: 'Make the address of the personal feed stop working',
    status: 204,
    errors: ['UNAUTHENTICATED'],
  },
  notificationFeed: {
    ...get('/api/notification-feeds/:secret'),
    client: false,
    summary: 'A member’s newest notifications as an Atom feed, for anyone with its secret address',
    params: closed({ secret: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }) }),
    status: 200,
    responseType: 'application/atom+xml',
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
