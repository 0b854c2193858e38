import type { Endpoint, Route } from '#contract/route.ts';
import { endpoints } from './endpoints.contract.ts';
import type { EndpointName } from './endpoints.contract.ts';
import { routes } from './routes.contract.ts';

/** The endpoints that scripts of pages with a ballot may call. */
export type ClientEndpointName = {
  [N in EndpointName]: (typeof endpoints)[N] extends { client: false } | { admin: string } ? never : N;
}[EndpointName];

const isForClients = ({ client, admin }: Endpoint) => client !== false && admin === undefined;

/** Their routes. */
export const clientRoutes = Object.fromEntries(
  Object.entries(routes).filter(([name]) => isForClients(endpoints[name as EndpointName])),
) as Record<ClientEndpointName, Route>;
