import type { Health } from '#contract/health.ts';
import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { currentRelease } from './health.queries.ts';

/** Liveness for load balancers: 200 when the database answers, else 503. */
export function mountHealth(router: EndpointRouter, db: Database): void {
  router.mount('health', async ({ ctx }): Promise<Health> => {
    try {
      return { status: 'ok', database: 'ok', release: await currentRelease(db) };
    } catch {
      ctx.status = 503;
      return { status: 'unavailable', database: 'unavailable', release: null };
    }
  });
}
