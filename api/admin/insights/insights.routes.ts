import { rateLimits } from '#contract/rate-limits.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { rateLimit } from '#platform/middleware.ts';
import type { MountGuarded } from '#platform/operator.ts';
import type { InsightCounters } from './counters.service.ts';
import { pollInsights, siteInsights } from './insights.service.ts';

/** The operators’ endpoints for insights, and the one that browsers report shared links to. */
export function mountInsights(
  router: EndpointRouter,
  guarded: MountGuarded,
  context: {
    readonly db: Database;
    readonly clock: Clock;
    readonly insights: InsightCounters;
    readonly config: Pick<Config, 'rateLimit'>;
  },
): void {
  const { db, clock, insights, config } = context;
  const limit = config.rateLimit ? rateLimit(rateLimits.share) : () => Promise.resolve();
  router.mount('countShare', async ({ params, query: { target = 'copy' }, ctx }) => {
    await limit(ctx);
    insights.count(params.id, 'share', target);
    return undefined;
  });
  guarded('pollInsights', ({ params }) => pollInsights(db, params.id));
  guarded('siteInsights', () => siteInsights(db, clock.now()));
}
