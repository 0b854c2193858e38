import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as limits from '#contract/limits.ts';
import { fileOf } from '#domain/build-files.ts';
import { isApiAddress } from '#contract/route.ts';
import type { IsProxy } from '#platform/trusted-proxies.ts';
import { refuseSeveralHosts, requestIdOf } from '#platform/trusted-proxies.ts';
import { siteTexts } from '#texts/site.ts';
import { createForwarder } from './forward.ts';
import { createPollFiles } from './poll-files.ts';
import { SavedFiles } from './saved-files.ts';
import {
  closedHeaders,
  headersFor,
  linkedOpenerPolicy,
  openerPolicyName,
  securityHeaders,
} from './security-headers.ts';

export interface SiteServerOptions {
  readonly port: number;
  readonly host: string;
  /** Whether other processes of this service listen on the port, too; the system divides connections among them. */
  readonly sharesPort?: boolean;
  /** The folder of the builds, with the link to the served one. */
  readonly builds: string;
  /** The API’s address; with several, the others are for failover (handbook decision 033). */
  readonly apiOrigin: string | readonly string[];
  readonly publicUrl: string;
  /** Which peers may set forwarding headers; by default programs on this machine. */
  readonly isProxy?: IsProxy;
  readonly siteName: string;
  /** Origins of the sites in whose pages visitors may vote; none by default. */
  readonly embedVotingSites?: readonly string[];
  /** The folder of generated share pictures. */
  readonly pictures: string;
  /** The time limit for the API to start its response, in milliseconds; for tests. */
  readonly forwardTimeoutMs?: number;
  /** The time limits for receiving a request’s headers and the body of a call, in milliseconds; for tests. */
  readonly timeouts?: { readonly headMs: number; readonly jsonBodyMs: number };
  readonly onEvent: (event: SiteEvent) => void;
}

/** An event for the log. */
export type SiteEvent =
  | { readonly kind: 'no-build' }
  | { readonly kind: 'unreadable'; readonly error: unknown }
  | { readonly kind: 'api-failed'; readonly reason: string; readonly requestId?: string }
  | { readonly kind: 'failed'; readonly what: string; readonly error: unknown; readonly requestId?: string };

export interface SiteServer {
  readonly port: number;
  /** Stops listening and drains requests, for a few seconds at most. */
  close(): Promise<void>;
}

/** Lists whose saved page is only for requests without a query. */
const listsWithQuery: ReadonlySet<string> = new Set(['/historical', '/historical/series', '/community-polls']);

/** The saved pages that say that there is none, by the beginnings of addresses. */
const notFoundAddress = '/404';
const missingPages: readonly (readonly [RegExp, string])[] = [
  [/^\/poll\/[^/]+\/preview$/, '/404/preview'],
  [/^\/poll\//, '/404/poll'],
  [/^\/embed\//, '/404/embed'],
  [/^\/community-polls\//, '/404/community'],
  [/^\/blog\//, '/404/article'],
];
const missingPageOf = (path: string) => missingPages.find(([of]) => of.test(path))?.[1] ?? notFoundAddress;
const saysMissing = (address: string) => /^\/404(\/|$)/.test(address);

/** The pages that take forms: votes without JavaScript. */
const isVoteForm = /^\/(poll|community-polls)\/[A-Za-z0-9_-]+\/vote$/;

/** Serves the saved pages, and forwards everything else to the API. Resolves when it listens. */
export async function startSiteServer(options: SiteServerOptions): Promise<SiteServer> {
  const { builds, publicUrl, siteName, pictures, onEvent } = options;
  const apiOrigins = typeof options.apiOrigin === 'string' ? [options.apiOrigin] : options.apiOrigin;
  const alwaysHeaders = securityHeaders(publicUrl);
  const closed = closedHeaders(alwaysHeaders);
  const linkedHeaders = headersFor('/poll/any', alwaysHeaders);
  const files = new SavedFiles(builds, alwaysHeaders);
  const proxies = options.isProxy && { isProxy: options.isProxy };
  const pollFiles = createPollFiles({
    apiOrigins,
    publicUrl,
    siteName,
    pictures,
    alwaysHeaders,
    ...proxies,
    onApiFailure: (reason) => onEvent({ kind: 'api-failed', reason }),
    onFailure: (error) => onEvent({ kind: 'failed', what: 'a picture or results could not be created', error }),
  });
  const { headMs, jsonBodyMs } = { ...limits, ...options.timeouts };
  const forwarder = createForwarder({
    apiOrigins,
    publicUrl,
    alwaysHeaders: closed,
    ...proxies,
    jsonBodyMs,
    onFailure: (reason, requestId) => onEvent({ kind: 'api-failed', reason, requestId }),
    ...(options.forwardTimeoutMs !== undefined && { timeoutMs: options.forwardTimeoutMs }),
  });
  const answer = (response: ServerResponse, status: number, type: string, text: string, headers: string[] = []) => {
    const body = Buffer.from(text);
    response.writeHead(status, [
      'Content-Type',
      `${type}; charset=utf-8`,
      'Content-Length',
      String(body.length),
      'Cache-Control',
      'no-store',
      ...headers,
      ...closed,
    ]);
    response.end(response.req.method === 'HEAD' ? undefined : body);
  };
  const moved = (response: ServerResponse, path: string, query: string) => {
    // Two leading slashes, of either kind, would redirect to another site.
    answer(response, 308, 'text/plain', '', ['Location', path.replace(/^[/\\]+/, '/') + query]);
  };
  let isSaid = false;
  const sayNoBuild = () => {
    if (!isSaid) onEvent({ kind: 'no-build' });
    isSaid = true;
  };
  const unreadable = (response: ServerResponse, error: unknown) => {
    onEvent({ kind: 'unreadable', error });
    answer(response, 503, 'text/html', plainPage(siteTexts.unreadable), ['Retry-After', '60']);
  };
  const missing = (request: IncomingMessage, response: ServerResponse, path: string) => {
    try {
      const file = files.find(missingPageOf(path), request) ?? files.find(notFoundAddress, request);
      if (file) files.send(request, response, file, 404)?.catch((error: unknown) => unreadable(response, error));
      else answer(response, 404, 'text/plain', siteTexts.notFound);
    } catch (error) {
      unreadable(response, error);
    }
  };

  /** Responds with a file, or redirects to the address that was meant; otherwise returns false. */
  const serveFile = (request: IncomingMessage, response: ServerResponse, path: string, query: string): boolean => {
    // An encoded slash is part of a name, and no name has one.
    const address = /%(2f|5c)/i.test(path) ? path : decoded(path);
    const file = files.find(address, request);
    if (file !== null && !saysMissing(file.address)) {
      files.send(request, response, file)?.catch((error: unknown) => {
        // It was removed or replaced in between.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') page(request, response, path, query);
        else unreadable(response, error);
      });
      return true;
    }
    const one = path === '/index.html' ? '/' : path.endsWith('.html') ? path.slice(0, -'.html'.length) : null;
    if (one !== null && !saysMissing(one) && fileOf(one) === path.slice(1) && files.find(one, request)) {
      moved(response, one, query);
      return true;
    }
    return false;
  };

  const page = (request: IncomingMessage, response: ServerResponse, path: string, query: string): void => {
    const isQueried = query.length > 1 && listsWithQuery.has(path);
    let build: string | null;
    try {
      if (!isQueried && serveFile(request, response, path, query)) return;
      build = files.build();
    } catch (error) {
      // The folder can’t be read.
      unreadable(response, error);
      return;
    }
    if (build === null) {
      sayNoBuild();
      const { title, text } = siteTexts.building;
      answer(response, 503, 'text/html', plainPage({ title, text, again: 3 }), ['Retry-After', '3']);
      return;
    }
    isSaid = false;
    const bare = path.length > 1 && path.endsWith('/') ? withoutLast(path, /\//) : withoutCopiedText(path);
    if (!isQueried && bare !== path) {
      moved(response, bare, query);
      return;
    }
    // No page has such a URL, and Astro’s patterns would backtrack over each of many slashes.
    if (path.includes('//') || path.includes('\\') || saysMissing(path)) {
      missing(request, response, path);
      return;
    }
    if (pollFiles.answer(request, response, path)) return;
    const requestId = requestIdOf(request, options.isProxy);
    forwarder.forward(request, response, {
      headers: (own) =>
        own[openerPolicyName] === linkedOpenerPolicy
          ? linkedHeaders
          : headersFor(path, alwaysHeaders, options.embedVotingSites),
      failed(status, retryAfter) {
        if (status === 404) missing(request, response, path);
        else
          answer(response, status, 'text/html', plainPage(siteTexts.renderFailed), [
            ...(retryAfter === undefined ? [] : ['Retry-After', retryAfter]),
            ...['X-Request-Id', requestId],
          ]);
      },
    });
  };

  const server = createServer(
    { connectionsCheckingInterval: Math.min(headMs, limits.timeoutSweepMs) },
    (request, response) => {
      if (refuseSeveralHosts(request, response)) return;
      const { url = '/', method } = request;
      const mark = url.indexOf('?');
      const path = mark < 0 ? url : url.slice(0, mark);
      if (isApiAddress(path)) {
        forwarder.forward(request, response);
      } else if (method === 'POST' && isVoteForm.test(path)) {
        const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
        if (coding === undefined && Number(length) <= limits.voteFormBytes) {
          const late = setTimeout(() => request.destroy(), jsonBodyMs);
          request.once('close', () => clearTimeout(late));
          page(request, response, path, mark < 0 ? '' : url.slice(mark));
        } else {
          answer(response, 413, 'text/plain', siteTexts.formTooLarge, ['Connection', 'close']);
        }
      } else if (method !== 'GET' && method !== 'HEAD') {
        answer(response, 405, 'text/plain', siteTexts.methodNotAllowed, ['Allow', 'GET, HEAD']);
      } else if (!path.startsWith('/')) {
        answer(response, 400, 'text/plain', siteTexts.badRequest);
      } else {
        page(request, response, path, mark < 0 ? '' : url.slice(mark));
      }
    },
  );
  // Slow requests must not hold a connection.
  server.headersTimeout = headMs;
  server.requestTimeout = limits.requestMs;
  // Longer than proxies’ own timeouts, so that they never write to a connection that was just closed.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((listening, refused) => {
    server.once('error', refused);
    const { port, host, sharesPort: reusePort = false } = options;
    server.listen({ port, host, reusePort }, () => {
      server.off('error', refused);
      listening();
    });
  });
  if (files.build() === null) sayNoBuild();

  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), limits.drainMs);
      await closed;
      clearTimeout(late);
      forwarder.close();
    },
  };
}

/** The path without the characters at its end that match; `+$` would backtrack over each of many. */
function withoutLast(path: string, character: RegExp): string {
  let end = path.length;
  while (end > 1 && character.test(path[end - 1]!)) end -= 1;
  return path.slice(0, end);
}

/** What a sentence puts after an address, and programs then take for a part of it. */
const afterAddress = /[\s.,;:!'"()*>\]}»’”…\u200b]/;
/** Parameters that a program added as if the address had some. */
const addedParameters = /&[\w.-]+=/;

/** The path of an address that was copied with the text after it, or got parameters without a question mark. */
function withoutCopiedText(path: string): string {
  const text = decoded(path);
  const [address = ''] = text.split(addedParameters, 1);
  const kept = withoutLast(address, afterAddress);
  return kept === text ? path : encodeURI(kept);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A page that needs no build and loads nothing, so that no content policy can block it. */
function plainPage({ title, text, again }: { title: string; text: string; again?: number }): string {
  const refresh = again === undefined ? '' : `<meta http-equiv="refresh" content="${again}">`;
  return `<!doctype html><html lang="en-US"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">${refresh}<meta name="robots" content="noindex"><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
}
