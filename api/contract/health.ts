import type { FromSchema } from 'json-schema-to-ts';

/** Liveness, database and release, for load balancers and for the operator. */
export const healthSchema = {
  $id: 'Health',
  type: 'object',
  required: ['status', 'database', 'release'],
  additionalProperties: false,
  properties: {
    status: {
      type: 'string',
      enum: ['ok', 'unavailable', 'ending'],
      description: 'ending: the service answers what has arrived and stops; ask another one',
    },
    database: { type: 'string', enum: ['ok', 'unavailable'] },
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
