import { Type } from 'typebox';
import { diskRoomSchema } from '#contract/disk.ts';
import { get, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import {
  closed,
  count,
  described,
  emailAddress,
  maybeMoment,
  maybeText,
  moment,
  named,
  nullable,
  oneOf,
  query,
} from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import { managedStates } from '#contract/vocabulary.ts';

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

const todayItemSchema = named('TodayItem', {
  kind: oneOf(todayKinds),
  level: oneOf(todayLevels),
  count: described(count, 'Of a pause, the changes that wait'),
  since: described(maybeMoment, 'Since when the oldest one waits'),
  due: described(maybeMoment, 'When the first one happens or expires'),
  poll: nullable(closed({ id: Type.String(), question: Type.String() }), {
    description: 'The first weekly poll concerned',
  }),
});
export type TodayItem = Static<typeof todayItemSchema>;

const todaySchema = named('Today', {
  items: Type.Array(todayItemSchema, { description: 'Most urgent first' }),
  disk: nullable(diskRoomSchema),
  polls: closed({ open: count, scheduled: described(count, 'That open within a week') }),
});
export type Today = Static<typeof todaySchema>;

const period = closed({ from: moment, to: moment });

/** Polls that one month lists. */
export const calendarPolls = 500;

const calendarPollSchema = closed({
  id: Type.String(),
  question: Type.String(),
  state: oneOf(managedStates),
  startsAt: moment,
  endsAt: described(maybeMoment, 'When it ends, or was closed; null: a draft without an end'),
});

const calendarSchema = named('PollCalendar', {
  month: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}$' }),
  polls: Type.Array(calendarPollSchema, {
    maxItems: calendarPolls,
    description:
      'Drafts first, then weekly polls that open or close in the month, or are open throughout it, in order of their start',
  }),
  total: count,
  gaps: Type.Array(period, { description: 'Without an open poll, from the first poll ever on' }),
  overlaps: Type.Array(closed({ ...period.properties, polls: count }), {
    description: 'With more open polls than readers look at',
  }),
});
export type PollCalendar = Static<typeof calendarSchema>;

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

const backupTestSchema = named('BackupTest', {
  state: oneOf(['running', 'passed', 'failed']),
  startedAt: moment,
  finishedAt: maybeMoment,
  phase: oneOf(backupTestPhases),
  percent: Type.Integer({ minimum: 0, maximum: 100 }),
  bytes: nullable(count, { description: 'Of the backup' }),
  error: maybeText,
});
export type BackupTest = Static<typeof backupTestSchema>;

const checklistSchema = named('Checklist', {
  dismissed: Type.Boolean(),
  steps: Type.Array(
    closed({
      step: oneOf(checklistSteps),
      state: oneOf(['done', 'todo', 'problem']),
      confirmedAt: described(maybeMoment, 'When the operator confirmed it'),
    }),
  ),
  site: closed({
    name: Type.String(),
    publicUrl: Type.String(),
    supportEmail: Type.String(),
    sendsMail: Type.Boolean(),
  }),
  lastBackupAt: maybeMoment,
  backupTest: nullable(backupTestSchema),
  demonstration: described(count, 'Demonstration polls and community polls that still exist'),
  proxy: closed({
    protocol: described(maybeText, 'Of the browser’s request, as forwarded'),
    address: Type.String({ description: 'The browser’s, as limits count it' }),
    secureCookies: Type.Boolean(),
    problems: Type.Array(oneOf(proxyProblems)),
  }),
});
export type Checklist = Static<typeof checklistSchema>;

const stepParams = closed({ step: oneOf(confirmableSteps) });

/** The endpoints of the operator’s pages Today and Calendar, and of the setup checklist. */
export const todayEndpoints = {
  today: {
    ...get('/api/admin/today'),
    admin: 'operator',
    scope: 'read',
    summary: 'What needs a decision of the operator, most urgent first',
    status: 200,
    response: todaySchema,
    errors: ['VALIDATION_FAILED', ...adminErrors],
  },
  pollCalendar: {
    ...get('/api/admin/calendar'),
    admin: 'operator',
    scope: 'read',
    summary: 'Openings and closings of weekly polls in a month, with gaps and overlaps',
    query: query({
      month: Type.String({
        pattern: '^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$',
        description: 'Such as 2026-11; the current one without it',
      }),
    }),
    status: 200,
    response: calendarSchema,
    errors: ['VALIDATION_FAILED', ...adminErrors],
  },
  checklist: {
    ...get('/api/admin/checklist'),
    admin: 'owner',
    summary: 'The steps of setting up the site, and which are done',
    query: query({
      origin: Type.String({ maxLength: 300, description: 'Of the page in the browser' }),
      clock: described(moment, 'The time of the browser'),
    }),
    status: 200,
    response: checklistSchema,
    errors: ['VALIDATION_FAILED', ...adminErrors],
  },
  confirmStep: {
    ...post('/api/admin/checklist/steps/:step'),
    admin: 'owner',
    summary: 'Confirm a step of the checklist that the server can’t check, or take that back',
    params: stepParams,
    body: closed({ confirmed: Type.Boolean() }),
    status: 204,
    errors: ['VALIDATION_FAILED', ...adminErrors],
  },
  dismissChecklist: {
    ...post('/api/admin/checklist/dismissed'),
    admin: 'owner',
    summary: 'Hide the checklist from the first page, or show it there again',
    body: closed({ dismissed: Type.Boolean() }),
    status: 204,
    errors: ['VALIDATION_FAILED', ...adminErrors],
  },
  sendTestMail: {
    ...post('/api/admin/checklist/test-mail'),
    admin: 'owner',
    summary: 'Send a mail to an address, and say why if the mail server doesn’t accept it',
    body: closed({ email: emailAddress }),
    status: 200,
    response: closed({ accepted: Type.Boolean(), reason: maybeText }),
    errors: ['VALIDATION_FAILED', ...adminErrors],
  },
  deskMail: {
    ...get('/api/admin/desk-mail'),
    admin: 'operator',
    summary: 'Whether the caller gets mail about what needs a decision, and where',
    status: 200,
    response: closed({
      sendsMail: Type.Boolean({ description: 'Whether this site sends mail' }),
      member: Type.Boolean({ description: 'false: the shared password, which has no address' }),
      address: described(maybeText, 'Confirmed; null without one'),
      on: Type.Boolean(),
    }),
    errors: adminErrors,
  },
  setDeskMail: {
    ...post('/api/admin/desk-mail'),
    admin: 'operator',
    summary: 'Turn mail about what needs a decision on or off for the caller',
    body: closed({ on: Type.Boolean() }),
    status: 204,
    errors: ['VALIDATION_FAILED', 'CONFLICT', ...adminErrors],
  },
  startBackupTest: {
    ...post('/api/admin/checklist/backup-test'),
    admin: 'owner',
    summary: 'Make a backup in a temporary place, restore it there, and compare; continues in the background',
    status: 202,
    response: backupTestSchema,
    errors: ['CONFLICT', ...adminErrors],
  },
} as const satisfies Record<string, Endpoint>;
