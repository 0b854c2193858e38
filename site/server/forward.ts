import { request as requestHttp } from 'node:http';
import type { IncomingMessage, RequestOptions, ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream';
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
import { ApiConnection } from './api-connection.ts';
import type { Exchange } from './api-connection.ts';

/** `forwardTimeoutMs` for a large body: a file of polls is answered once all of it is imported. */
const forwardUploadTimeoutMs = 300_000;
/** Milliseconds in which a connection to one of several API services must be established. */
const apiConnectMs = 2_000;
/** Milliseconds for which an unreachable API service is skipped: longer than a connection may take. */
const skipUnreachableMs = 5_000;

/** Forwards requests to the API. */
export interface Forwarder {
  forward(request: IncomingMessage, response: ServerResponse): void;
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

/** Hop-by-hop headers, and those that only this server may set. */
const ownHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'content-length',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]);

const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
/** A repeated vote counts once: the second response says which option was recorded. */
const vote = /^\/api\/(polls|community-polls)\/[A-Za-z0-9_-]+\/vote$/;

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

/** One API service and the open connections to it. */
class ApiUpstream {
  readonly isHttps: boolean;
  readonly host: string;
  readonly port: number;
  readonly #timeouts: { readonly answerMs: number; readonly connectMs: number };
  readonly #idle: ApiConnection[] = [];
  readonly #open = new Set<ApiConnection>();
  #unreachableUntil = -Infinity;

  constructor(origin: string, timeouts: { readonly answerMs: number; readonly connectMs: number }) {
    const { protocol, port, hostname } = new URL(origin);
    this.isHttps = protocol === 'https:';
    this.port = Number(port || (this.isHttps ? 443 : 80));
    this.host = hostname.replace(/^\[|\]$/g, '');
    this.#timeouts = timeouts;
  }

  /** Whether a connection failed a moment ago; then the other services are tried first. */
  get isUnreachable(): boolean {
    return performance.now() < this.#unreachableUntil;
  }

  markUnreachable(): void {
    this.#unreachableUntil = performance.now() + skipUnreachableMs;
  }

  /** A free connection: an idle one, unless a fresh one is requested. */
  connection(fresh: boolean): ApiConnection {
    while (!fresh) {
      const candidate = this.#idle.pop();
      if (!candidate) break;
      if (candidate.isUsable && performance.now() - candidate.idleSince < candidate.keepAliveMs) return candidate;
      candidate.close();
    }
    const opened = new ApiConnection({
      host: this.host,
      port: this.port,
      ...this.#timeouts,
      onIdle: (free) => {
        free.idleSince = performance.now();
        this.#idle.push(free);
      },
      onClose: (closed) => {
        this.#open.delete(closed);
        const index = this.#idle.indexOf(closed);
        if (index >= 0) this.#idle.splice(index, 1);
      },
    });
    this.#open.add(opened);
    return opened;
  }

  close(): void {
    for (const one of this.#open) one.close();
  }
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
  const alwaysNames = new Set(alwaysHeaders.filter((_, place) => place % 2 === 0).map((name) => name.toLowerCase()));
  const several = options.apiOrigins.length > 1;
  const connectMs = several ? Math.min(timeoutMs, apiConnectMs) : timeoutMs;
  const upstreams = options.apiOrigins.map((origin) => new ApiUpstream(origin, { answerMs: timeoutMs, connectMs }));
  /** In the configured order, but with those that could not be reached a moment ago last. */
  const failoverOrder = (): readonly ApiUpstream[] =>
    several
      ? [...upstreams.filter((one) => !one.isUnreachable), ...upstreams.filter((one) => one.isUnreachable)]
      : upstreams;

  const headersOf = (request: IncomingMessage, client: Client): [string, string][] => {
    const { headers } = request;
    const named = headers.connection?.toLowerCase();
    const alsoDropped =
      named === undefined || named === 'keep-alive' || named === 'close'
        ? null
        : new Set(named.split(',').map((name) => name.trim()));
    const kept: [string, string][] = [];
    for (const name in headers) {
      if (ownHeaders.has(name) || alsoDropped?.has(name)) continue;
      kept.push([name, headers[name] as string]);
    }
    kept.push(
      ['x-forwarded-for', client.address],
      ['x-forwarded-proto', client.proto],
      ['x-forwarded-host', client.host],
    );
    return kept;
  };

  const refuse = (response: ServerResponse, reason: string) => {
    const requestId = response.req.headers[requestIdHeader] as string;
    onFailure(reason, requestId);
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const body: ErrorBody = { message: errorTexts.API_UNREACHABLE, code: 'API_UNREACHABLE', requestId };
    const text = JSON.stringify(body);
    const status = reason === 'unreachable' ? 503 : reason === 'timeout' ? 504 : 502;
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

  const sendWhole = (request: IncomingMessage, response: ServerResponse, body: Buffer | null): void => {
    const { method = 'GET', url = '/' } = request;
    const client = clientOf(request, publicProto, options.isProxy);
    const order = failoverOrder();
    let head = `${method} ${url} HTTP/1.1\r\n`;
    for (const [name, value] of headersOf(request, client)) head += `${name}: ${value}\r\n`;
    if (body !== null) head += `content-length: ${body.length}\r\n`;
    head += '\r\n';
    const mayRepeat = idempotent.has(method) || (several && vote.test(url));
    const attempt = (number: number): void => {
      const upstream = order[number % order.length]!;
      const exchange: Exchange = {
        response,
        method,
        alwaysHeaders,
        alwaysNames,
        onFailure(reason, fate) {
          if (fate === 'not-sent') upstream.markUnreachable();
          const again =
            fate === 'not-sent' ? several : mayRepeat && reason !== 'timeout' && (several || fate === 'idle');
          // Each service once, then the first again: only its idle connection may have been broken.
          if (again && number < order.length && !response.destroyed) attempt(number + 1);
          else refuse(response, reason);
        },
      };
      upstream.connection(number >= order.length).send(exchange, head, body);
    };
    attempt(0);
  };

  const stream = (request: IncomingMessage, response: ServerResponse, number = 0): void => {
    const length = request.headers['content-length'];
    // Always explicit: Node would send the body of a GET unframed, and the API would read it as the next request.
    const chunked = request.headers['transfer-encoding'] !== undefined;
    const framing = chunked ? ['transfer-encoding', 'chunked'] : length === undefined ? [] : ['content-length', length];
    const client = clientOf(request, publicProto, options.isProxy);
    const target = failoverOrder()[0]!;
    const call: RequestOptions = {
      host: target.host,
      port: target.port,
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: [...headersOf(request, client), framing].flat(),
      timeout: options.timeoutMs ?? forwardUploadTimeoutMs,
    };
    const upstream = (target.isHttps ? requestHttps : requestHttp)(call);
    let started = false;
    const start = () => {
      started = true;
      request.pipe(upstream);
    };
    upstream.on('timeout', () => upstream.destroy(new Error('timeout')));
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      if (!started && !response.destroyed) {
        target.markUnreachable();
        // None of the body has been read: the next service can receive all of it.
        if (number + 1 < upstreams.length) {
          response.off('close', onClientGone);
          stream(request, response, number + 1);
          return;
        }
      }
      refuse(
        response,
        error.code === 'ECONNREFUSED' ? 'unreachable' : error.message === 'timeout' ? 'timeout' : 'broken',
      );
    });
    upstream.on('response', (answer) => {
      const headers: string[] = [];
      for (let i = 0; i < answer.rawHeaders.length; i += 2) {
        const name = answer.rawHeaders[i]!;
        const lower = name.toLowerCase();
        if (ownHeaders.has(lower) && lower !== 'content-length') continue;
        if (!alwaysNames.has(lower) && lower !== 'date') headers.push(name, answer.rawHeaders[i + 1]!);
      }
      // An upload that was refused early is not read to its end.
      if (!request.complete) headers.push('Connection', 'close');
      response.writeHead(answer.statusCode ?? 502, [...headers, ...alwaysHeaders]);
      pipeline(answer, response, () => undefined);
    });
    const onClientGone = () => {
      if (!response.writableFinished) upstream.destroy();
    };
    response.once('close', onClientGone);
    upstream.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', start);
      else start();
    });
  };

  return {
    forward(request, response) {
      request.headers[requestIdHeader] = requestIdOf(request, options.isProxy);
      const length = request.headers['content-length'];
      const chunked = request.headers['transfer-encoding'] !== undefined;
      if (upstreams.some(({ isHttps }) => isHttps) || chunked || Number(length ?? 0) > limits.jsonBodyBytes) {
        stream(request, response);
        return;
      }
      if (length === undefined || length === '0') {
        sendWhole(request, response, length === undefined ? null : Buffer.alloc(0));
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
          sendWhole(request, response, parts.length === 1 ? part : Buffer.concat(parts, received));
        }
      });
      request.once('close', () => clearTimeout(late));
    },
    close() {
      for (const upstream of upstreams) upstream.close();
    },
  };
}
