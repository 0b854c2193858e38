import type { FromSchema } from 'json-schema-to-ts';
import { accessErrors } from './community-poll.ts';
import * as limits from './limits.ts';
import { pollIdParams } from './poll.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, emailAddress, maybeMoment, maybeText, moment, soughtText } from './scalars.ts';
import { moderationActions, reportCategories, reportedKinds } from './vocabulary.ts';

const id = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,80}$' } as const;
/** A reason that somebody has to give. */
const reason = { ...soughtText, minLength: 1, maxLength: limits.removalReason } as const;
const numberParams = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: { id: { type: 'string', pattern: '^[1-9][0-9]{0,14}$' } },
} as const;

/** A report of a poll or comment, or of the member who created it. */
export const reportSchema = {
  $id: 'Report',
  type: 'object',
  additionalProperties: false,
  properties: {
    category: { type: 'string', enum: reportCategories, default: 'other' },
    reason: { type: 'string', maxLength: limits.commentLength },
    author: { type: 'boolean', default: false, description: 'Report the member who created it instead' },
    email: {
      ...emailAddress,
      description: 'For questions to somebody without an account; deleted once the report is decided',
    },
  },
} as const;
export type Report = FromSchema<typeof reportSchema>;

const maybeMember = {
  anyOf: [
    {
      type: 'object',
      required: ['id', 'username', 'suspended', 'suspendedUntil'],
      additionalProperties: false,
      properties: {
        id: { type: 'string' },
        username: { type: 'string' },
        suspended: { type: 'boolean' },
        suspendedUntil: { ...maybeMoment, description: 'Null for good, and for a member who is not suspended' },
      },
    },
    { type: 'null' },
  ],
  description: 'Whom it is about; null for a former member',
} as const;

/** What moderators have to decide about: a comment, poll, or member with its reports. */
const reportedSchema = {
  $id: 'Reported',
  type: 'object',
  required: ['kind', 'id', 'pollId', 'title', 'text', 'member', 'hidden', 'reports', 'reportedAt', 'reasons'],
  additionalProperties: false,
  properties: {
    kind: { type: 'string', enum: reportedKinds },
    id,
    pollId: { ...maybeText, description: 'The poll it is on; null for a member' },
    title: { type: 'string', description: 'The question, or the name of the member' },
    text: { type: 'string', description: 'The comment, or the description of the poll' },
    member: maybeMember,
    hidden: { type: 'boolean', description: 'Taken down, or suspended' },
    reports: count,
    reportedAt: { ...moment, description: 'Time of the newest report' },
    reasons: {
      type: 'array',
      description: 'Newest first',
      items: {
        type: 'object',
        required: ['category', 'reason'],
        additionalProperties: false,
        properties: {
          category: { type: 'string', enum: reportCategories },
          reason: maybeText,
          anonymous: { type: 'boolean', description: 'By somebody who was signed out; left out: no' },
          email: { type: 'string', description: 'Of that person; left out: none' },
        },
      },
    },
  },
} as const;
export type Reported = FromSchema<typeof reportedSchema>;

const appealProperties = {
  appeal: maybeText,
  appealedAt: maybeMoment,
  granted: { anyOf: [{ type: 'boolean' }, { type: 'null' }], description: 'Null until the appeal is decided' },
  decisionReason: maybeText,
} as const;

const actionProperties = {
  id: { type: 'integer' },
  action: { type: 'string', enum: moderationActions },
  kind: { type: 'string', enum: reportedKinds },
  label: { ...maybeText, description: 'The beginning of the text; null once the account is deleted' },
  reason: { type: 'string' },
  createdAt: moment,
  until: { ...maybeMoment, description: 'End of a suspension; null for good, and for other actions' },
  endedAt: { ...maybeMoment, description: 'When it was taken back' },
  ...appealProperties,
} as const;

/** A moderator’s decision about a member’s content or account, as that member sees it. */
export const decisionSchema = {
  $id: 'ModerationDecision',
  type: 'object',
  required: [...Object.keys(actionProperties), 'mayAppeal'] as (keyof typeof actionProperties | 'mayAppeal')[],
  additionalProperties: false,
  properties: { ...actionProperties, mayAppeal: { type: 'boolean' } },
} as const;
export type ModerationDecision = FromSchema<typeof decisionSchema>;

/** An entry of the audit log. */
const logEntrySchema = {
  $id: 'ModerationEntry',
  type: 'object',
  required: [...Object.keys(actionProperties), 'actor', 'subject', 'member'] as (
    keyof typeof actionProperties | 'actor' | 'subject' | 'member'
  )[],
  additionalProperties: false,
  properties: {
    ...actionProperties,
    actor: { type: 'string' },
    subject: id,
    member: { ...maybeText, description: 'Username; null for a former member' },
  },
} as const;
export type ModerationEntry = FromSchema<typeof logEntrySchema>;

const adminErrors = ['ADMIN_REQUIRED', 'VALIDATION_FAILED'] as const;
const contentCounts = {
  type: 'object',
  required: ['members', 'polls', 'comments'],
  additionalProperties: false,
  properties: { members: count, polls: count, comments: count },
} as const;
const page = { type: 'integer', minimum: 1, maximum: 10_000, default: 1 } as const;

/** Reports, what moderators decide about them, and appeals. */
export const moderationEndpoints = {
  reportPoll: {
    ...routes.reportPoll,
    summary: 'Report a community poll or its creator to the moderators',
    params: pollIdParams,
    body: reportSchema,
    status: 204,
    errors: [...accessErrors, 'VALIDATION_FAILED'],
  },
  moderationDecisions: {
    ...routes.moderationDecisions,
    signedIn: true,
    summary: 'What moderators decided about the signed-in member and that member’s content, newest first',
    status: 200,
    response: {
      type: 'object',
      required: ['decisions', 'suspended', 'suspendedUntil'],
      additionalProperties: false,
      properties: {
        decisions: { type: 'array', items: decisionSchema },
        suspended: { type: 'boolean' },
        suspendedUntil: maybeMoment,
      },
    },
    errors: ['UNAUTHENTICATED'],
  },
  appeal: {
    ...routes.appeal,
    signedIn: true,
    summary: 'Appeal a decision, once',
    params: numberParams,
    body: { type: 'object', required: ['text'], additionalProperties: false, properties: { text: reason } },
    status: 204,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'CONFLICT', 'VALIDATION_FAILED'],
  },
  reportQueue: {
    ...routes.reportQueue,
    admin: 'moderator',
    summary: `The newest ${limits.reportsShown} reported comments, polls, and members, newest report first`,
    query: {
      type: 'object',
      additionalProperties: false,
      properties: {
        state: { type: 'string', enum: ['open', 'handled'], default: 'open' },
        page: { ...page, maximum: limits.reportsShown / limits.moderationPageSize },
      },
    },
    status: 200,
    response: {
      type: 'object',
      required: ['reported', 'total', 'appeals'],
      additionalProperties: false,
      properties: {
        reported: { type: 'array', items: reportedSchema },
        total: { ...count, description: `Counted no further than ${limits.reportsShown + 1}` },
        appeals: { type: 'array', items: logEntrySchema, description: 'Undecided appeals, oldest first' },
      },
    },
    errors: adminErrors,
  },
  moderationScope: {
    ...routes.moderationScope,
    admin: 'moderator',
    summary: 'What else the same member, and members of the same network, have created and is still shown',
    query: {
      type: 'object',
      additionalProperties: false,
      properties: { kind: { type: 'string', enum: reportedKinds, default: 'poll' }, id },
    },
    status: 200,
    response: {
      type: 'object',
      required: ['member', 'network'],
      additionalProperties: false,
      properties: {
        member: contentCounts,
        network: { anyOf: [contentCounts, { type: 'null' }], description: 'Null when the network is no longer known' },
      },
    },
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  moderate: {
    ...routes.moderate,
    admin: 'moderator',
    summary:
      'Do the same to several comments, polls, or members; each is changed on its own, so a request that was interrupted can be repeated. Suspending several asks operators to confirm',
    body: {
      type: 'object',
      required: ['action', 'kind', 'ids', 'reason'],
      additionalProperties: false,
      properties: {
        action: { type: 'string', enum: moderationActions },
        kind: { type: 'string', enum: reportedKinds },
        ids: { type: 'array', items: id, minItems: 1, maxItems: limits.moderatedAtOnce },
        reason,
        days: {
          type: 'integer',
          minimum: 1,
          maximum: 365,
          description: 'Of a suspension; without it, members are suspended for good',
        },
        scope: {
          type: 'string',
          enum: ['each', 'member', 'network'],
          default: 'each',
          description: 'Also everything by the same members, or from the networks it was created from',
        },
      },
    },
    status: 200,
    response: {
      type: 'object',
      required: ['changed', 'unchanged', 'missing'],
      additionalProperties: false,
      properties: { changed: count, unchanged: count, missing: count },
    },
    errors: [...adminErrors, 'BAD_REQUEST'],
  },
  moderationLog: {
    ...routes.moderationLog,
    admin: 'moderator',
    summary: 'The audit log of moderation, newest first',
    query: { type: 'object', additionalProperties: false, properties: { page } },
    status: 200,
    response: {
      type: 'object',
      required: ['entries', 'total'],
      additionalProperties: false,
      properties: { entries: { type: 'array', items: logEntrySchema }, total: count },
    },
    errors: adminErrors,
  },
  decideAppeal: {
    ...routes.decideAppeal,
    admin: 'moderator',
    summary: 'Grant an appeal, which takes the decision back where that is possible, or refuse it',
    params: numberParams,
    body: {
      type: 'object',
      required: ['granted', 'reason'],
      additionalProperties: false,
      properties: { granted: { type: 'boolean' }, reason },
    },
    status: 204,
    errors: [...adminErrors, 'NOT_FOUND', 'CONFLICT'],
  },
} as const satisfies Record<string, Endpoint>;
