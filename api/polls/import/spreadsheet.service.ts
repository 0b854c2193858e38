import type { IncomingMessage } from 'node:http';
import * as limits from '#contract/limits.ts';
import { errors, messageOf } from '#platform/errors.ts';
import { PrivateAddressError, requestPublicly } from '#platform/public-request.ts';
import { importFileTexts, spreadsheetTexts as texts } from '#texts/poll-import.ts';

/** Milliseconds in which a spreadsheet must arrive. */
const fetchMs = 30_000;
/** Redirects that are followed; published sheets need one or two. */
const maxRedirects = 5;

/**
 * The bytes of a spreadsheet that is published at an address. Throws BAD_REQUEST for an address that is not on the public
 * internet, doesn’t answer, or answers with a page; PAYLOAD_TOO_LARGE while it is read. `allowPrivate` is for tests.
 */
export async function fetchSpreadsheet(
  address: string,
  { allowPrivate = false }: { readonly allowPrivate?: boolean } = {},
): Promise<AsyncIterable<Uint8Array>> {
  const signal = AbortSignal.timeout(fetchMs);
  let url = csvAddress(address);
  for (let redirects = 0; ; redirects += 1) {
    const response = await requestPublicly(url, { signal, allowPrivate }).catch((error: unknown) => {
      throw errors.badRequest(
        error instanceof PrivateAddressError ? texts.notPublic : texts.unreachable(messageOf(error)),
      );
    });
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (status < 300 || status > 399 || location === undefined) return bodyOf(response, status);
    response.destroy();
    if (redirects === maxRedirects) throw errors.badRequest(texts.redirects);
    url = webAddress(location, url);
  }
}

/** The address of a shared Google sheet as CSV; other addresses are used as they are. */
function csvAddress(address: string): URL {
  const url = webAddress(address);
  const sheet = /^\/spreadsheets\/d\/[\w-]{20,}(?=\/(?:edit|view)?$)/.exec(url.pathname);
  if (url.host !== 'docs.google.com' || sheet === null) return url;
  const tab = /gid=(\d+)/.exec(url.search + url.hash);
  return new URL(`${sheet[0]}/export?format=csv${tab ? `&${tab[0]}` : ''}`, url);
}

function webAddress(address: string, base?: URL): URL {
  const url = URL.parse(address.trim(), base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw errors.badRequest(texts.notAnAddress);
  return url;
}

function bodyOf(response: IncomingMessage, status: number): AsyncIterable<Uint8Array> {
  const isPage = /html/i.test(response.headers['content-type'] ?? '');
  if (status === 200 && !isPage) return limited(response);
  response.destroy();
  throw errors.badRequest(isPage && status === 200 ? texts.isPage : texts.status(status));
}

async function* limited(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      if (bytes > limits.importBytes) break;
      yield chunk;
    }
  } catch (error) {
    throw errors.badRequest(texts.unreachable(messageOf(error)));
  }
  if (bytes > limits.importBytes) throw errors.fileTooLarge(importFileTexts.file_too_large(limits.importBytes));
}
