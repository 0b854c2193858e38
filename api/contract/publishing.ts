import type { FromSchema } from 'json-schema-to-ts';
import { count, maybeMoment, maybeText, moment } from './scalars.ts';

/**
 * What a build does, one after the other: reads the database, prepares code and styles, renders pages, draws pictures,
 * compresses, takes over what has not changed, publishes.
 */
export const buildSteps = ['snapshot', 'bundle', 'pages', 'pictures', 'compress', 'reuse', 'switch'] as const;
export type BuildStep = (typeof buildSteps)[number];

/**
 * How much room is left on the disks of an installation. `low`: too little for a build and a backup; `critical`: too little
 * for a backup, and for growth; `full`: nothing can be stored.
 */
export const diskLevels = ['ok', 'low', 'critical', 'full'] as const;
export type DiskLevel = (typeof diskLevels)[number];

/** The room on the disk that has least. */
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
    current: { type: 'boolean', description: 'Whether it is live' },
    pinned: { type: 'boolean', description: 'Pinned: it stays live and builds wait until it is unpinned' },
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
    disk: {
      anyOf: [diskRoomSchema, { type: 'null' }],
      description: 'Disk space for builds and backups; null: unknown',
    },
  },
} as const;
export type Publishing = FromSchema<typeof publishingSchema>;

/** Names inside `DATA_DIR/releases`: one folder a release, and the link to the one that is served. */
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

/** What is known of a release without reading its files. Written last: a folder without it is half built. */
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

/** One file of a release: digest of its content and sizes in bytes; null where it is not kept in that encoding. */
export const releasedFileSchema = {
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
