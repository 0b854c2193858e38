import type { Health } from '#contract/health.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { within } from '#platform/within.ts';
import { currentRelease } from './health.queries.ts';

/** Liveness for load balancers: 200 when the database answers soon, else 503; 503 also while the service ends. */
export function mountHealth(router: EndpointRouter, db: Database, isEnding: () => boolean): void {
  router.mount('health', async ({ ctx }): Promise<Health> => {
    try {
      const release = await within(serverLimits.healthMs, currentRelease(db));
      if (!isEnding()) return { status: 'ok', database: 'ok', release };
      ctx.status = 503;
      return { status: 'ending', database: 'ok', release };
    } catch {
      ctx.status = 503;
      return { status: 'unavailable', database: 'unavailable', release: null };
    }
  });
}
