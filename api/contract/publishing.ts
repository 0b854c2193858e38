import type { FromSchema } from 'json-schema-to-ts';
import { diskRoomSchema } from './disk.ts';
import { count, maybeMoment, maybeText, moment } from './scalars.ts';

/**
 * What a build does, one after the other: reads the database, prepares code and styles, renders pages, draws pictures,
 * compresses, takes over what has not changed, publishes.
 */
export const buildSteps = ['snapshot', 'bundle', 'pages', 'pictures', 'compress', 'reuse', 'switch'] as const;
export type BuildStep = (typeof buildSteps)[number];

const maybeCount = { anyOf: [count, { type: 'null' }] } as const;

/** One build of the site: asked for, running, or ended. */
export const siteBuildSchema = {
  $id: 'SiteBuild',
  type: 'object',
  required: [
    'id',
    'status',
    'reason',
    'requestedAt',
    'startsAt',
    'startedAt',
    'finishedAt',
    'step',
    'done',
    'total',
    'log',
    'error',
    'releaseId',
  ],
  additionalProperties: false,
  properties: {
    id: { type: 'integer' },
    status: { type: 'string', enum: ['queued', 'running', 'succeeded', 'failed'] },
    reason: { type: 'string', description: 'Who asked, and why' },
    requestedAt: moment,
    startsAt: { ...moment, description: 'More requests join the build until then' },
    startedAt: maybeMoment,
    finishedAt: maybeMoment,
    step: { anyOf: [{ type: 'string', enum: buildSteps }, { type: 'null' }] },
    done: { ...maybeCount, description: 'Of the step' },
    total: maybeCount,
    log: {
      type: 'array',
      items: {
        type: 'object',
        required: ['step', 'at', 'total'],
        additionalProperties: false,
        properties: { step: { type: 'string', enum: buildSteps }, at: moment, total: maybeCount },
      },
      description: 'The steps that were begun',
    },
    error: { ...maybeText, description: 'Why it failed' },
    releaseId: maybeText,
  },
} as const;
export type SiteBuild = FromSchema<typeof siteBuildSchema>;

/** A whole site that can be served. */
export const siteReleaseSchema = {
  $id: 'SiteRelease',
  type: 'object',
  required: ['id', 'createdAt', 'pages', 'bytes', 'current', 'pinned'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    createdAt: moment,
    pages: count,
    bytes: { ...count, description: 'Bytes of the uncompressed files' },
    current: { type: 'boolean', description: 'Whether it is the one that is served' },
    pinned: { type: 'boolean', description: 'It is served until it is unpinned: builds wait' },
  },
} as const;
export type SiteRelease = FromSchema<typeof siteReleaseSchema>;

/** Where publishing stands: at most one build waits and one runs. */
export const publishingSchema = {
  $id: 'Publishing',
  type: 'object',
  required: ['builds', 'releases', 'disk'],
  additionalProperties: false,
  properties: {
    builds: { type: 'array', items: siteBuildSchema, description: 'The newest, newest first' },
    releases: { type: 'array', items: siteReleaseSchema, description: 'Newest first' },
    disk: { anyOf: [diskRoomSchema, { type: 'null' }], description: 'Room for builds and backups; null: not known' },
  },
} as const;
export type Publishing = FromSchema<typeof publishingSchema>;
