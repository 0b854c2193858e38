import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { PageAnswer, PageData, PageRequest } from '#api/publishing/page-data/page-data.contract.ts';
import { acceptedEncodings } from '#site/accepted-encodings.ts';
import { compactPages } from '#domain/build-files.ts';
import { revalidated } from '#site/etag.ts';
import { finishPage } from '#site/layouts/finish-page.ts';
import { whyNotSaved } from './save-rule.ts';

/** What a code build’s server exports: Astro’s request handler. */
export interface PageApp {
  match(request: Request): object | undefined;
  render(request: Request, options: { locals: object; clientAddress?: string }): Promise<Response>;
}

const gzipped = promisify<Buffer, { level: number }, Buffer>(gzip);
const brotli = promisify<Buffer, object, Buffer>(brotliCompress);
/** Fast rather than small: a visitor waits for each of these pages. */
const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
/** Bytes from which a page is compressed. */
const compressFrom = 1_000;

/** The finished response of a route; null if none has this address. Rejects with the page’s error. */
export async function responseOf(
  app: PageApp,
  request: Request,
  data: PageData,
  clientAddress?: string,
): Promise<Response | null> {
  if (app.match(request) === undefined) return null;
  const locals: { data: PageData; failure?: unknown } = { data };
  const response = await app.render(request, { locals, ...(clientAddress !== undefined && { clientAddress }) });
  // Astro makes an empty response of an error, which the middleware has stored.
  if ('failure' in locals) throw locals.failure;
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  const { status, headers } = response;
  headers.delete('content-length');
  headers.set('content-type', 'text/html; charset=utf-8');
  return new Response(finishPage(Buffer.from(await response.arrayBuffer())), { status, headers });
}

/** There is no page, or not any more; or another one took its place. */
const withoutPage: ReadonlySet<number> = new Set([301, 404, 410]);

/** The bytes to save as the page, feed, or picture of an address such as `/poll/tea`; null if there is none. Rejects with its error. */
export async function savedPage(
  app: PageApp,
  address: string,
  data: PageData,
  publicUrl: string,
): Promise<Buffer | null> {
  // Made of the address alone: nothing of a visitor.
  const response = await responseOf(app, new Request(publicUrl + address), data);
  if (response === null || (withoutPage.has(response.status) && address !== '/404')) return null;
  const problem = whyNotSaved(address, response);
  if (problem !== null) throw new Error(problem);
  return Buffer.from(await response.arrayBuffer());
}

/** What a visitor gets of a page that is not saved: with an ETag, and compressed; null if no route has the address. */
export async function answerPage(
  app: PageApp,
  { method, url, headers, body, address }: PageRequest,
  { data, publicUrl }: { readonly data: PageData; readonly publicUrl: string },
): Promise<PageAnswer | null> {
  const form = method === 'POST' && body !== null ? { body } : {};
  const request = new Request(publicUrl + url, { method, headers, ...form });
  const page = await responseOf(app, request, data, address);
  if (page === null) return null;
  const isPage = page.headers.get('content-type')?.startsWith('text/html') === true;
  const response = isPage ? await revalidated(request, page) : page;
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
  // Search engines wait until it is saved (decision 094).
  if (compactPages.test(new URL(request.url).pathname)) response.headers.set('x-robots-tag', 'noindex');
  const content = Buffer.from(await response.arrayBuffer());
  const plain = () => ({ status: response.status, headers: [...response.headers], body: content });
  if (!isPage || content.length < compressFrom) return plain();
  response.headers.set('vary', 'Accept-Encoding');
  const accepted = acceptedEncodings(request.headers.get('accept-encoding') ?? '');
  if (!accepted.br && !accepted.gz) return plain();
  response.headers.set('content-encoding', accepted.br ? 'br' : 'gzip');
  const compressed = await (accepted.br ? brotli(content, fastBrotli) : gzipped(content, { level: 5 }));
  return { ...plain(), body: compressed };
}
