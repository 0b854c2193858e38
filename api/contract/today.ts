import type { FromSchema } from 'json-schema-to-ts';
import { diskRoomSchema } from './publishing.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, emailAddress, maybeMoment, maybeText, moment } from './scalars.ts';
import { managedStates } from './vocabulary.ts';

const adminErrors = ['ADMIN_REQUIRED'] as const;

/** What may need a decision of the operator; of the same level, in this order. */
export const todayKinds = [
  ...([
    'disk',
    'results-differ',
    'vote-log',
    'witnesses',
    'no-open-poll',
    'votes-held',
    'decisions-unfinished',
    'reports',
    'appeals',
  ] as const),
  ...(['flags', 'publish-failed', 'publish-paused', 'mail-failed', 'webhooks-paused'] as const),
  ...(['imports-unfinished', 'backup', 'poll-gap', 'polls-ending'] as const),
] as const;
export type TodayKind = (typeof todayKinds)[number];

/** How urgent something is. `urgent`: something is lost or broken until it is decided; `note`: good to know today. */
export const todayLevels = ['urgent', 'open', 'note'] as const;

const todayItemSchema = {
  $id: 'TodayItem',
  type: 'object',
  required: ['kind', 'level', 'count', 'since', 'due', 'poll'],
  additionalProperties: false,
  properties: {
    kind: { type: 'string', enum: todayKinds },
    level: { type: 'string', enum: todayLevels },
    count: { ...count, description: 'Of a pause, the changes that wait' },
    since: { ...maybeMoment, description: 'Since when the oldest one waits' },
    due: { ...maybeMoment, description: 'When the first one happens or expires' },
    poll: {
      anyOf: [
        {
          type: 'object',
          required: ['id', 'question'],
          additionalProperties: false,
          properties: { id: { type: 'string' }, question: { type: 'string' } },
        },
        { type: 'null' },
      ],
      description: 'The first weekly poll concerned',
    },
  },
} as const;
export type TodayItem = FromSchema<typeof todayItemSchema>;

const todaySchema = {
  $id: 'Today',
  type: 'object',
  required: ['items', 'disk', 'polls'],
  additionalProperties: false,
  properties: {
    items: { type: 'array', items: todayItemSchema, description: 'Most urgent first' },
    disk: { anyOf: [diskRoomSchema, { type: 'null' }] },
    polls: {
      type: 'object',
      required: ['open', 'scheduled'],
      additionalProperties: false,
      properties: { open: count, scheduled: { ...count, description: 'That open within a week' } },
    },
  },
} as const;
export type Today = FromSchema<typeof todaySchema>;

const period = {
  type: 'object',
  required: ['from', 'to'],
  additionalProperties: false,
  properties: { from: moment, to: moment },
} as const;

/** Polls that one month lists. */
export const calendarPolls = 500;

const calendarPollSchema = {
  type: 'object',
  required: ['id', 'question', 'state', 'startsAt', 'endsAt'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    question: { type: 'string' },
    state: { type: 'string', enum: managedStates },
    startsAt: moment,
    endsAt: { ...maybeMoment, description: 'When it ends, or was closed; null: a draft without an end' },
  },
} as const;

const calendarSchema = {
  $id: 'PollCalendar',
  type: 'object',
  required: ['month', 'polls', 'total', 'gaps', 'overlaps'],
  additionalProperties: false,
  properties: {
    month: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}$' },
    polls: {
      type: 'array',
      maxItems: calendarPolls,
      items: calendarPollSchema,
      description:
        'Drafts first, then weekly polls that open or close in the month, or are open throughout it, in order of their start',
    },
    total: count,
    gaps: { type: 'array', items: period, description: 'Without an open poll, from the first poll ever on' },
    overlaps: {
      type: 'array',
      items: { ...period, required: ['from', 'to', 'polls'], properties: { ...period.properties, polls: count } },
      description: 'With more open polls than readers look at',
    },
  },
} as const;
export type PollCalendar = FromSchema<typeof calendarSchema>;

/** The steps of setting up a site, in their order. */
export const checklistSteps = [
  ...(['site-name', 'public-url', 'proxy', 'owner', 'support-email', 'legal-texts', 'mail'] as const),
  ...(['backup', 'demonstration'] as const),
] as const;
export type ChecklistStep = (typeof checklistSteps)[number];

/** The steps that the operator can confirm: nothing the server sees would settle them. */
export const confirmableSteps = ['site-name', 'legal-texts', 'mail', 'backup'] as const;

/** What is wrong with the way from the browser to the server. */
export const proxyProblems = [
  ...(['other-address', 'plain-http', 'other-protocol', 'no-client-address', 'clock'] as const),
] as const;

/** Steps of the backup test, in their order. */
export const backupTestPhases = ['copying', 'packing', 'unpacking', 'checking'] as const;

const backupTestSchema = {
  $id: 'BackupTest',
  type: 'object',
  required: ['state', 'startedAt', 'finishedAt', 'phase', 'percent', 'bytes', 'error'],
  additionalProperties: false,
  properties: {
    state: { type: 'string', enum: ['running', 'passed', 'failed'] },
    startedAt: moment,
    finishedAt: maybeMoment,
    phase: { type: 'string', enum: backupTestPhases },
    percent: { type: 'integer', minimum: 0, maximum: 100 },
    bytes: { anyOf: [count, { type: 'null' }], description: 'Of the backup' },
    error: maybeText,
  },
} as const;
export type BackupTest = FromSchema<typeof backupTestSchema>;

const checklistSchema = {
  $id: 'Checklist',
  type: 'object',
  required: ['dismissed', 'steps', 'site', 'lastBackupAt', 'backupTest', 'demonstration', 'proxy'],
  additionalProperties: false,
  properties: {
    dismissed: { type: 'boolean' },
    steps: {
      type: 'array',
      items: {
        type: 'object',
        required: ['step', 'state', 'confirmedAt'],
        additionalProperties: false,
        properties: {
          step: { type: 'string', enum: checklistSteps },
          state: { type: 'string', enum: ['done', 'todo', 'problem'] },
          confirmedAt: { ...maybeMoment, description: 'When the operator confirmed it' },
        },
      },
    },
    site: {
      type: 'object',
      required: ['name', 'publicUrl', 'supportEmail', 'sendsMail'],
      additionalProperties: false,
      properties: {
        name: { type: 'string' },
        publicUrl: { type: 'string' },
        supportEmail: { type: 'string' },
        sendsMail: { type: 'boolean' },
      },
    },
    lastBackupAt: maybeMoment,
    backupTest: { anyOf: [backupTestSchema, { type: 'null' }] },
    demonstration: { ...count, description: 'Demonstration polls and community polls that still exist' },
    proxy: {
      type: 'object',
      required: ['protocol', 'address', 'secureCookies', 'problems'],
      additionalProperties: false,
      properties: {
        protocol: { ...maybeText, description: 'Of the browser’s request, as forwarded' },
        address: { type: 'string', description: 'The browser’s, as limits count it' },
        secureCookies: { type: 'boolean' },
        problems: { type: 'array', items: { type: 'string', enum: proxyProblems } },
      },
    },
  },
} as const;
export type Checklist = FromSchema<typeof checklistSchema>;

const stepParams = {
  type: 'object',
  required: ['step'],
  additionalProperties: false,
  properties: { step: { type: 'string', enum: confirmableSteps } },
} as const;

/** The endpoints of the operator’s pages Today and Calendar, and of the setup checklist. */
export const todayEndpoints = {
  today: {
    ...routes.today,
    admin: 'operator',
    scope: 'read',
    summary: 'What needs a decision of the operator, most urgent first',
    status: 200,
    response: todaySchema,
    errors: ['VALIDATION_FAILED', ...adminErrors],
  },
  pollCalendar: {
    ...routes.pollCalendar,
    admin: 'operator',
    scope: 'read',
    summary: 'Openings and closings of weekly polls in a month, with gaps and overlaps',
    query: {
      type: 'object',
      additionalProperties: false,
      properties: {
        month: {
          type: 'string',
          pattern: '^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$',
          description: 'Such as 2026-11; the current one without it',
        },
      },
    },
    status: 200,
    response: calendarSchema,
    errors: ['VALIDATION_FAILED', ...adminErrors],
  },
  checklist: {
    ...routes.checklist,
    admin: 'owner',
    summary: 'The steps of setting up the site, and which are done',
    query: {
      type: 'object',
      additionalProperties: false,
      properties: {
        origin: { type: 'string', maxLength: 300, description: 'Of the page in the browser' },
        clock: { ...moment, description: 'The time of the browser' },
      },
    },
    status: 200,
    response: checklistSchema,
    errors: ['VALIDATION_FAILED', ...adminErrors],
  },
  confirmStep: {
    ...routes.confirmStep,
    admin: 'owner',
    summary: 'Confirm a step of the checklist that the server can’t check, or take that back',
    params: stepParams,
    body: {
      type: 'object',
      required: ['confirmed'],
      additionalProperties: false,
      properties: { confirmed: { type: 'boolean' } },
    },
    status: 204,
    errors: ['VALIDATION_FAILED', ...adminErrors],
  },
  dismissChecklist: {
    ...routes.dismissChecklist,
    admin: 'owner',
    summary: 'Hide the checklist from the first page, or show it there again',
    body: {
      type: 'object',
      required: ['dismissed'],
      additionalProperties: false,
      properties: { dismissed: { type: 'boolean' } },
    },
    status: 204,
    errors: ['VALIDATION_FAILED', ...adminErrors],
  },
  sendTestMail: {
    ...routes.sendTestMail,
    admin: 'owner',
    summary: 'Send a mail to an address, and say why if the mail server doesn’t accept it',
    body: {
      type: 'object',
      required: ['email'],
      additionalProperties: false,
      properties: { email: emailAddress },
    },
    status: 200,
    response: {
      type: 'object',
      required: ['accepted', 'reason'],
      additionalProperties: false,
      properties: { accepted: { type: 'boolean' }, reason: maybeText },
    },
    errors: ['VALIDATION_FAILED', ...adminErrors],
  },
  deskMail: {
    ...routes.deskMail,
    admin: 'operator',
    summary: 'Whether the caller gets mail about what needs a decision, and where',
    status: 200,
    response: {
      type: 'object',
      required: ['sendsMail', 'member', 'address', 'on'],
      additionalProperties: false,
      properties: {
        sendsMail: { type: 'boolean', description: 'Whether this site sends mail' },
        member: { type: 'boolean', description: 'false: the shared password, which has no address' },
        address: { ...maybeText, description: 'Confirmed; null without one' },
        on: { type: 'boolean' },
      },
    },
    errors: adminErrors,
  },
  setDeskMail: {
    ...routes.setDeskMail,
    admin: 'operator',
    summary: 'Turn mail about what needs a decision on or off for the caller',
    body: {
      type: 'object',
      required: ['on'],
      additionalProperties: false,
      properties: { on: { type: 'boolean' } },
    },
    status: 204,
    errors: ['VALIDATION_FAILED', 'CONFLICT', ...adminErrors],
  },
  startBackupTest: {
    ...routes.startBackupTest,
    admin: 'owner',
    summary: 'Make a backup in a temporary place, restore it there, and compare; continues in the background',
    status: 202,
    response: backupTestSchema,
    errors: ['CONFLICT', ...adminErrors],
  },
} as const satisfies Record<string, Endpoint>;
