import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { errors, Pool } from 'undici';
import type { ErrorBody } from '#contract/error-codes.ts';
import * as limits from '#contract/limits.ts';
import {
  forwardedAddress,
  isLoopback,
  normalizeAddress,
  requestIdHeader,
  requestIdOf,
} from '#platform/trusted-proxies.ts';
import type { IsProxy } from '#platform/trusted-proxies.ts';
import { errorTexts } from '#texts/errors.ts';

/** `forwardTimeoutMs` for a large body: a file of polls is answered once all of it is imported. */
const forwardUploadTimeoutMs = 300_000;
/** Milliseconds in which a connection to one of several API services must be established. */
const apiConnectMs = 2_000;
/** Milliseconds for which an unreachable API service is skipped: longer than a connection may take. */
const skipUnreachableMs = 5_000;

/** What is different about a page that the API renders. */
export interface ForwardedPage {
  /** The headers of every response, which replace those of the API; `own` are the page’s. */
  headers(own: IncomingHttpHeaders): readonly string[];
  /** Answers instead of the API’s error, or if it can’t be reached. */
  failed(status: number, retryAfter: string | undefined): void;
}

/** Forwards requests to the API. */
export interface Forwarder {
  forward(request: IncomingMessage, response: ServerResponse, page?: ForwardedPage): void;
  close(): void;
}

interface ForwarderOptions {
  readonly apiOrigins: readonly string[];
  readonly publicUrl: string;
  readonly alwaysHeaders: readonly string[];
  /** Which peers may set forwarding headers; by default programs on this machine. */
  readonly isProxy?: IsProxy;
  readonly timeoutMs?: number;
  /** The time limit for receiving the body of a JSON call, in milliseconds. */
  readonly jsonBodyMs: number;
  readonly onFailure: (reason: string, requestId: string) => void;
}

/** Hop-by-hop headers. */
const connectionHeaders = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
];
/** Not passed on to the API: also what only this server may set, and the length, which belongs to the framing. */
const ownHeaders = new Set([
  ...connectionHeaders,
  'proxy-authorization',
  'expect',
  'content-length',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]);
/** Not passed on from the API; this server sets the date. */
const answerOwnHeaders = [...connectionHeaders, 'proxy-authenticate', 'date'];

const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
/** A repeated vote counts once: the second response says which option was recorded. */
const vote = /^\/(api\/polls|(api\/)?community-polls|poll)\/[A-Za-z0-9_-]+\/vote(\?|$)/;

/** The client behind a request, as far as forwarding headers can be trusted. */
export interface Client {
  readonly address: string;
  readonly proto: string;
  readonly host: string;
}

/**
 * The client behind a request. Forwarding headers count only if the connection comes from a trusted proxy, which by
 * default is any program on this machine; then the client is the last address that is not a trusted proxy (decision 033).
 */
export function clientOf(request: IncomingMessage, publicProto: string, isProxy: IsProxy = isLoopback): Client {
  const peer = normalizeAddress(request.socket.remoteAddress ?? '');
  const host = request.headers.host ?? '';
  const forwarded = request.headers['x-forwarded-for'];
  const proto = request.headers['x-forwarded-proto'];
  if ((forwarded === undefined && proto === undefined) || !isProxy(peer))
    return { address: peer, proto: publicProto, host };

  const forwardedHost = request.headers['x-forwarded-host'];
  return {
    address: forwardedAddress(peer, typeof forwarded === 'string' ? forwarded : undefined, isProxy),
    proto: proto === 'https' || proto === 'http' ? proto : publicProto,
    host: typeof forwardedHost === 'string' && /^[\w.:[\]-]+$/.test(forwardedHost) ? forwardedHost : host,
  };
}

/** One API service. */
interface Upstream {
  readonly pool: Pool;
  /** A connection failed a moment ago; until then the other services are tried first. */
  unreachableUntil: number;
}

type FailureReason = 'unreachable' | 'timeout' | 'broken';

function reasonOf(error: Error): FailureReason {
  if ((error as NodeJS.ErrnoException).code?.endsWith('_TIMEOUT')) return 'timeout';
  return error instanceof errors.HTTPParserError || error instanceof errors.InvalidArgumentError
    ? 'broken'
    : 'unreachable';
}

/**
 * Forwards to the API over keep-alive connections. Bodies up to the size of a JSON call are sent in one piece; larger
 * ones, and those of unknown size, stream. With several API services, all requests go to the first that can be reached,
 * and repeatable ones are retried after a broken response (handbook decision 033).
 */
export function createForwarder(options: ForwarderOptions): Forwarder {
  const { alwaysHeaders, onFailure } = options;
  const publicProto = new URL(options.publicUrl).protocol.slice(0, -1);
  const timeoutMs = options.timeoutMs ?? limits.forwardTimeoutMs;
  const replaced = new Set([
    ...answerOwnHeaders,
    // Of all answers the same names.
    ...alwaysHeaders.filter((_, place) => place % 2 === 0).map((name) => name.toLowerCase()),
  ]);
  const several = options.apiOrigins.length > 1;
  const connectMs = several ? Math.min(timeoutMs, apiConnectMs) : timeoutMs;
  const upstreams = options.apiOrigins.map((origin): Upstream => ({
    pool: new Pool(origin, { allowH2: false, connect: { timeout: connectMs } }),
    unreachableUntil: -Infinity,
  }));
  /** In the configured order, but with those that could not be reached a moment ago last. */
  const failoverOrder = (): readonly Upstream[] => {
    if (!several) return upstreams;
    const now = performance.now();
    const isUnreachable = (one: Upstream) => Number(now < one.unreachableUntil);
    return upstreams.toSorted((a, b) => isUnreachable(a) - isUnreachable(b));
  };

  const headersOf = (request: IncomingMessage): string[] => {
    const { headers } = request;
    const client = clientOf(request, publicProto, options.isProxy);
    const named = headers.connection?.toLowerCase();
    const alsoDropped =
      named === undefined || named === 'keep-alive' || named === 'close'
        ? null
        : new Set(named.split(',').map((name) => name.trim()));
    const kept: string[] = [];
    for (const name in headers) {
      if (ownHeaders.has(name) || alsoDropped?.has(name)) continue;
      kept.push(name, headers[name] as string);
    }
    kept.push('x-forwarded-for', client.address, 'x-forwarded-proto', client.proto, 'x-forwarded-host', client.host);
    return kept;
  };

  const answerHeaders = (headers: IncomingHttpHeaders): string[] => {
    const kept: string[] = [];
    for (const name in headers) {
      if (replaced.has(name)) continue;
      const value = headers[name];
      if (Array.isArray(value)) for (const one of value) kept.push(name, one);
      else kept.push(name, value!);
    }
    return kept;
  };

  const refuse = (response: ServerResponse, reason: FailureReason, page: ForwardedPage | undefined) => {
    const requestId = response.req.headers[requestIdHeader] as string;
    onFailure(reason, requestId);
    const body: ErrorBody = { message: errorTexts.API_UNREACHABLE, code: 'API_UNREACHABLE', requestId };
    const text = JSON.stringify(body);
    const status = reason === 'unreachable' ? 503 : reason === 'timeout' ? 504 : 502;
    if (page) {
      page.failed(status, '2');
      return;
    }
    response.writeHead(status, [
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      String(Buffer.byteLength(text)),
      'Cache-Control',
      'no-store',
      'Retry-After',
      '2',
      'X-Request-Id',
      requestId,
      // The rest of the request’s body must not be taken for the next request.
      ...(response.req.complete ? [] : ['Connection', 'close']),
      ...alwaysHeaders,
    ]);
    response.end(text);
  };

  /** `body` is all of it, null for none, or 'upload' if it is not received yet. */
  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer | null | 'upload',
    page: ForwardedPage | undefined,
  ): void => {
    const { method = 'GET', url: path = '/' } = request;
    const isUpload = body === 'upload';
    const order = failoverOrder();
    const headers = headersOf(request);
    if (isUpload && request.headers['content-length'] !== undefined)
      headers.push('content-length', request.headers['content-length']);
    const answerMs = options.timeoutMs ?? (isUpload ? forwardUploadTimeoutMs : limits.forwardTimeoutMs);
    const mayRepeat = !isUpload && (idempotent.has(method) || (several && vote.test(path)));
    const attempt = (number: number): void => {
      const upstream = order[number % order.length]!;
      let isSent = false;
      let expected = NaN;
      let failure: { readonly status: number; readonly retryAfter: string | undefined } | null = null;
      const call = {
        ...{ path, method, headers, headersTimeout: answerMs, bodyTimeout: answerMs },
        // Read only once a connection is established, and left open so that a failure can be answered.
        body: isUpload ? (request.iterator({ destroyOnReturn: false }) as unknown as Readable) : body,
      };
      upstream.pool.dispatch(call, {
        onRequestStart(controller) {
          isSent = true;
          const stop = () => {
            // The client disconnected: the rest of its response must not reach another client.
            if (!response.writableFinished) controller.abort(new Error('The client disconnected.'));
          };
          if (response.destroyed) stop();
          else response.once('close', stop);
        },
        onResponseStart(_, status, answered) {
          if (status < 200) return;
          if (page && status >= 400 && !answered['content-type']?.includes('text/html')) {
            failure = { status, retryAfter: answered['retry-after'] as string | undefined };
            return;
          }
          expected = Number(answered['content-length']);
          // An upload that was refused early is not read to its end.
          const close = request.complete ? [] : ['Connection', 'close'];
          const always = page?.headers(answered) ?? alwaysHeaders;
          response.writeHead(status, [...answerHeaders(answered), ...close, ...always]);
        },
        onResponseData(controller, chunk) {
          if (failure) return;
          // Node sends a text together with the head.
          if (chunk.length === expected) response.end(chunk.toString('latin1'), 'latin1');
          else if (!response.write(chunk)) {
            // A slow client slows the API down instead of filling our memory.
            controller.pause();
            response.once('drain', () => controller.resume());
          }
        },
        onResponseEnd() {
          if (failure) page!.failed(failure.status, failure.retryAfter);
          else if (!response.writableEnded) response.end();
        },
        onResponseError(_, error) {
          if (response.headersSent) response.destroy();
          if (response.destroyed) return;
          const reason = reasonOf(error);
          const isUnsent = !isSent && reason !== 'broken';
          if (isUnsent) upstream.unreachableUntil = performance.now() + skipUnreachableMs;
          const again = isUnsent ? several : mayRepeat && reason !== 'timeout';
          // Each service once, then the first again: only its idle connection may have been broken.
          if (again && number < order.length) attempt(number + 1);
          else refuse(response, reason, page);
        },
      });
    };
    attempt(0);
  };

  return {
    forward(request, response, page) {
      request.headers[requestIdHeader] = requestIdOf(request, options.isProxy);
      const length = request.headers['content-length'];
      const chunked = request.headers['transfer-encoding'] !== undefined;
      if (chunked || Number(length ?? 0) > limits.jsonBodyBytes) {
        send(request, response, 'upload', page);
        return;
      }
      if (length === undefined || length === '0') {
        send(request, response, null, page);
        return;
      }
      const expected = Number(length);
      const parts: Buffer[] = [];
      let received = 0;
      const late = setTimeout(() => request.destroy(), options.jsonBodyMs);
      request.on('data', (part: Buffer) => {
        parts.push(part);
        received += part.length;
        if (received === expected) {
          clearTimeout(late);
          send(request, response, parts.length === 1 ? part : Buffer.concat(parts, received), page);
        }
      });
      request.once('close', () => clearTimeout(late));
    },
    close() {
      for (const { pool } of upstreams) void pool.destroy();
    },
  };
}
