import { Type } from 'typebox';
import { oneOf, query } from './schema.ts';
import { newBadgeSchema } from './account.ts';
import * as limits from './limits.ts';
import {
  activityDaysSchema,
  activityPageSchema,
  announcementSchema,
  badgeTrackerSchema,
  pollEventSchema,
  profileSchema,
  userExportSchema,
} from './profile.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { activityTypes } from './vocabulary.ts';

/** What a member did and earned, for that member alone. */
export const profileEndpoints = {
  profile: {
    ...routes.profile,
    signedIn: true,
    summary: 'The signed-in user with the latest activities and own polls, all badges, and how much there is',
    status: 200,
    response: profileSchema,
    errors: ['UNAUTHENTICATED'],
  },
  activities: {
    ...routes.activities,
    signedIn: true,
    summary: 'One page of the user’s timeline, newest first',
    query: query({
      type: oneOf(activityTypes),
      q: Type.String({
        maxLength: limits.activitySearchLength,
        description: 'Part of a type name, entity id, poll question, or badge name',
      }),
      before: Type.String({ pattern: '^[0-9]{1,15}-[0-9]{1,15}$', description: '`next` of the previous page' }),
      limit: Type.Integer({ minimum: 1, maximum: limits.activityPageSizeMax, default: limits.activityPageSize }),
    }),
    status: 200,
    response: activityPageSchema,
    errors: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
  },
  activityDays: {
    ...routes.activityDays,
    signedIn: true,
    summary: 'Activity per day for about a year, and streaks',
    status: 200,
    response: activityDaysSchema,
    errors: ['UNAUTHENTICATED'],
  },
  badges: {
    ...routes.badges,
    signedIn: true,
    summary: 'Every tracked badge with its progress, and the hidden ones that are earned',
    status: 200,
    response: badgeTrackerSchema,
    errors: ['UNAUTHENTICATED'],
  },
  announceBadges: {
    ...routes.announceBadges,
    signedIn: true,
    summary: 'Claim the notifications of new badges; returns those no other tab has claimed',
    body: announcementSchema,
    status: 200,
    response: Type.Array(newBadgeSchema, { maxItems: limits.badges }),
    errors: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
  },
  pollShared: {
    ...routes.pollShared,
    signedIn: true,
    summary: 'Record that the user copied a poll’s link; counted once per poll',
    body: pollEventSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'POLL_NOT_FOUND', 'PRIVATE_POLL_ACCESS_DENIED', 'VALIDATION_FAILED', 'RATE_LIMITED'],
  },
  pollOpened: {
    ...routes.pollOpened,
    signedIn: true,
    summary: 'Record that the user opened a poll’s page; counted once per poll',
    body: pollEventSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'POLL_NOT_FOUND', 'PRIVATE_POLL_ACCESS_DENIED', 'VALIDATION_FAILED', 'RATE_LIMITED'],
  },
  exportUser: {
    ...routes.exportUser,
    signedIn: true,
    summary: 'All data stored about the signed-in user',
    status: 200,
    response: userExportSchema,
    errors: ['UNAUTHENTICATED'],
  },
} as const satisfies Record<string, Endpoint>;
