import { defineMiddleware } from 'astro:middleware';
import { revalidated } from './etag.ts';
import { withStyleInHead } from './layouts/island-style.ts';

/** Moves the islands’ style into the head, and adds ETags to pages on demand. */
export const onRequest = defineMiddleware(async ({ isPrerendered, request }, next) => {
  const response = await next();
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  const html = withStyleInHead(Buffer.from(await response.arrayBuffer()));
  response.headers.delete('content-length');
  const page = new Response(new Uint8Array(html), response);
  return isPrerendered ? page : revalidated(request, page);
});
