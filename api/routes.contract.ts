import type { Route } from '#contract/route.ts';
import { endpoints } from './endpoints.contract.ts';
import type { EndpointName } from './endpoints.contract.ts';

/** The route of an endpoint, without its schemas. */
const routeOf = ({ method, path, cache, device }: Route): Route => ({ method, path, cache, device });

/** The route of every endpoint. */
export const routes = Object.fromEntries(
  Object.entries(endpoints).map(([name, endpoint]) => [name, routeOf(endpoint)]),
) as Record<EndpointName, Route>;
