import type { Statistics } from '#api/polls/polls.contract.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { SingleFlight } from '#platform/read-cache.ts';
import { statisticsNow } from './statistics.service.ts';

/** The endpoint of the home page's headline figures. */
export function mountStatistics(
  router: EndpointRouter,
  { db, clock }: { readonly db: Database; readonly clock: Clock },
): void {
  const figures = new SingleFlight<Statistics>();
  router.mount('statistics', () => figures.get('', () => statisticsNow(db, clock.now())));
}
