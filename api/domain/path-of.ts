import type { EndpointName } from '#api/endpoints.contract.ts';
import { routes } from '#api/routes.contract.ts';
import { routeUrl } from '#contract/route.ts';

/** The URL of an endpoint with percent-encoded parameters and query. */
export function pathOf(
  name: EndpointName,
  params?: Readonly<Record<string, string>>,
  query?: Readonly<Record<string, string | number | undefined>>,
): string {
  return routeUrl(routes[name], params, query);
}
