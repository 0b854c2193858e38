import type { FromSchema } from 'json-schema-to-ts';
import { diskLevels } from './disk.ts';

/** Liveness, database and release, for load balancers and for the operator. */
export const healthSchema = {
  $id: 'Health',
  type: 'object',
  required: ['status', 'database', 'disk', 'release'],
  additionalProperties: false,
  properties: {
    status: {
      type: 'string',
      enum: ['ok', 'unavailable', 'ending'],
      description: 'ending: the service is draining; use another one',
    },
    database: {
      type: 'string',
      enum: ['ok', 'read-only', 'unavailable'],
      description: 'read-only: the database responds but is not writable',
    },
    disk: {
      anyOf: [{ type: 'string', enum: diskLevels }, { type: 'null' }],
      description: 'Free disk space, by the same thresholds as npm run doctor; null: unknown',
    },
    release: {
      anyOf: [
        { type: 'null' },
        {
          type: 'object',
          required: ['id', 'publishedAt'],
          additionalProperties: false,
          properties: { id: { type: 'string' }, publishedAt: { type: 'string', format: 'date-time' } },
        },
      ],
    },
  },
} as const;
export type Health = FromSchema<typeof healthSchema>;
