import { Type } from 'typebox';
import { passkeySummarySchema, sessionSummarySchema } from '#api/members/accounts/account-security.contract.ts';
import { newBadgeSchema, userSchema } from '#api/members/accounts/accounts.contract.ts';
import { badgeCategories, badgeKeys, badgeTiers } from '#api/members/badges/badges.contract.ts';
import { notificationExportSchema } from '#api/members/notifications/notifications.contract.ts';
import { decisionSchema } from '#api/moderation/moderation.contract.ts';
import { communityPollSchema } from '#api/polls/community/community-polls.contract.ts';
import { emailInviteSchema, inviteLinkSchema } from '#api/polls/community/invitations.contract.ts';
import { accuracySchema } from '#api/polls/guesses/guesses.contract.ts';
import { pollIdSchema } from '#api/polls/polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { get, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import {
  anyObject,
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
import { activityTypes, operatorRoles, pollKinds, reportCategories, reportedKinds } from '#contract/vocabulary.ts';

const activityProperties = {
  id: Type.Integer(),
  activityType: oneOf(activityTypes),
  entityId: Type.String(),
  entityType: oneOf(['poll', 'community_poll', 'comment', 'badge']),
  metadata: anyObject(),
  createdAt: moment,
};

/** Something that a member did or earned, as it is kept. */
export const activitySchema = named('Activity', activityProperties);
export type Activity = Static<typeof activitySchema>;

/** The same with the poll that it is about: null where there is none, it is gone, or its reader may not see it any more. */
export const timelineActivitySchema = named('TimelineActivity', {
  ...activityProperties,
  poll: nullable(closed({ id: pollIdSchema, kind: oneOf(pollKinds), question: Type.String() })),
  choice: described(
    maybeText,
    'Text of the chosen option; null if this is not a vote or the poll is no longer visible',
  ),
});
export type TimelineActivity = Static<typeof timelineActivitySchema>;

/** How much a member did: votes and comments ever, polls that are there, badges. */
export const activityStatsSchema = named('ActivityStats', {
  votes: count,
  polls: count,
  comments: count,
  badges: count,
  activities: count,
});
export type ActivityStats = Static<typeof activityStatsSchema>;

/** One page of the timeline, newest first. */
export const activityPageSchema = named('ActivityPage', {
  activities: Type.Array(timelineActivitySchema, { maxItems: limits.activityPageSizeMax }),
  total: described(count, 'All activities of the member'),
  matching: described(count, 'Activities matching the type and search, on all pages'),
  searched: nullable(count, {
    description: `How many of the newest activities were searched (at most ${limits.activitySearchDepth}); null without a search`,
  }),
  next: described(maybeText, '`before` for the next page; null on the last page'),
  stats: activityStatsSchema,
});
export type ActivityPage = Static<typeof activityPageSchema>;

/** Votes, polls and comments of each day of about a year, days in UTC. Days without any are left out. */
export const activityDaysSchema = named('ActivityDays', {
  from: Type.String({ format: 'date' }),
  to: Type.String({ format: 'date', description: 'Today' }),
  total: count,
  activeDays: described(count, 'Number of days listed'),
  streak: closed(
    { current: count, longest: count },
    { description: 'Consecutive days of visits: the current streak and the longest ever' },
  ),
  days: Type.Array(closed({ day: Type.String({ format: 'date' }), count: Type.Integer({ minimum: 1 }) }), {
    maxItems: limits.activityDays,
  }),
});
export type ActivityDays = Static<typeof activityDaysSchema>;

const percent = Type.Integer({ minimum: 0, maximum: 100 });

/** So many of so many, and whole percent, rounded down. */
const tallySchema = closed({ earned: count, total: count, percent });
export type Tally = Static<typeof tallySchema>;

/** A badge of the tracker: when it was earned, and how far its owner is. */
export const trackedBadgeSchema = named('TrackedBadge', {
  key: oneOf(badgeKeys),
  category: oneOf(badgeCategories),
  tier: oneOf(badgeTiers),
  earnedAt: maybeMoment,
  current: described(count, 'Never more than the target'),
  target: count,
  percent,
  remaining: described(count, 'How many more are needed'),
});
export type TrackedBadge = Static<typeof trackedBadgeSchema>;

/** The badge tracker: every tracked badge, and the hidden ones that are earned, in the order of the catalogue. */
export const badgeTrackerSchema = named('BadgeTracker', {
  overall: described(tallySchema, 'All badges, including hidden ones'),
  tracked: described(tallySchema, 'Badges tracked from the start'),
  categories: Type.Array(closed({ category: oneOf(badgeCategories), ...tallySchema.properties }), {
    description: 'Core badges per category; bonus and hidden badges are not included',
  }),
  badges: Type.Array(trackedBadgeSchema, { maxItems: limits.badges }),
});
export type BadgeTracker = Static<typeof badgeTrackerSchema>;

/** Badges that somebody is about to be told of. */
export const announcementSchema = named('Announcement', {
  badges: Type.Array(oneOf(badgeKeys), { minItems: 1, maxItems: limits.badges }),
});

/** A poll that a member opened, or whose link was copied. */
export const pollEventSchema = named('PollDoing', { kind: oneOf(pollKinds), id: pollIdSchema });
export type PollEvent = Static<typeof pollEventSchema>;

export const earnedBadgeSchema = named('EarnedBadge', {
  badgeType: Type.String(),
  earnedAt: moment,
  metadata: anyObject(),
});
export type EarnedBadge = Static<typeof earnedBadgeSchema>;

const maybeAccuracy = nullable(accuracySchema, {
  description: 'How well the member guesses results; null before the first guess',
});

/** What the profile shows of the signed-in person: the latest activities and own polls, all badges, and how much there is. */
export const profileSchema = named('Profile', {
  user: closed({
    id: Type.String(),
    firstName: maybeText,
    lastName: maybeText,
    email: maybeText,
    profileImageUrl: maybeText,
    createdAt: moment,
  }),
  activities: Type.Array(timelineActivitySchema, { maxItems: limits.profileRecent }),
  polls: Type.Array(communityPollSchema, { maxItems: limits.profileRecent }),
  badges: Type.Array(earnedBadgeSchema, { maxItems: limits.badges }),
  stats: activityStatsSchema,
  accuracy: maybeAccuracy,
});
export type Profile = Static<typeof profileSchema>;

/** Of a poll that the member may see; null for others. */
const question = maybeText;

/** Everything that is kept about one person, for that person to keep. Votes say what was chosen, never from which device. */
export const userExportSchema = named('UserExport', {
  exportedAt: moment,
  user: userSchema,
  polls: Type.Array(communityPollSchema),
  votes: Type.Array(
    closed({
      pollId: Type.String(),
      question,
      optionId: Type.String(),
      option: described(maybeText, 'Its text; null where the question is'),
      further: Type.Optional(
        Type.Array(closed({ optionId: Type.String(), option: maybeText }), {
          description: 'The other options of a vote for several',
        }),
      ),
      createdAt: described(moment, 'From 30 days after the end of the poll, the start of the day'),
      network: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'A digest of the network the vote came from, until 30 days after the end of the poll',
      }),
      traits: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description:
          'Age of the account in steps, voter cookie, challenge, and whether it followed a look at the results, as bits; for the same time',
      }),
      nonce: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'The random number in the vote’s receipt, 32 hexadecimal digits; for the same time',
      }),
    }),
  ),
  comments: Type.Array(
    closed({ id: Type.String(), pollId: Type.String(), question, content: Type.String(), createdAt: moment }),
  ),
  reports: Type.Array(
    closed({
      kind: oneOf(reportedKinds),
      id: described(maybeText, 'Null for a member'),
      pollId: described(maybeText, 'The poll, or the one that the comment is on; null for a member'),
      question,
      category: oneOf(reportCategories),
      reason: maybeText,
      createdAt: moment,
    }),
    { description: 'What this user reported' },
  ),
  decisions: Type.Array(decisionSchema, { description: 'By moderators, about this user' }),
  origins: Type.Array(
    closed({ kind: oneOf(['poll', 'comment']), id: Type.String(), network: Type.Integer(), createdAt: moment }),
    { description: 'Digests of the networks that polls and comments were created from, for 30 days' },
  ),
  invitations: Type.Array(closed({ pollId: Type.String(), question, invitedAt: moment })),
  inviteLinks: Type.Array(closed({ pollId: Type.String(), ...inviteLinkSchema.properties }), {
    description: 'Links that members join private polls of this user with',
  }),
  emailInvites: Type.Array(closed({ pollId: Type.String(), ...emailInviteSchema.properties }), {
    description: 'Invitations to private polls of this user that were mailed and not accepted',
  }),
  blocked: Type.Array(closed({ userId: Type.String(), blockedAt: moment })),
  activities: Type.Array(timelineActivitySchema),
  badges: Type.Array(earnedBadgeSchema),
  events: Type.Array(closed({ type: Type.String(), subject: Type.String(), createdAt: moment, details: anyObject() }), {
    description: 'What activities and badges are computed from; of a vote, the time is the start of its day (UTC)',
  }),
  progress: anyObject({ description: 'The figures of the rules of badges' }),
  activityDays: activityDaysSchema.properties.days,
  guesses: maybeAccuracy,
  notifications: notificationExportSchema,
  sessions: Type.Array(sessionSummarySchema),
  email: closed({
    confirmed: Type.Boolean({ description: 'Whether the address of the account is confirmed' }),
    pending: described(maybeText, 'An address that waits for its owner to confirm it'),
  }),
  passkeys: Type.Array(passkeySummarySchema),
  operator: nullable(
    closed({
      role: oneOf(operatorRoles),
      createdAt: moment,
      invitedBy: Type.String({ description: 'Who made the invitation' }),
    }),
    { description: 'The role of an operator of this site; null for other members' },
  ),
  picture: described(maybeText, 'The WebP file of the picture, as base64'),
  recoveryCodes: described(count, 'Recovery codes that have not been used'),
  resetLinks: Type.Array(closed({ createdAt: moment, usedAt: maybeMoment }), {
    description: 'Links to set a new password, made by the operator or mailed in the last 30 days',
  }),
});
export type UserExport = Static<typeof userExportSchema>;

/** What a member did and earned, for that member alone. */
export const profileEndpoints = {
  profile: {
    ...get('/api/user/profile'),
    signedIn: true,
    summary: 'The signed-in user with the latest activities and own polls, all badges, and how much there is',
    status: 200,
    response: profileSchema,
    errors: ['UNAUTHENTICATED'],
  },
  activities: {
    ...get('/api/user/activities'),
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
    ...get('/api/user/activity-days'),
    signedIn: true,
    summary: 'Activity per day for about a year, and streaks',
    status: 200,
    response: activityDaysSchema,
    errors: ['UNAUTHENTICATED'],
  },
  badges: {
    ...get('/api/user/badges'),
    signedIn: true,
    summary: 'Every tracked badge with its progress, and the hidden ones that are earned',
    status: 200,
    response: badgeTrackerSchema,
    errors: ['UNAUTHENTICATED'],
  },
  announceBadges: {
    ...post('/api/user/badges/announced'),
    signedIn: true,
    summary: 'Claim the notifications of new badges; returns those no other tab has claimed',
    body: announcementSchema,
    status: 200,
    response: Type.Array(newBadgeSchema, { maxItems: limits.badges }),
    errors: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
  },
  pollShared: {
    ...post('/api/user/shares'),
    signedIn: true,
    summary: 'Record that the user copied a poll’s link; counted once per poll',
    body: pollEventSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'POLL_NOT_FOUND', 'PRIVATE_POLL_ACCESS_DENIED', 'VALIDATION_FAILED', 'RATE_LIMITED'],
  },
  pollOpened: {
    ...post('/api/user/opened'),
    signedIn: true,
    summary: 'Record that the user opened a poll’s page; counted once per poll',
    body: pollEventSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'POLL_NOT_FOUND', 'PRIVATE_POLL_ACCESS_DENIED', 'VALIDATION_FAILED', 'RATE_LIMITED'],
  },
  exportUser: {
    ...get('/api/user/export'),
    signedIn: true,
    summary: 'All data stored about the signed-in user',
    status: 200,
    response: userExportSchema,
    errors: ['UNAUTHENTICATED'],
  },
} as const satisfies Record<string, Endpoint>;
