import { defineMiddleware } from 'astro:middleware';
import { revalidated } from './etag.ts';

/** The style that Astro puts in front of a page's first island, wherever that stands. */
const islandStyle = /<style>astro-island[^<]*<\/style>/;

/** Puts the style of islands into the head, since HTML allows none in the body, and gives pages on demand an ETag. */
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
