import { defineMiddleware } from 'astro:middleware';
import { revalidated } from './etag.ts';
import { withStyleInHead } from './layouts/island-style.ts';
import { withOwnHashes } from './layouts/page-policy.ts';

const policyHeader = 'content-security-policy';

/** Moves the islands’ style into the head, shortens the policy, and adds ETags to pages on demand. */
export const onRequest = defineMiddleware(async ({ isPrerendered, request }, next) => {
  const response = await next();
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  const html = withStyleInHead(Buffer.from(await response.arrayBuffer()));
  const finished = withOwnHashes(html, response.headers.get(policyHeader));
  response.headers.delete('content-length');
  const page = new Response(new Uint8Array(finished.page), response);
  if (finished.header !== null) page.headers.set(policyHeader, finished.header);
  return isPrerendered ? page : revalidated(request, page);
});
