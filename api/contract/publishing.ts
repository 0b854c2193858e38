import type { FromSchema } from 'json-schema-to-ts';
import { count, maybeMoment, maybeText, moment } from './scalars.ts';

/**
 * The steps of a build in order: reads the database, bundles code and styles, renders pages, draws images, compresses,
 * reuses unchanged files, publishes.
 */
export const buildSteps = ['snapshot', 'bundle', 'pages', 'pictures', 'compress', 'reuse', 'switch'] as const;
export type BuildStep = (typeof buildSteps)[number];

/**
 * Levels of free disk space. `low`: too little for a build and a backup; `critical`: too little for a backup and growth;
 * `full`: nothing can be stored.
 */
export const diskLevels = ['ok', 'low', 'critical', 'full'] as const;
export type DiskLevel = (typeof diskLevels)[number];

/** Free space of the disk with the least. */
const diskRoomSchema = {
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

const maybeCount = { anyOf: [count, { type: 'null' }] } as const;

/** A build of the site: queued, running, or finished. */
const siteBuildSchema = {
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
    done: { ...maybeCount, description: 'Progress within the step' },
    total: maybeCount,
    log: {
      type: 'array',
      items: {
        type: 'object',
        required: ['step', 'at', 'total'],
        additionalProperties: false,
        properties: { step: { type: 'string', enum: buildSteps }, at: moment, total: maybeCount },
      },
      description: 'The steps started so far',
    },
    error: { ...maybeText, description: 'Why it failed' },
    releaseId: maybeText,
  },
} as const;
export type SiteBuild = FromSchema<typeof siteBuildSchema>;

/** A complete version of the site that can be served. */
const siteReleaseSchema = {
  $id: 'SiteRelease',
  type: 'object',
  required: ['id', 'createdAt', 'pages', 'bytes', 'current', 'pinned'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    createdAt: moment,
    pages: count,
    bytes: { ...count, description: 'Bytes of the uncompressed files' },
    current: { type: 'boolean', description: 'Whether it is live' },
    pinned: { type: 'boolean', description: 'Pinned: it stays live and builds wait until it is unpinned' },
  },
} as const;
export type SiteRelease = FromSchema<typeof siteReleaseSchema>;

/** The state of publishing: at most one build is queued and one running. */
export const publishingSchema = {
  $id: 'Publishing',
  type: 'object',
  required: ['builds', 'releases', 'disk'],
  additionalProperties: false,
  properties: {
    builds: { type: 'array', items: siteBuildSchema, description: 'The newest, newest first' },
    releases: { type: 'array', items: siteReleaseSchema, description: 'Newest first' },
    disk: {
      anyOf: [diskRoomSchema, { type: 'null' }],
      description: 'Disk space for builds and backups; null: unknown',
    },
  },
} as const;
export type Publishing = FromSchema<typeof publishingSchema>;

/** Names in `DATA_DIR/releases`: a folder per release, and the link to the current one. */
export const releaseFiles = {
  folder: 'releases',
  current: 'current',
  facts: 'release.json',
  manifest: 'manifest.json',
  /** Digest of every report in the release, by id. */
  reports: 'reports.json',
  client: 'client',
  server: 'server',
  serverEntry: 'entry.mjs',
} as const;

/** The metadata of a release. Written last: a folder without it is incomplete. */
export const releaseFactsSchema = {
  $id: 'ReleaseFacts',
  type: 'object',
  required: ['id', 'createdAt', 'source', 'pages', 'bytes', 'serverDigest', 'serverFrom', 'ownAssets'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', pattern: '^[0-9A-Za-z-]{1,40}$' },
    createdAt: { type: 'string', format: 'date-time' },
    source: { type: 'string', description: 'Digest of the code, content, and settings it was built from' },
    pages: { type: 'integer', minimum: 0 },
    bytes: { type: 'integer', minimum: 0, description: 'Bytes of the uncompressed files' },
    serverDigest: { type: 'string' },
    serverFrom: {
      type: 'string',
      description: 'The release whose server code renders on demand: the oldest kept one with the same code',
    },
    ownAssets: {
      type: 'array',
      items: { type: 'string' },
      description: 'Hashed assets of this build; others in the folder belong to earlier releases',
    },
  },
} as const;
export type ReleaseFacts = FromSchema<typeof releaseFactsSchema>;

/** A file of a release: digest of its content and sizes in bytes; null where it is not stored in that encoding. */
const releasedFileSchema = {
  type: 'object',
  required: ['hash', 'size', 'br', 'gz'],
  additionalProperties: false,
  properties: {
    hash: { type: 'string' },
    size: { type: 'integer', minimum: 0 },
    br: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
    gz: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
  },
} as const;
export type ReleasedFile = FromSchema<typeof releasedFileSchema>;

/** Every file of a release by its path below `client`, with forward slashes. */
export const releaseManifestSchema = {
  $id: 'ReleaseManifest',
  type: 'object',
  required: ['files'],
  additionalProperties: false,
  properties: { files: { type: 'object', additionalProperties: releasedFileSchema } },
} as const;
export type ReleaseManifest = FromSchema<typeof releaseManifestSchema>;
