import { createHash } from 'node:crypto';

/** Digest of a content, as a release's list of files (api/publishing/compress.ts) and ETags have it. */
export const digestOf = (content: Buffer | string) =>
  createHash('sha256').update(content).digest('base64url').slice(0, 27);

/** Whether an If-None-Match header names the tag; the comparison is weak, as the standard says. */
export function matches(header: string, etag: string): boolean {
  if (header === etag) return true;
  return header.split(',').some((part) => {
    const tag = part.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}

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
