import { Type } from 'typebox';
import { accessErrors } from '#api/polls/community/community-polls.contract.ts';
import { pollIdParams } from '#api/polls/polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { get, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import {
  adjusted,
  closed,
  count,
  defaulted,
  described,
  emailAddress,
  maybeMoment,
  maybeText,
  moment,
  named,
  nullable,
  oneOf,
  query,
  soughtText,
} from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import { moderationActions, reportCategories, reportedKinds } from '#contract/vocabulary.ts';

const id = Type.String({ pattern: '^[A-Za-z0-9_-]{1,80}$' });
/** A reason that somebody has to give. */
const reason = adjusted(soughtText, { minLength: 1, maxLength: limits.removalReason });
const numberParams = closed({ id: Type.String({ pattern: '^[1-9][0-9]{0,14}$' }) });

/** A report of a poll or comment, or of the member who created it. */
export const reportSchema = named('Report', {
  category: defaulted(oneOf(reportCategories), 'other'),
  reason: Type.Optional(Type.String({ maxLength: limits.commentLength })),
  author: defaulted(Type.Boolean({ description: 'Report the member who created it instead' }), false),
  email: Type.Optional(
    described(emailAddress, 'For questions to somebody without an account; deleted once the report is decided'),
  ),
});
export type Report = Static<typeof reportSchema>;

const maybeMember = nullable(
  closed({
    id: Type.String(),
    username: Type.String(),
    suspended: Type.Boolean(),
    suspendedUntil: described(maybeMoment, 'Null for good, and for a member who is not suspended'),
  }),
  { description: 'Whom it is about; null for a former member' },
);

/** What moderators have to decide about: a comment, poll, or member with its reports. */
const reportedSchema = named('Reported', {
  kind: oneOf(reportedKinds),
  id,
  pollId: described(maybeText, 'The poll it is on; null for a member'),
  title: Type.String({ description: 'The question, or the name of the member' }),
  text: Type.String({ description: 'The comment, or the description of the poll' }),
  member: maybeMember,
  hidden: Type.Boolean({ description: 'Taken down, or suspended' }),
  reports: count,
  reportedAt: described(moment, 'Time of the newest report'),
  reasons: Type.Array(
    closed({
      category: oneOf(reportCategories),
      reason: maybeText,
      anonymous: Type.Optional(Type.Boolean({ description: 'By somebody who was signed out; left out: no' })),
      email: Type.Optional(Type.String({ description: 'Of that person; left out: none' })),
    }),
    { description: 'Newest first' },
  ),
});
export type Reported = Static<typeof reportedSchema>;

const appealProperties = {
  appeal: maybeText,
  appealedAt: maybeMoment,
  granted: nullable(Type.Boolean(), { description: 'Null until the appeal is decided' }),
  decisionReason: maybeText,
};

const actionProperties = {
  id: Type.Integer(),
  action: oneOf(moderationActions),
  kind: oneOf(reportedKinds),
  label: described(maybeText, 'The beginning of the text; null once the account is deleted'),
  reason: Type.String(),
  createdAt: moment,
  until: described(maybeMoment, 'End of a suspension; null for good, and for other actions'),
  endedAt: described(maybeMoment, 'When it was taken back'),
  ...appealProperties,
};

/** A moderator’s decision about a member’s content or account, as that member sees it. */
export const decisionSchema = named('ModerationDecision', { ...actionProperties, mayAppeal: Type.Boolean() });
export type ModerationDecision = Static<typeof decisionSchema>;

/** An entry of the audit log. */
const logEntrySchema = named('ModerationEntry', {
  ...actionProperties,
  actor: Type.String(),
  subject: id,
  member: described(maybeText, 'Username; null for a former member'),
});
export type ModerationEntry = Static<typeof logEntrySchema>;

const adminErrors = ['ADMIN_REQUIRED', 'VALIDATION_FAILED'] as const;
const contentCounts = closed({ members: count, polls: count, comments: count });
const page = Type.Integer({ minimum: 1, maximum: 10_000, default: 1 });

/** Reports, what moderators decide about them, and appeals. */
export const moderationEndpoints = {
  reportPoll: {
    ...post('/api/community-polls/:id/report'),
    summary: 'Report a community poll or its creator to the moderators',
    params: pollIdParams,
    body: reportSchema,
    status: 204,
    errors: [...accessErrors, 'VALIDATION_FAILED'],
  },
  moderationDecisions: {
    ...get('/api/user/moderation'),
    signedIn: true,
    summary: 'What moderators decided about the signed-in member and that member’s content, newest first',
    status: 200,
    response: closed({ decisions: Type.Array(decisionSchema), suspended: Type.Boolean(), suspendedUntil: maybeMoment }),
    errors: ['UNAUTHENTICATED'],
  },
  appeal: {
    ...post('/api/user/moderation/:id/appeal'),
    signedIn: true,
    summary: 'Appeal a decision, once',
    params: numberParams,
    body: closed({ text: reason }),
    status: 204,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'CONFLICT', 'VALIDATION_FAILED'],
  },
  reportQueue: {
    ...get('/api/admin/reports'),
    admin: 'moderator',
    summary: `The newest ${limits.reportsShown} reported comments, polls, and members, newest report first`,
    query: query({
      state: oneOf(['open', 'handled'], { default: 'open' }),
      page: adjusted(page, { maximum: limits.reportsShown / limits.moderationPageSize }),
    }),
    status: 200,
    response: closed({
      reported: Type.Array(reportedSchema),
      total: described(count, `Counted no further than ${limits.reportsShown + 1}`),
      appeals: Type.Array(logEntrySchema, { description: 'Undecided appeals, oldest first' }),
    }),
    errors: adminErrors,
  },
  moderationScope: {
    ...get('/api/admin/moderation/scope'),
    admin: 'moderator',
    summary: 'What else the same member, and members of the same network, have created and is still shown',
    query: query({ kind: oneOf(reportedKinds, { default: 'poll' }), id }),
    status: 200,
    response: closed({
      member: contentCounts,
      network: nullable(contentCounts, { description: 'Null when the network is no longer known' }),
    }),
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  moderate: {
    ...post('/api/admin/moderation'),
    admin: 'moderator',
    summary:
      'Do the same to several comments, polls, or members; each is changed on its own, so a request that was interrupted can be repeated. Suspending several asks operators to confirm',
    body: closed({
      action: oneOf(moderationActions),
      kind: oneOf(reportedKinds),
      ids: Type.Array(id, { minItems: 1, maxItems: limits.moderatedAtOnce }),
      reason,
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 365,
          description: 'Of a suspension; without it, members are suspended for good',
        }),
      ),
      scope: defaulted(
        oneOf(['each', 'member', 'network'], {
          description: 'Also everything by the same members, or from the networks it was created from',
        }),
        'each',
      ),
    }),
    status: 200,
    response: closed({ changed: count, unchanged: count, missing: count }),
    errors: [...adminErrors, 'BAD_REQUEST'],
  },
  moderationLog: {
    ...get('/api/admin/moderation'),
    admin: 'moderator',
    summary: 'The audit log of moderation, newest first',
    query: query({ page }),
    status: 200,
    response: closed({ entries: Type.Array(logEntrySchema), total: count }),
    errors: adminErrors,
  },
  decideAppeal: {
    ...post('/api/admin/moderation/:id/appeal'),
    admin: 'moderator',
    summary: 'Grant an appeal, which takes the decision back where that is possible, or refuse it',
    params: numberParams,
    body: closed({ granted: Type.Boolean(), reason }),
    status: 204,
    errors: [...adminErrors, 'NOT_FOUND', 'CONFLICT'],
  },
} as const satisfies Record<string, Endpoint>;
