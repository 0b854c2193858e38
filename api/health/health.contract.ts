import { Type } from 'typebox';
import { diskLevels } from '#contract/disk.ts';
import { get } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { anyObject, described, maybeMoment, named, nullable, oneOf } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';

/** Health of the service, for load balancers and the operator. */
const healthSchema = named('Health', {
  status: oneOf(['ok', 'unavailable', 'ending'], { description: 'ending: the service is draining; use another one' }),
  database: oneOf(['ok', 'read-only', 'unavailable'], {
    description: 'read-only: the database responds but is not writable',
  }),
  disk: nullable(oneOf(diskLevels), {
    description: 'Free disk space, by the same thresholds as npm run doctor; null: unknown',
  }),
  publishedAt: described(maybeMoment, 'When pages were last published; null before that'),
});
export type Health = Static<typeof healthSchema>;

/** The service itself: health, metrics, and its documentation. */
export const healthEndpoints = {
  health: {
    ...get('/api/health'),
    client: false,
    summary: 'Health of the service, its database, and the published pages, and whether the database is writable',
    status: 200,
    response: healthSchema,
    errors: [],
  },
  metrics: {
    ...get('/api/metrics'),
    client: false,
    scope: 'read',
    summary:
      'Figures of this process in the text form of Prometheus: for programs on its machine, and with the admin password in its header',
    status: 200,
    response: Type.String(),
    responseType: 'text/plain',
    errors: ['ADMIN_REQUIRED'],
  },
  openapi: {
    ...get('/api/openapi.json'),
    client: false,
    cache: 'public',
    summary: 'This document',
    status: 200,
    response: anyObject(),
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
