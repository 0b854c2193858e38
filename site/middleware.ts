import { defineMiddleware } from 'astro:middleware';
import { revalidated } from './etag.ts';
import { withStyleInHead } from './layouts/island-style.ts';

/** Moves the islands’ style into the head, and adds ETags to pages on demand. */
export const onRequest = defineMiddleware(async ({ isPrerendered, request }, next) => {
  const response = await next();
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  const html = withStyleInHead(await response.text());
  response.headers.delete('content-length');
  const page = new Response(html, response);
  return isPrerendered ? page : revalidated(request, page);
});
