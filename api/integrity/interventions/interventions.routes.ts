import type { InterventionList } from './interventions.contract.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { SingleFlight } from '#platform/read-cache.ts';
import { interventionList } from './interventions.service.ts';

/** The endpoint with all decisions about votes; concurrent requests share one read. */
export function mountInterventions(
  router: EndpointRouter,
  { db, clock }: { readonly db: Database; readonly clock: Clock },
): void {
  const lists = new SingleFlight<InterventionList>();
  router.mount('interventions', () => lists.get('', () => interventionList(db, clock.now())));
}
