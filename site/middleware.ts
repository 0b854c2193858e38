import { defineMiddleware } from 'astro:middleware';

/** The style that Astro puts in front of a page's first island, wherever that stands. */
const islandStyle = /<style>astro-island[^<]*<\/style>/;

/** Puts the style of islands into the head, since HTML allows none in the body. */
export const onRequest = defineMiddleware(async (_context, next) => {
  const response = await next();
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  const html = await response.text();
  const [style] = islandStyle.exec(html) ?? [];
  const moved = style === undefined ? html : html.replace(style, '').replace('</head>', () => `${style}</head>`);
  response.headers.delete('content-length');
  return new Response(moved, response);
});
