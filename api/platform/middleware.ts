import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { EndpointName } from '#api/endpoints.contract.ts';
import type { ErrorBody, ErrorCode } from '#contract/error-codes.ts';
import { routes } from '#api/routes.contract.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { errorTexts } from '#texts/errors.ts';
import { hasClientLeft } from './client-left.ts';
import { withTimeout } from './clock.ts';
import { databaseFailure } from './database.ts';
import type { DatabaseFailure } from './database.ts';
import { errors, HttpError } from './errors.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { forwardedAddress, networkOf, requestIdHeader, requestIdOf } from './trusted-proxies.ts';
import type { IsProxy } from './trusted-proxies.ts';

/** What the middleware records about a request. */
export interface RequestState {
  requestId?: string;
  /** Whether an address is a trusted proxy, whose `X-Forwarded-For` counts. */
  isProxy?: IsProxy;
  /** The endpoint that handles it. */
  call?: EndpointName;
  /** Whether the endpoint is one of the most frequent ones, whose successes are not logged. */
  isFrequent?: boolean;
  /** The code of the error response. */
  refusal?: ErrorCode;
}

/** Milliseconds after which a response is logged as a warning; not for uploads, nor for frequent requests, which get slow together. */
const slowMs = 2_000;

/**
 * Outermost middleware: assigns the request id, counts the response, and logs it. Successful reads, accepted frequent
 * requests, and requests refused by a limit are logged at `debug` only, so that a flood of requests does not flood the log.
 * While the service is draining, each response closes its connection.
 */
export function requestLog(context: {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly isDraining: () => boolean;
  readonly isProxy: IsProxy;
}): Middleware {
  const { log, metrics, isDraining, isProxy } = context;
  const logsAll = log.level === 'debug' || log.level === 'trace';
  return async (ctx, next) => {
    const started = performance.now();
    const state = ctx.state as RequestState;
    const requestId = requestIdOf(ctx.req, isProxy);
    state.requestId = requestId;
    state.isProxy = isProxy;
    ctx.res.setHeader(requestIdHeader, requestId);
    await next();
    if (isDraining()) ctx.set('connection', 'close');
    const ms = performance.now() - started;
    const { call, refusal } = state;
    metrics.answered(call, ctx.res.statusCode, refusal, ms / 1_000);
    const level = levelOf(ctx.req.method, ctx.res.statusCode, state, ms);
    if (level === 'debug' && !logsAll) return;
    const { method, status } = ctx;
    const path = loggedPath(call);
    const words = [method, path, status, refusal, 'in', Math.round(ms), 'ms'].filter((word) => word !== undefined);
    log[level]({ requestId, call, method, path, status, code: refusal, ms: Math.round(ms) }, words.join(' '));
  };
}

function levelOf(
  method: string | undefined,
  status: number,
  { call, refusal, isFrequent }: RequestState,
  ms: number,
): 'debug' | 'info' | 'warn' {
  // Expected in large numbers while the service is overloaded, draining, or without its database.
  if (refusal === 'OVERLOADED' || refusal === 'UNAVAILABLE' || call === 'health') return 'debug';
  if (status >= 500 || (ms > slowMs && call !== 'bulkUpload' && !isFrequent)) return 'warn';
  if (refusal !== undefined) return status === 429 ? 'debug' : 'info';
  return method === 'GET' || method === 'HEAD' || isFrequent ? 'debug' : 'info';
}

/** The path of an endpoint as logged: without ids, since the link to an unlisted poll is a secret. */
const loggedPath = (call: EndpointName | undefined): string =>
  call === undefined ? '(unknown address)' : routes[call].path;

/** Turns every failure into the contract's error body; an unexpected one is logged, and its response contains only an id. */
export function errorBodies(log: Logger): Middleware {
  const logDatabaseFailure = databaseFailureLogger(log);
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const hasLeft = hasClientLeft(ctx.req);
      const failure = hasLeft ? null : databaseFailure(thrown);
      if (failure !== null) logDatabaseFailure(thrown, failure, ctx);
      const error = hasLeft
        ? errors.badRequest(errorTexts.BAD_REQUEST)
        : failure === null
          ? thrown
          : failure === 'unavailable'
            ? errors.databaseUnavailable()
            : errors.databaseNotWritable();
      const body = error instanceof HttpError ? publicBody(error) : internalBody(error, ctx, log);
      ctx.status = error instanceof HttpError ? error.status : 500;
      ctx.set('cache-control', 'no-store');
      if (error instanceof HttpError) ctx.set({ ...error.headers });
      (ctx.state as RequestState).refusal = body.code;
      ctx.body = body;
    }
  };
}

/** Codes of errors of a connection that its client has ended. */
const endedCodes = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'HPE_INVALID_EOF_STATE']);

/** Logs errors of connections, except that a client has ended one, such as that of a long download. */
export function connectionLog(log: Logger): (error: unknown) => void {
  return (error) => {
    const { code = '' } = error as NodeJS.ErrnoException;
    const isEnded = endedCodes.has(code);
    log[isEnded ? 'debug' : 'error']({ err: error }, isEnded ? 'a client ended its connection' : 'a connection failed');
  };
}

/** Milliseconds between two log lines about a failing database. */
const databaseFailureLogMs = 10_000;

/** Logs that the database fails, at most once per interval: while it does, every request is refused. */
function databaseFailureLogger(log: Logger) {
  let loggedAt = -Infinity;
  return (err: unknown, failure: DatabaseFailure, ctx: Context) => {
    if (performance.now() - loggedAt < databaseFailureLogMs) return;
    loggedAt = performance.now();
    const { requestId, call } = ctx.state as RequestState;
    log.error({ err, failure, requestId, call }, unavailableLog[failure]);
  };
}

const unavailableLog = {
  unavailable: 'the database is not responding; requests are refused with 503 until it does',
  'not-writable': 'the database can’t write: its disk is full, read-only, or failing; see npm run doctor',
} as const;

/** Milliseconds within which every request but the operator's is answered. */
const requestTimeoutMs = 15_000;

/** Answers a request that takes too long with an error; its work may still complete. The operator's requests have no timeout. */
export function requestTimeout(ms = requestTimeoutMs): Middleware {
  return (ctx, next) =>
    uploadPaths.has(ctx.path) || ctx.path.startsWith('/api/admin/')
      ? next()
      : withTimeout(ms, next(), errors.requestTimeout);
}

/** A slow connection takes longer to upload a file. */
const uploadPaths = new Set<string>(
  [
    ...[routes.bulkUpload, routes.importPreview, routes.rejectedRows, routes.fetchSpreadsheet],
    ...[routes.uploadPicture, routes.uploadContentImage],
  ].map(({ path }) => path),
);

function publicBody(error: HttpError): ErrorBody {
  return {
    message: error.message,
    code: error.code,
    ...(error.errors && { errors: [...error.errors] }),
    ...error.extra,
  };
}

function internalBody(error: unknown, ctx: Context, log: Logger): ErrorBody {
  const { requestId = '', call } = ctx.state as RequestState;
  log.error({ err: error, requestId, call, path: loggedPath(call) }, 'a request failed unexpectedly');
  return { message: errorTexts.INTERNAL_ERROR, code: 'INTERNAL_ERROR', requestId };
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses state-changing requests that a browser sent from another site: by Sec-Fetch-Site if present, otherwise by
 * comparing Origin with the public URL and the requested host. Programs send neither header and pass.
 */
export function sameSiteWrites(publicUrl: string): Middleware {
  const publicOrigin = new URL(publicUrl).origin;
  return (ctx, next) => {
    if (!safeMethods.has(ctx.req.method ?? '')) {
      const site = headerOf(ctx.req, 'sec-fetch-site');
      const origin = headerOf(ctx.req, 'origin');
      if (
        site !== ''
          ? site !== 'same-origin' && site !== 'none'
          : origin !== '' && !isSameOrigin(origin, publicOrigin, ctx)
      )
        throw errors.forbiddenOrigin();
    }
    return next();
  };
}

function isSameOrigin(origin: string, publicOrigin: string, ctx: Context): boolean {
  if (origin === publicOrigin) return true;
  const host = ctx.get('x-forwarded-host') || ctx.get('host');
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** A header of a request; empty if there is none. Koa’s `get` finds the same less directly, and votes need many. */
export function headerOf({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

/**
 * The address that limits count by: the socket's, or, if that is a trusted proxy's, the one it forwards for (handbook
 * decision 033). IPv6 addresses count by /64, because one household has that many.
 */
export function clientAddress(ctx: Context): string {
  const { isProxy } = ctx.state as RequestState;
  return networkOf(forwardedAddress(ctx.req.socket.remoteAddress ?? '', headerOf(ctx.req, 'x-forwarded-for'), isProxy));
}

/** Allows `points` requests in `seconds` per address, or per key of `countBy`; more get 429 with Retry-After. */
export function rateLimit(
  limit: { points: number; seconds: number },
  countBy: (ctx: Context) => string = clientAddress,
): (ctx: Context) => Promise<void> {
  const limiter = new RateLimiterMemory({ points: limit.points, duration: limit.seconds });
  return async (ctx) => {
    try {
      await limiter.consume(countBy(ctx));
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) throw errors.rateLimited(refusal.msBeforeNext / 1000);
      throw refusal;
    }
  };
}

/** The limit on read requests; writes have stricter limits of their own. `isInRoom`: with the code of the poll’s screen. */
export function rateLimitReads(isInRoom: (ctx: Context) => boolean): Middleware {
  // The browsers in a room don’t use up the limit of its screen, behind the same address.
  const byAddress = rateLimit(
    rateLimits.read,
    (ctx) => clientAddress(ctx) + (ctx.path.endsWith('/screen') ? ' screen' : ''),
  );
  const inRoom = rateLimit(rateLimits.readInRoom);
  return async (ctx, next) => {
    if (safeMethods.has(ctx.method) && ctx.path !== '/api/health') await (isInRoom(ctx) ? inRoom : byAddress)(ctx);
    await next();
  };
}
