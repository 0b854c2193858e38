import type { FromSchema } from 'json-schema-to-ts';
import { diskLevels } from './publishing.ts';
import { maybeMoment } from './scalars.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';

/** Health of the service, for load balancers and the operator. */
const healthSchema = {
  $id: 'Health',
  type: 'object',
  required: ['status', 'database', 'disk', 'publishedAt'],
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
    publishedAt: { ...maybeMoment, description: 'When pages were last published; null before that' },
  },
} as const;
export type Health = FromSchema<typeof healthSchema>;

/** The service itself: health, metrics, and its documentation. */
export const healthEndpoints = {
  health: {
    ...routes.health,
    summary: 'Health of the service, its database, and the published pages, and whether the database is writable',
    status: 200,
    response: healthSchema,
    errors: [],
  },
  metrics: {
    ...routes.metrics,
    scope: 'read',
    summary:
      'Figures of this process in the text form of Prometheus: for programs on its machine, and with the admin password in its header',
    status: 200,
    response: { type: 'string' },
    responseType: 'text/plain',
    errors: ['ADMIN_REQUIRED'],
  },
  openapi: {
    ...routes.openapi,
    summary: 'This document',
    status: 200,
    response: { type: 'object', additionalProperties: true },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
