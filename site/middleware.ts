import { defineMiddleware } from 'astro:middleware';
import { revalidated } from './etag.ts';

/** The style that Astro inserts before a page’s first island. */
const islandStyle = /<style>astro-island[^<]*<\/style>/;

/** Moves the islands’ style into the head, because HTML allows none in the body, and adds ETags to pages on demand. */
export const onRequest = defineMiddleware(async ({ isPrerendered, request }, next) => {
  const response = await next();
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  const html = await response.text();
  const [style] = islandStyle.exec(html) ?? [];
  const moved = style === undefined ? html : html.replace(style, '').replace('</head>', () => `${style}</head>`);
  response.headers.delete('content-length');
  const page = new Response(moved, response);
  return isPrerendered ? page : revalidated(request, page);
});
