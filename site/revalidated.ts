import { digestOf, matches } from './etag.ts';

/**
 * When a page was read, as its islands are told, and their ids, which Astro makes from that: answers that differ in
 * nothing else are the same page.
 */
const readMoment = /&quot;(?:readAt|publishedAt)&quot;:\[0,&quot;[^&]*&quot;\]|(?<=<astro-island) uid="[^"]*"/g;

/**
 * A page that was rendered on demand with its ETag, or 304 when the request names it. What may not be kept, and what is
 * no page, stays as it is. The tag is weak: it is one for every encoding, and for every moment at which an unchanged page
 * was read; a page from the browser's cache only lets its islands ask for news sooner.
 */
export async function revalidated(request: Request, page: Response): Promise<Response> {
  const { status, headers } = page;
  if (status !== 200 || (headers.get('cache-control') ?? 'no-store').includes('no-store')) return page;
  const html = await page.text();
  const etag = `W/"${digestOf(html.replace(readMoment, ''))}"`;
  const isKnown = matches(request.headers.get('if-none-match') ?? '', etag);
  // With all headers of the page, since those of a 304 take the place of the ones that were kept.
  const answer = new Response(isKnown ? null : html, { status: isKnown ? 304 : status, headers });
  answer.headers.set('etag', etag);
  answer.headers.set('vary', 'Accept-Encoding');
  if (isKnown) answer.headers.delete('content-type');
  return answer;
}
