import type { EndpointRouter } from '#platform/endpoint-router.ts';
import type { Config } from '#platform/config.ts';
import { openApiDocument } from './openapi.ts';

/** `/api/openapi.json`: the document of the calls that this service answers. */
export function mountOpenApi(router: EndpointRouter, config: Pick<Config, 'publicUrl' | 'siteName'>): void {
  router.mount('openapi', () => Promise.resolve(openApiDocument(router.mounted, config)));
}
