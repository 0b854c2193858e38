import type { FromSchema } from 'json-schema-to-ts';
import { count, maybeMoment, maybeText, moment } from './scalars.ts';

/** The steps of a publish in order: builds code if it has changed, renders pages, moves names. */
export const buildSteps = ['code', 'pages', 'publish'] as const;
export type BuildStep = (typeof buildSteps)[number];

/**
 * Levels of free disk space. `low`: too little for a build and a backup; `critical`: too little for a backup and growth;
 * `full`: nothing can be stored.
 */
export const diskLevels = ['ok', 'low', 'critical', 'full'] as const;
export type DiskLevel = (typeof diskLevels)[number];

/** Free space of the disk with the least. */
export const diskRoomSchema = {
  $id: 'DiskRoom',
  type: 'object',
  required: ['level', 'freeBytes', 'wantedBytes'],
  additionalProperties: false,
  properties: {
    level: { type: 'string', enum: diskLevels },
    freeBytes: count,
    wantedBytes: { ...count, description: 'Space that builds and backups need' },
  },
} as const;
export type DiskRoom = FromSchema<typeof diskRoomSchema>;

/** What can change on pages; `api/domain/pages-of.ts` explains each. */
export const changeKinds = ['poll', 'report', 'community', 'related', 'page', 'content', 'site'] as const;
/** What happened to it; null where the kind says enough. */
export const changeEvents = [
  ...(['created', 'imported', 'restored', 'edited', 'opened', 'closed', 'reopened', 'rescheduled'] as const),
  ...(['featured', 'unfeatured', 'recounted', 'removed'] as const),
] as const;
export type ChangeEvent = (typeof changeEvents)[number];

/** Changes of one kind that are published together. */
const publishedChangeSchema = {
  $id: 'PublishedChange',
  type: 'object',
  required: ['kind', 'event', 'count', 'subjects'],
  additionalProperties: false,
  properties: {
    kind: { type: 'string', enum: changeKinds },
    event: { anyOf: [{ type: 'string', enum: changeEvents }, { type: 'null' }] },
    count,
    subjects: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'title'],
        additionalProperties: false,
        properties: {
          key: {
            type: 'string',
            description: 'Id of a poll, category, address, file, or the reason for the whole site',
          },
          title: { ...maybeText, description: 'A question or a headline; null if there is none (any more)' },
        },
      },
      description: 'The first of them',
    },
  },
} as const;
export type PublishedChange = FromSchema<typeof publishedChangeSchema>;
const about = { type: 'array', items: publishedChangeSchema, description: 'What changed; empty: unknown' } as const;

const maybeCount = { anyOf: [count, { type: 'null' }] } as const;

/** A publish: running or over. */
const siteBuildSchema = {
  $id: 'SiteBuild',
  type: 'object',
  required: [
    'id',
    'status',
    'reason',
    'about',
    'startedAt',
    'finishedAt',
    'step',
    'done',
    'total',
    'error',
    'isUnchanged',
  ],
  additionalProperties: false,
  properties: {
    id: { type: 'integer' },
    status: { type: 'string', enum: ['running', 'succeeded', 'failed'] },
    reason: { type: 'string', description: 'What is published' },
    about,
    startedAt: moment,
    finishedAt: maybeMoment,
    step: { anyOf: [{ type: 'string', enum: buildSteps }, { type: 'null' }] },
    done: { ...maybeCount, description: 'Progress within the step' },
    total: maybeCount,
    error: { ...maybeText, description: 'Why it failed' },
    isUnchanged: { type: 'boolean', description: 'Whether no page was different' },
  },
} as const;
export type SiteBuild = FromSchema<typeof siteBuildSchema>;

/** A round of the audit, which renders every page again and compares. */
const publishAuditSchema = {
  $id: 'PublishAudit',
  type: 'object',
  required: ['startedAt', 'finishedAt', 'pages', 'missed'],
  additionalProperties: false,
  properties: {
    startedAt: moment,
    finishedAt: maybeMoment,
    pages: { ...count, description: 'Compared so far' },
    missed: {
      type: 'array',
      items: { type: 'string' },
      description: 'Addresses that differed although nobody recorded a change; they have been published since',
    },
  },
} as const;
export type PublishAudit = FromSchema<typeof publishAuditSchema>;

/** The state of publishing; at most one publish is running. */
export const publishingSchema = {
  $id: 'Publishing',
  type: 'object',
  required: ['waiting', 'retryAt', 'pausedSince', 'builds', 'served', 'earlier', 'audit', 'disk'],
  additionalProperties: false,
  properties: {
    waiting: { ...count, description: 'Changes that are not published yet' },
    retryAt: {
      ...maybeMoment,
      description: 'When those that could not be published are tried again; null: there are none',
    },
    pausedSince: { ...maybeMoment, description: 'While it is not null, only removals are published' },
    builds: { type: 'array', items: siteBuildSchema, description: 'The newest publishes, newest first' },
    served: { ...maybeText, description: 'The code build whose pages are served; null before the first publish' },
    earlier: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'servedUntil'],
        additionalProperties: false,
        properties: { id: { type: 'string' }, servedUntil: moment },
      },
      description: 'Code builds that `npm run build -- --use` goes back to, the last one first',
    },
    audit: {
      anyOf: [publishAuditSchema, { type: 'null' }],
      description: 'The newest round of the audit; null before the first',
    },
    disk: {
      anyOf: [diskRoomSchema, { type: 'null' }],
      description: 'Disk space for builds and backups; null: unknown',
    },
  },
} as const;
export type Publishing = FromSchema<typeof publishingSchema>;

/** Names in `DATA_DIR/builds`; `content/handbook/publishing.md` explains them. */
export const buildFiles = {
  folder: 'builds',
  /** Link to the build that is served. */
  current: 'current',
  /** Files that are being written. */
  drafts: 'drafts',
  /** In the folder of a build: what web servers serve, pages and the files of the code build. */
  client: 'client',
  /** In the folder of a build: the code that renders pages that are not saved. */
  server: 'server',
  serverEntry: 'entry.mjs',
  /** In the folder of a build: its code build, written last. A folder without it is incomplete. */
  facts: 'build.json',
  /** In the folder of a build: present once all its pages were rendered, with a mark that the database has, too. */
  fill: 'filled',
} as const;

/** The file of an address below `client`: `/poll/tea` is `poll/tea.html`, `/` is `index.html`, `/feed.xml` is itself. */
export function fileOf(address: string): string {
  if (address === '/') return 'index.html';
  return /\.[a-z0-9]+$/.test(address) ? address.slice(1) : `${address.slice(1)}.html`;
}

/** Pages below this address are stored with gzip only: there are as many as polls. */
export const compactPages = /^\/poll\/[^/.]+$/;
