import type { FromSchema } from 'json-schema-to-ts';

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
