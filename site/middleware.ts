import { defineMiddleware } from 'astro:middleware';
import { revalidated } from './etag.ts';
import { finishPage } from './layouts/finish-page.ts';

/** Finishes pages, and adds ETags to those on demand. */
export const onRequest = defineMiddleware(async ({ request }, next) => {
  const response = await next();
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  const page = finishPage(Buffer.from(await response.arrayBuffer()));
  const { status, headers } = response;
  headers.delete('content-length');
  headers.set('content-type', 'text/html; charset=utf-8');
  // Without Astro's status text, which is always "OK".
  return revalidated(request, new Response(page, { status, headers }));
});
