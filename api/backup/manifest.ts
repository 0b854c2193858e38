import { compileSchema } from '#platform/validation.ts';
import type { FromSchema } from 'json-schema-to-ts';

/** What the first file in a backup says about the others. */
const manifestSchema = {
  type: 'object',
  required: ['product', 'format', 'version', 'createdAt', 'engine', 'migrations', 'counts', 'sequences', 'parts'],
  properties: {
    product: { const: 'weathervane' },
    format: { type: 'integer', minimum: 1, description: 'Of the backup file; a newer one cannot be read' },
    version: { type: 'string', description: 'Of the product' },
    createdAt: { type: 'string', format: 'date-time' },
    engine: { enum: ['sqlite', 'postgres'] },
    migrations: { type: 'array', items: { type: 'string' }, description: 'The steps of the schema, in their order' },
    counts: { type: 'object', additionalProperties: { type: 'integer' }, description: 'Rows of every table' },
    sequences: {
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'The highest ids that were given out, by table; PostgreSQL only',
    },
    parts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'bytes', 'sha256'],
        additionalProperties: false,
        properties: {
          name: { type: 'string', pattern: '^(database\\.sqlite|secrets\\.json|tables/[a-z0-9_]{1,63}\\.jsonl)$' },
          bytes: { type: 'integer', minimum: 0 },
          sha256: { type: 'string' },
        },
      },
    },
  },
} as const;
export type Manifest = FromSchema<typeof manifestSchema>;

/** The format that this code writes, and the newest that it reads. */
export const backupFormat = 1;

/** Names of the files in a backup. */
export const partNames = {
  manifest: 'manifest.json',
  database: 'database.sqlite',
  secrets: 'secrets.json',
  table: (name: string) => `tables/${name}.jsonl`,
} as const;

export const isManifest = compileSchema<Manifest>(manifestSchema, 'json');
