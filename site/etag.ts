import { hash } from 'node:crypto';

/** The digest of a content, as in ETags. */
export const digestOf = (content: Buffer | string) => hash('sha256', content, 'base64url').slice(0, 27);

/** Whether an If-None-Match header includes the tag, by the standard’s weak comparison. */
export function matches(header: string, etag: string): boolean {
  if (header === etag) return true;
  return header.split(',').some((part) => {
    const tag = part.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}

/**
 * The read time in the props of islands and of pre-rendered components, and the island ids that Astro derives from them:
 * responses that differ only in these are the same page.
 */
const readMoment =
  /&(?:quot|#34);(?:readAt|publishedAt)&(?:quot|#34);:(?:\[0,)?&(?:quot|#34);[^&]*&(?:quot|#34);|(?<=<astro-island) uid="[^"]*"/g;

/**
 * Adds an ETag to a page that is not saved, or returns 304 if the request names it. Responses that may not be cached,
 * and those that are not pages, are unchanged. The tag is weak: it is the same for every encoding and for every read
 * time of an unchanged page; islands of a cached page merely refresh sooner.
 */
export async function revalidated(request: Request, page: Response): Promise<Response> {
  const { status, headers } = page;
  if (status !== 200 || (headers.get('cache-control') ?? 'no-store').includes('no-store')) return page;
  const html = await page.text();
  const etag = `W/"${digestOf(html.replace(readMoment, ''))}"`;
  const isKnown = matches(request.headers.get('if-none-match') ?? '', etag);
  // With all headers of the page: those of a 304 replace the cached ones.
  const answer = new Response(isKnown ? null : html, { status: isKnown ? 304 : status, headers });
  answer.headers.set('etag', etag);
  answer.headers.set('vary', 'Accept-Encoding');
  if (isKnown) answer.headers.delete('content-type');
  return answer;
}
