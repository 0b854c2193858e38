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
  required: ['waiting', 'retryAt', 'pausedSince', 'builds', 'audit', 'disk'],
  additionalProperties: false,
  properties: {
    waiting: { ...count, description: 'Changes that are not published yet' },
    retryAt: {
      ...maybeMoment,
      description: 'When those that could not be published are tried again; null: there are none',
    },
    pausedSince: { ...maybeMoment, description: 'While it is not null, only removals are published' },
    builds: { type: 'array', items: siteBuildSchema, description: 'The newest, newest first' },
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

/** Names in `DATA_DIR/releases`; `content/handbook/publishing.md` explains them. */
export const releaseFiles = {
  folder: 'releases',
  /** Link to the tree that is served. */
  current: 'current',
  /** Code builds by id, never changed: `client`, `server`, `renderer`. */
  code: 'code',
  server: 'server',
  serverEntry: 'entry.mjs',
  /** Trees by the id of their first release: the names that web servers serve, and the head of the tree. */
  trees: 'trees',
  client: 'client',
  head: 'release.json',
  /** File contents: `objects/{shard of the address}/{hash}`, with `.br` or `.gz` for the compressed ones. */
  objects: 'objects',
  /** Parts of manifests, each named by the digest of its content: `manifests/{digest}.json`. */
  manifests: 'manifests',
  /** One file per release: what it changed. */
  records: 'records',
  /** The redo record of names that are being moved. */
  pending: 'pending.json',
  /** Files that are being written. */
  drafts: 'drafts',
} as const;

/** The number of parts of a manifest: about a hundred addresses in each at 100,000 pages. */
export const manifestShards = 1_024;

/** The part of the manifest that an address belongs to, `000` to `3ff`. */
export function shardOf(address: string): string {
  // FNV-1a: the site service needs it for each request, and it has no dependencies.
  let hash = 0x811c9dc5;
  for (let place = 0; place < address.length; place += 1)
    hash = Math.imul(hash ^ address.charCodeAt(place), 0x01000193) >>> 0;
  return (((hash ^ (hash >>> 16)) >>> 0) % manifestShards).toString(16).padStart(3, '0');
}

/** The file of an address below `client`: `/poll/tea` is `poll/tea.html`, `/` is `index.html`, `/feed.xml` is itself. */
export function fileOf(address: string): string {
  if (address === '/') return 'index.html';
  return /\.[a-z0-9]+$/.test(address) ? address.slice(1) : `${address.slice(1)}.html`;
}

/** Pages below this address are stored with gzip only: there are as many as polls. */
export const compactPages = /^\/poll\/[^/.]+$/;

/** The pattern of release ids: the time in UTC, so that ids sort by age, and a random suffix. */
const releaseId = { type: 'string', pattern: '^[0-9A-Za-z-]{1,40}$' } as const;
const codeId = { type: 'string', pattern: '^[0-9A-Za-z_-]{1,64}$' } as const;
const digest = { type: 'string', pattern: '^[0-9A-Za-z_-]{27}$' } as const;
const encodedSize = { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] } as const;

/**
 * A file of a release: the digest of its content (also its ETag), its size in bytes, and the size of each compressed
 * copy; null where there is none. `plain`: whether the uncompressed content is stored, too. `gzCrc`: the CRC-32 of the gzip
 * copy, of reports since it exists.
 */
const storedFileSchema = {
  type: 'object',
  required: ['hash', 'size', 'plain', 'br', 'gz'],
  additionalProperties: false,
  properties: {
    hash: digest,
    size: { type: 'integer', minimum: 0 },
    plain: { type: 'boolean' },
    br: encodedSize,
    gz: encodedSize,
    gzCrc: { type: 'integer', minimum: 0 },
  },
} as const;
export type StoredFile = FromSchema<typeof storedFileSchema>;

/** A part of a manifest: the files of all addresses with the same shard. */
export const manifestShardSchema = {
  $id: 'ManifestShard',
  type: 'object',
  additionalProperties: storedFileSchema,
} as const;
export type ManifestShard = Readonly<Record<string, StoredFile>>;

/** The head of a tree, replaced atomically by each publish: the release that the tree shows, and its manifest. */
export const treeHeadSchema = {
  $id: 'TreeHead',
  type: 'object',
  required: ['release', 'createdAt', 'tree', 'code', 'pages', 'bytes', 'shards'],
  additionalProperties: false,
  properties: {
    release: releaseId,
    tree: { ...releaseId, description: 'The folder in `trees`: the id of the tree’s first release' },
    createdAt: { type: 'string', format: 'date-time', description: 'When the release was made' },
    code: { ...codeId, description: 'The code build that rendered the pages and renders on demand' },
    pages: { type: 'integer', minimum: 0 },
    bytes: { type: 'integer', minimum: 0, description: 'Bytes of the uncompressed files' },
    shards: {
      type: 'object',
      additionalProperties: digest,
      description: 'The digest of each part of the manifest that is not empty',
    },
  },
} as const;
export type TreeHead = FromSchema<typeof treeHeadSchema>;

const maybeFile = { anyOf: [storedFileSchema, { type: 'null' }] } as const;

/** What a release changed at one address; null: the address did not exist before, or does not exist anymore. */
const changedAddressSchema = {
  type: 'object',
  required: ['address', 'before', 'after'],
  additionalProperties: false,
  properties: { address: { type: 'string' }, before: maybeFile, after: maybeFile },
} as const;
export type ChangedAddress = FromSchema<typeof changedAddressSchema>;

/** One release: what it changed in its tree. The first release of a tree lists no changes. */
export const releaseRecordSchema = {
  $id: 'ReleaseRecord',
  type: 'object',
  required: ['id', 'createdAt', 'tree', 'code', 'reason', 'milliseconds', 'pages', 'bytes', 'changes', 'replaced'],
  additionalProperties: false,
  properties: {
    id: releaseId,
    createdAt: { type: 'string', format: 'date-time' },
    tree: releaseId,
    code: codeId,
    reason: { type: 'string', description: 'What was published, for people' },
    milliseconds: { type: 'integer', minimum: 0, description: 'From the start of the publish to this record' },
    pages: { type: 'integer', minimum: 0 },
    bytes: { type: 'integer', minimum: 0, description: 'Bytes of the uncompressed files' },
    changes: { type: 'array', items: changedAddressSchema, description: 'In the order in which names are moved' },
    replaced: { type: 'array', items: digest, description: 'Parts of the manifest that it replaced' },
  },
} as const;
export type ReleaseRecord = FromSchema<typeof releaseRecordSchema>;

/**
 * The redo record: the head that a tree will have, and the names that have to be moved for it. It is written and synced
 * before the first name moves and deleted after `current` names the tree. Whoever finds it repeats all of it.
 */
export const pendingMoveSchema = {
  $id: 'PendingMove',
  type: 'object',
  required: ['head', 'names'],
  additionalProperties: false,
  properties: {
    head: treeHeadSchema,
    names: {
      type: 'array',
      items: {
        type: 'object',
        required: ['address', 'file'],
        additionalProperties: false,
        properties: { address: { type: 'string' }, file: maybeFile },
      },
    },
  },
} as const;
export type PendingMove = FromSchema<typeof pendingMoveSchema>;
