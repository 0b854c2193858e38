import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { headlineFigures } from './statistics.queries.ts';

/** The call behind the home page's headline figures. */
export function mountStatistics(router: EndpointRouter, db: Database): void {
  router.mount('statistics', () => headlineFigures(db));
}
