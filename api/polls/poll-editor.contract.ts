import { Type } from 'typebox';
import { importLimits } from '#api/polls/import/poll-import.contract.ts';
import * as limits from '#contract/limits.ts';
import { del, get, patch, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import {
  adjusted,
  closed,
  count,
  defaulted,
  described,
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
import { managedStates, optionOrders, pollProtections, protections } from '#contract/vocabulary.ts';
import { countryShareSchema, pollIdParams, pollIdSchema } from './polls.contract.ts';

// PostgreSQL can’t store the character that texts must not contain.
const text = (most: number) => adjusted(soughtText, { maxLength: most });
const optionalText = (most: number) => nullable(text(most));

const provenanceText = Type.Optional(text(importLimits.provenance));

const contentProperties = {
  question: text(importLimits.question),
  description: text(importLimits.description),
  options: Type.Array(closed({ id: text(importLimits.optionId), text: text(importLimits.optionText) }), {
    maxItems: importLimits.options,
  }),
  category: optionalText(limits.importShortText),
  tags: Type.Array(text(limits.importShortText), { maxItems: importLimits.tags }),
  series: optionalText(limits.importShortText),
  seriesNote: optionalText(importLimits.seriesNote),
  author: optionalText(limits.importShortText),
  summary: optionalText(importLimits.summary),
  analysis: described(optionalText(importLimits.analysis), 'HTML; disallowed parts are removed'),
  methodologyNotes: optionalText(importLimits.methodology),
  countryBreakdown: Type.Array(
    named('CountryShareToStore', { ...countryShareSchema.properties, name: text(limits.importShortText) }),
    { maxItems: importLimits.countries },
  ),
  provenance: closed(
    {
      source: provenanceText,
      sample: provenanceText,
      fieldDates: provenanceText,
      mode: provenanceText,
      sponsor: provenanceText,
      license: provenanceText,
      link: provenanceText,
    },
    { description: 'Of imported answers; what is not known is left out or empty' },
  ),
  publishBallots: Type.Boolean(),
  optionOrder: oneOf(optionOrders),
  protection: oneOf(pollProtections),
  startsAt: maybeMoment,
  endsAt: maybeMoment,
};

/** What an operator writes of a poll. A draft may be incomplete: texts may be empty, and dates null. */
export const pollContentSchema = named('PollContent', contentProperties);
export type PollContent = Static<typeof pollContentSchema>;
export type ContentField = keyof PollContent;
export const contentFields = Object.keys(contentProperties) as ContentField[];

/** Fields of a poll that differ. */
const changedFieldsSchema = Type.Partial(Type.Object(contentProperties), {
  $id: 'ChangedFields',
  additionalProperties: false,
});
export type ChangedFields = Static<typeof changedFieldsSchema>;

/** Changes of a draft: fields that are left out stay. */
const draftChangesSchema = named(
  'DraftChanges',
  {
    version: described(count, 'The version that was changed; 0: there is none'),
    publishedAt: Type.Optional(
      described(maybeMoment, 'When what is published was last changed before; if it is left out, that is not compared'),
    ),
    ...changedFieldsSchema.properties,
  },
  { minProperties: 2 },
);

const recurrence = {
  every: Type.Integer({ minimum: 1, maximum: 26 }),
  unit: oneOf(['week', 'month']),
  until: nullable(Type.String({ format: 'date', pattern: '^20' }), {
    description: 'The last day on which a wave opens',
  }),
  timeZone: Type.String({ maxLength: 60, description: 'IANA name; the waves open at the same local time' }),
};

/** A poll in the editor: what is published, and the draft of it. */
const editedPollSchema = named('EditedPoll', {
  id: pollIdSchema,
  state: oneOf(managedStates),
  content: pollContentSchema,
  published: nullable(pollContentSchema, {
    description: 'What voters see, or will see from the start; null: only a draft',
  }),
  dropped: Type.Array(oneOf(contentFields), {
    description:
      'Fields whose changes in the draft won’t be published: the poll has opened, closed, or got votes since',
  }),
  version: described(count, 'Of the draft; 0 without one: then nothing differs from what is published'),
  changedAt: described(maybeMoment, 'When the draft was last saved; null without one'),
  changedBy: maybeText,
  publishedAt: described(maybeMoment, 'When what is published was last changed'),
  publishedBy: described(maybeText, 'null: an import, or unknown'),
  totalVotes: count,
  hasVotes: Type.Boolean({ description: 'Its options can’t be changed any more' }),
  closedAt: maybeMoment,
  previewToken: Type.String(),
  protections: Type.Array(oneOf(protections), { description: 'Levels of protection that this site can check' }),
  recurrence: Type.Optional(
    closed(
      { ...recurrence, newestAt: described(moment, 'When its newest wave opens') },
      { description: 'How its series is repeated; left out if it is not' },
    ),
  ),
});
export type EditedPoll = Static<typeof editedPollSchema>;

const versionNumber = Type.Integer({ minimum: 1, maximum: 1_000_000 });

/** Earlier texts of a poll, newest first. */
const pollVersionsSchema = named('PollVersions', {
  versions: Type.Array(
    closed({
      number: count,
      at: moment,
      by: described(maybeText, 'null: an import, or unknown'),
      before: changedFieldsSchema,
      after: changedFieldsSchema,
      restored: described(
        changedFieldsSchema,
        'Its fields that differ from what is published now; empty if nothing is',
      ),
    }),
  ),
  more: Type.Boolean({ description: 'There are older ones' }),
});
export type PollVersions = Static<typeof pollVersionsSchema>;
export type PollVersion = PollVersions['versions'][number];

const versionQuery = query({ version: Type.Integer({ minimum: 1, description: 'The version to discard' }) });

/** Endpoints of the editor of weekly polls. */
export const pollEditorEndpoints = {
  createDraft: {
    ...post('/api/admin/polls'),
    admin: 'editor',
    summary:
      'Create an empty draft of a poll, or one with the texts of another poll, for the next weekly slot in which no poll opens',
    body: closed({
      copyOf: Type.Optional(pollIdSchema),
      from: Type.Optional(
        Type.String({
          format: 'date',
          pattern: '^20',
          description: 'A day in the site’s time zone, such as 2026-11-23; the slot begins on it or later',
        }),
      ),
    }),
    status: 201,
    response: editedPollSchema,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  editedPoll: {
    ...get('/api/admin/polls/:id'),
    admin: 'editor',
    summary: 'A poll, or a draft of one, with all that can be edited',
    params: pollIdParams,
    status: 200,
    response: editedPollSchema,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'ADMIN_REQUIRED'],
  },
  saveDraft: {
    ...patch('/api/admin/polls/:id/draft'),
    admin: 'editor',
    summary: 'Save changes of a draft, or begin a draft of a published poll; refused if somebody else has changed it',
    params: pollIdParams,
    body: draftChangesSchema,
    longBody: true,
    status: 200,
    response: editedPollSchema,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  discardDraft: {
    ...del('/api/admin/polls/:id/draft'),
    admin: 'editor',
    summary: 'Delete a draft; of a published poll, only the changes that are not published',
    params: pollIdParams,
    query: versionQuery,
    status: 204,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  publishDraft: {
    ...post('/api/admin/polls/:id/publish'),
    admin: 'editor',
    summary: 'Publish a draft: schedule or open a new poll, or change a published one',
    params: pollIdParams,
    body: closed({
      version: Type.Integer({ minimum: 1 }),
      overwrite: defaulted(
        Type.Boolean({ description: 'Also where the published poll was changed since the draft was begun' }),
        false,
      ),
    }),
    status: 200,
    response: closed({ state: oneOf(managedStates) }),
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  unpublishPoll: {
    ...post('/api/admin/polls/:id/unpublish'),
    admin: 'editor',
    confirm: true,
    summary: 'Turn a poll without votes back into a draft, and remove it from the site',
    params: pollIdParams,
    status: 200,
    response: editedPollSchema,
    errors: ['POLL_NOT_FOUND', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  deletePoll: {
    ...del('/api/admin/polls/:id'),
    admin: 'editor',
    confirm: true,
    summary: 'Delete a poll with its votes; its address then shows the reason, or leads to another poll',
    params: pollIdParams,
    body: closed({
      reason: adjusted(soughtText, { minLength: 1, maxLength: limits.removalReason }),
      redirectTo: Type.Optional(described(pollIdSchema, 'The poll that its address leads to')),
    }),
    status: 204,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  setRecurrence: {
    ...post('/api/admin/polls/:id/recurrence'),
    admin: 'editor',
    summary:
      'Repeat the series of a poll: its next wave begins as a draft once the one before has opened; null stops that',
    params: pollIdParams,
    body: closed({ rule: nullable(closed(recurrence)) }),
    status: 200,
    response: editedPollSchema,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'ADMIN_REQUIRED'],
  },
  pollVersions: {
    ...get('/api/admin/polls/:id/versions'),
    admin: 'editor',
    summary: 'What was changed in the texts of a poll, by whom and when, newest first',
    params: pollIdParams,
    query: query({ before: described(versionNumber, 'Only versions older than this one') }),
    status: 200,
    response: pollVersionsSchema,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'ADMIN_REQUIRED'],
  },
  restorePoll: {
    ...post('/api/admin/polls/:id/restore'),
    admin: 'editor',
    summary: 'Publish an earlier version of a published poll again: all its fields, or nothing if one can’t be changed',
    params: pollIdParams,
    body: closed({
      publishedAt: described(moment, 'That was read; another one since is a conflict'),
      from: described(versionNumber, 'Of the version'),
    }),
    status: 200,
    response: editedPollSchema,
    errors: ['POLL_NOT_FOUND', 'NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
} as const satisfies Record<string, Endpoint>;
