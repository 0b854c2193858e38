import type { FromSchema } from 'json-schema-to-ts';
import * as limits from './limits.ts';
import { importLimits } from './poll-import.ts';
import { countryShareSchema, pollIdParams, pollIdSchema } from './poll.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, maybeMoment, maybeText, moment, soughtText } from './scalars.ts';
import { managedStates, pollProtections, protections } from './vocabulary.ts';

// PostgreSQL can’t store the character that texts must not contain.
const text = (most: number) => ({ ...soughtText, maxLength: most }) as const;
const optionalText = (most: number) => ({ anyOf: [text(most), { type: 'null' }] }) as const;

const contentProperties = {
  question: text(importLimits.question),
  description: text(importLimits.description),
  options: {
    type: 'array',
    maxItems: importLimits.options,
    items: {
      type: 'object',
      required: ['id', 'text'],
      additionalProperties: false,
      properties: { id: text(importLimits.optionId), text: text(importLimits.optionText) },
    },
  },
  category: optionalText(limits.importShortText),
  tags: { type: 'array', maxItems: importLimits.tags, items: text(limits.importShortText) },
  series: optionalText(limits.importShortText),
  author: optionalText(limits.importShortText),
  summary: optionalText(importLimits.summary),
  analysis: { ...optionalText(importLimits.analysis), description: 'HTML; disallowed parts are removed' },
  methodologyNotes: optionalText(importLimits.methodology),
  countryBreakdown: {
    type: 'array',
    maxItems: importLimits.countries,
    items: {
      ...countryShareSchema,
      properties: { ...countryShareSchema.properties, name: text(limits.importShortText) },
    },
  },
  publishBallots: { type: 'boolean' },
  protection: { type: 'string', enum: pollProtections },
  startsAt: maybeMoment,
  endsAt: maybeMoment,
} as const;

/** What an operator writes of a poll. A draft may be incomplete: texts may be empty, and dates null. */
export const pollContentSchema = {
  $id: 'PollContent',
  type: 'object',
  required: [
    ...(['question', 'description', 'options', 'category', 'tags', 'series', 'author', 'summary', 'analysis'] as const),
    ...(['methodologyNotes', 'countryBreakdown', 'publishBallots', 'protection', 'startsAt', 'endsAt'] as const),
  ],
  additionalProperties: false,
  properties: contentProperties,
} as const;
export type PollContent = FromSchema<typeof pollContentSchema>;
export type ContentField = keyof PollContent;
export const contentFields: readonly ContentField[] = pollContentSchema.required;

/** Fields of a poll that differ. */
const changedFieldsSchema = {
  $id: 'ChangedFields',
  type: 'object',
  additionalProperties: false,
  properties: contentProperties,
} as const;
export type ChangedFields = FromSchema<typeof changedFieldsSchema>;

/** Changes of a draft: fields that are left out stay. */
const draftChangesSchema = {
  $id: 'DraftChanges',
  type: 'object',
  required: ['version'],
  minProperties: 2,
  additionalProperties: false,
  properties: {
    version: { ...count, description: 'The version that was changed; 0: there is none' },
    publishedAt: {
      ...maybeMoment,
      description: 'When what is published was last changed before; if it is left out, that is not compared',
    },
    ...contentProperties,
  },
} as const;

/** A poll in the editor: what is published, and the draft of it. */
const editedPollSchema = {
  $id: 'EditedPoll',
  type: 'object',
  required: [
    ...(['id', 'state', 'content', 'published', 'version', 'changedAt', 'changedBy'] as const),
    ...([
      'dropped',
      'publishedAt',
      'publishedBy',
      'totalVotes',
      'hasVotes',
      'closedAt',
      'previewToken',
      'protections',
    ] as const),
  ],
  additionalProperties: false,
  properties: {
    id: pollIdSchema,
    state: { type: 'string', enum: managedStates },
    content: pollContentSchema,
    published: {
      anyOf: [pollContentSchema, { type: 'null' }],
      description: 'What voters see, or will see from the start; null: only a draft',
    },
    dropped: {
      type: 'array',
      items: { type: 'string', enum: pollContentSchema.required },
      description:
        'Fields whose changes in the draft won’t be published: the poll has opened, closed, or got votes since',
    },
    version: { ...count, description: 'Of the draft; 0 without one: then nothing differs from what is published' },
    changedAt: { ...maybeMoment, description: 'When the draft was last saved; null without one' },
    changedBy: maybeText,
    publishedAt: { ...maybeMoment, description: 'When what is published was last changed' },
    publishedBy: { ...maybeText, description: 'null: an import, or unknown' },
    totalVotes: count,
    hasVotes: { type: 'boolean', description: 'Its options can’t be changed any more' },
    closedAt: maybeMoment,
    previewToken: { type: 'string' },
    protections: {
      type: 'array',
      items: { type: 'string', enum: protections },
      description: 'Levels of protection that this site can check',
    },
  },
} as const;
export type EditedPoll = FromSchema<typeof editedPollSchema>;

const versionNumber = { type: 'integer', minimum: 1, maximum: 1_000_000 } as const;

/** Earlier texts of a poll, newest first. */
const pollVersionsSchema = {
  $id: 'PollVersions',
  type: 'object',
  required: ['versions', 'more'],
  additionalProperties: false,
  properties: {
    versions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['number', 'at', 'by', 'before', 'after', 'restored'],
        additionalProperties: false,
        properties: {
          number: count,
          at: moment,
          by: { ...maybeText, description: 'null: an import, or unknown' },
          before: changedFieldsSchema,
          after: changedFieldsSchema,
          restored: {
            ...changedFieldsSchema,
            description: 'Its fields that differ from what is published now; empty if nothing is',
          },
        },
      },
    },
    more: { type: 'boolean', description: 'There are older ones' },
  },
} as const;
export type PollVersions = FromSchema<typeof pollVersionsSchema>;
export type PollVersion = PollVersions['versions'][number];

const versionQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { version: { type: 'integer', minimum: 1, description: 'The version to discard' } },
} as const;

/** Endpoints of the editor of weekly polls. */
export const pollEditorEndpoints = {
  createDraft: {
    ...routes.createDraft,
    admin: 'editor',
    summary:
      'Create an empty draft of a poll, or one with the texts of another poll, for the next weekly slot in which no poll opens',
    body: {
      type: 'object',
      additionalProperties: false,
      properties: {
        copyOf: pollIdSchema,
        from: {
          type: 'string',
          format: 'date',
          pattern: '^20',
          description: 'A day in the site’s time zone, such as 2026-11-23; the slot begins on it or later',
        },
      },
    },
    status: 201,
    response: editedPollSchema,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  editedPoll: {
    ...routes.editedPoll,
    admin: 'editor',
    summary: 'A poll, or a draft of one, with all that can be edited',
    params: pollIdParams,
    status: 200,
    response: editedPollSchema,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'ADMIN_REQUIRED'],
  },
  saveDraft: {
    ...routes.saveDraft,
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
    ...routes.discardDraft,
    admin: 'editor',
    summary: 'Delete a draft; of a published poll, only the changes that are not published',
    params: pollIdParams,
    query: versionQuery,
    status: 204,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  publishDraft: {
    ...routes.publishDraft,
    admin: 'editor',
    summary: 'Publish a draft: schedule or open a new poll, or change a published one',
    params: pollIdParams,
    body: {
      type: 'object',
      required: ['version'],
      additionalProperties: false,
      properties: {
        version: { type: 'integer', minimum: 1 },
        overwrite: {
          type: 'boolean',
          default: false,
          description: 'Also where the published poll was changed since the draft was begun',
        },
      },
    },
    status: 200,
    response: {
      type: 'object',
      required: ['state'],
      additionalProperties: false,
      properties: { state: { type: 'string', enum: managedStates } },
    },
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  unpublishPoll: {
    ...routes.unpublishPoll,
    admin: 'editor',
    confirm: true,
    summary: 'Turn a poll without votes back into a draft, and remove it from the site',
    params: pollIdParams,
    status: 200,
    response: editedPollSchema,
    errors: ['POLL_NOT_FOUND', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  deletePoll: {
    ...routes.deletePoll,
    admin: 'editor',
    confirm: true,
    summary: 'Delete a poll with its votes; its address then shows the reason, or leads to another poll',
    params: pollIdParams,
    body: {
      type: 'object',
      required: ['reason'],
      additionalProperties: false,
      properties: {
        reason: { ...soughtText, minLength: 1, maxLength: limits.removalReason },
        redirectTo: { ...pollIdSchema, description: 'The poll that its address leads to' },
      },
    },
    status: 204,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  pollVersions: {
    ...routes.pollVersions,
    admin: 'editor',
    summary: 'What was changed in the texts of a poll, by whom and when, newest first',
    params: pollIdParams,
    query: {
      type: 'object',
      additionalProperties: false,
      properties: { before: { ...versionNumber, description: 'Only versions older than this one' } },
    },
    status: 200,
    response: pollVersionsSchema,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'ADMIN_REQUIRED'],
  },
  restorePoll: {
    ...routes.restorePoll,
    admin: 'editor',
    summary: 'Publish an earlier version of a published poll again: all its fields, or nothing if one can’t be changed',
    params: pollIdParams,
    body: {
      type: 'object',
      required: ['publishedAt', 'from'],
      additionalProperties: false,
      properties: {
        publishedAt: { ...moment, description: 'That was read; another one since is a conflict' },
        from: { ...versionNumber, description: 'Of the version' },
      },
    },
    status: 200,
    response: editedPollSchema,
    errors: ['POLL_NOT_FOUND', 'NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
} as const satisfies Record<string, Endpoint>;
