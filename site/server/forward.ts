import { request as requestHttp } from 'node:http';
import type { IncomingMessage, RequestOptions, ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream';
import type { ErrorBody } from '#contract/error-codes.ts';
import * as limits from '#contract/limits.ts';
import type { IsProxy } from '#platform/trusted-proxies.ts';
import { requestIdHeader, requestIdOf } from '#platform/trusted-proxies.ts';
import { errorTexts } from '#texts/errors.ts';
import type { Exchange } from './api-connection.ts';
import { ApiService, servicesFor } from './api-services.ts';
import { clientOf } from './client-address.ts';
import type { Client } from './client-address.ts';

/** `forwardTimeoutMs` for a large body: a file of polls is answered once all of it is imported. */
const forwardUploadTimeoutMs = 300_000;
/** Milliseconds in which a connection to one of several API services must be established. */
const apiConnectMs = 2_000;

/** Hands requests on to the API. */
export interface Forwarder {
  forward(request: IncomingMessage, response: ServerResponse): void;
  close(): void;
}

interface ForwarderOptions {
  readonly apiOrigins: readonly string[];
  readonly publicUrl: string;
  readonly alwaysHeaders: readonly string[];
  /** Whose word counts for whom they ask; left out: that of programs on this machine. */
  readonly isProxy?: IsProxy;
  readonly timeoutMs?: number;
  /** Milliseconds that the body of a JSON call may take to arrive. */
  readonly jsonBodyMs: number;
  readonly onFailure: (reason: string, requestId: string) => void;
}

/** Headers that end here: of the connection, and those that only we may write. */
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
/** A vote counts once however often it arrives: the second answer says which option was recorded. */
const vote = /^\/api\/(polls|community-polls)\/[A-Za-z0-9_-]+\/vote$/;

/**
 * Forwards to the API over connections that stay open. Bodies up to the size of a JSON call are sent in one piece;
 * larger ones, and those of unknown size, stream. Where there are several API services, one that cannot be reached is
 * passed over, and what may be asked twice is asked again where an answer broke off (handbook decision 033).
 */
export function createForwarder(options: ForwarderOptions): Forwarder {
  const { alwaysHeaders, onFailure } = options;
  const publicProto = new URL(options.publicUrl).protocol.slice(0, -1);
  const timeoutMs = options.timeoutMs ?? limits.forwardTimeoutMs;
  const alwaysNames = new Set(alwaysHeaders.filter((_, place) => place % 2 === 0).map((name) => name.toLowerCase()));
  const several = options.apiOrigins.length > 1;
  const connectMs = several ? Math.min(timeoutMs, apiConnectMs) : timeoutMs;
  const services = options.apiOrigins.map((origin) => new ApiService(origin, { answerMs: timeoutMs, connectMs }));

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
      // What is left of the request's body must not be taken for the next request.
      ...(response.req.complete ? [] : ['Connection', 'close']),
      ...alwaysHeaders,
    ]);
    response.end(text);
  };

  const sendWhole = (request: IncomingMessage, response: ServerResponse, body: Buffer | null): void => {
    const { method = 'GET', url = '/' } = request;
    const client = clientOf(request, publicProto, options.isProxy);
    const order = servicesFor(services, client.address);
    let head = `${method} ${url} HTTP/1.1\r\n`;
    for (const [name, value] of headersOf(request, client)) head += `${name}: ${value}\r\n`;
    if (body !== null) head += `content-length: ${body.length}\r\n`;
    head += '\r\n';
    const mayRepeat = idempotent.has(method) || (several && vote.test(url));
    const attempt = (number: number): void => {
      const service = order[number % order.length]!;
      const exchange: Exchange = {
        response,
        method,
        alwaysHeaders,
        alwaysNames,
        onFailure(reason, fate) {
          if (fate === 'not-sent') service.rest();
          const again =
            fate === 'not-sent' ? several : mayRepeat && reason !== 'timeout' && (several || fate === 'idle');
          // Once around, and to the first again, whose idle connection may have been all that was wrong.
          if (again && number < order.length && !response.destroyed) attempt(number + 1);
          else refuse(response, reason);
        },
      };
      service.connection(number >= order.length).send(exchange, head, body);
    };
    attempt(0);
  };

  const stream = (request: IncomingMessage, response: ServerResponse, number = 0): void => {
    const length = request.headers['content-length'];
    // Said in any case: Node would send the body of a GET without a frame, and the API would read it as the next request.
    const chunked = request.headers['transfer-encoding'] !== undefined;
    const framing = chunked ? ['transfer-encoding', 'chunked'] : length === undefined ? [] : ['content-length', length];
    const client = clientOf(request, publicProto, options.isProxy);
    const service = servicesFor(services, client.address)[0]!;
    const call: RequestOptions = {
      host: service.host,
      port: service.port,
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: [...headersOf(request, client), framing].flat(),
      timeout: options.timeoutMs ?? forwardUploadTimeoutMs,
    };
    const upstream = (service.isHttps ? requestHttps : requestHttp)(call);
    let begun = false;
    const begin = () => {
      begun = true;
      request.pipe(upstream);
    };
    upstream.on('timeout', () => upstream.destroy(new Error('timeout')));
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      if (!begun && !response.destroyed) {
        service.rest();
        // Nothing of the body has been read: the next service can have all of it.
        if (number + 1 < services.length) {
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
      // A large upload that was refused early is not read to its end.
      if (!request.complete) headers.push('Connection', 'close');
      response.writeHead(answer.statusCode ?? 502, [...headers, ...alwaysHeaders]);
      pipeline(answer, response, () => undefined);
    });
    const onClientGone = () => {
      if (!response.writableFinished) upstream.destroy();
    };
    response.once('close', onClientGone);
    upstream.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', begin);
      else begin();
    });
  };

  return {
    forward(request, response) {
      request.headers[requestIdHeader] = requestIdOf(request, options.isProxy);
      const length = request.headers['content-length'];
      const chunked = request.headers['transfer-encoding'] !== undefined;
      if (services.some(({ isHttps }) => isHttps) || chunked || Number(length ?? 0) > limits.jsonBodyBytes) {
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
      for (const service of services) service.close();
    },
  };
}
