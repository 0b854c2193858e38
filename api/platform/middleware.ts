import type { Context, Middleware } from 'koa';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { ErrorBody } from '#contract/error-codes.ts';
import { routes } from '#contract/routes.ts';
import { serverLimits } from '#contract/server-limits.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { errorTexts } from '#texts/errors.ts';
import { databaseFailure } from './database-failure.ts';
import type { DatabaseFailure } from './database-failure.ts';
import { errors, HttpError } from './errors.ts';
import type { Logger } from './logger.ts';
import { shownPath } from './request-log.ts';
import type { RequestState } from './request-log.ts';
import { addressBehind, networkOf } from './nearby.ts';

/** Shapes every failure into the contract's error body; what is unexpected is logged and answered with an id only. */
export function errorBodies(log: Logger): Middleware {
  const tell = databaseTeller(log);
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const failure = databaseFailure(thrown);
      if (failure !== null) tell(thrown, failure, ctx);
      const error = failure === null ? thrown : failure === 'away' ? errors.databaseAway() : errors.databaseHasNoRoom();
      const body = error instanceof HttpError ? shown(error) : hidden(error, ctx, log);
      ctx.status = error instanceof HttpError ? error.status : 500;
      ctx.set('cache-control', 'no-store');
      if (error instanceof HttpError) ctx.set({ ...error.headers });
      (ctx.state as RequestState).refusal = body.code;
      ctx.body = body;
    }
  };
}

/** Says that the database fails: while it does, every call is refused, and one line now and then is enough. */
function databaseTeller(log: Logger) {
  let toldAt = -Infinity;
  return (err: unknown, failure: DatabaseFailure, ctx: Context) => {
    if (performance.now() - toldAt < serverLimits.unavailableToldMs) return;
    toldAt = performance.now();
    const { requestId, call } = ctx.state as RequestState;
    log.error({ err, failure, requestId, call }, unavailableLog[failure]);
  };
}

const unavailableLog = {
  away: 'the database is not responding; requests are refused with 503 until it does',
  'no-room': 'the database can’t write: its disk is full, read-only, or failing; see npm run doctor',
} as const;

/** Refuses a call that has had no answer in time; what it was about to do may still be done. The operator's calls may take long. */
export function answerInTime(ms: number = serverLimits.answerMs): Middleware {
  return async (ctx, next) => {
    if (ctx.path === bulkUploadPath || ctx.get(adminPasswordHeader) !== '') {
      await next();
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, refuse) => {
      timer = setTimeout(() => refuse(errors.tooLate()), ms);
    });
    const done = next();
    // What fails after its refusal concerns nobody any more.
    done.catch(() => undefined);
    try {
      await Promise.race([done, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

const bulkUploadPath = routes.bulkUpload.path;

function shown(error: HttpError): ErrorBody {
  return {
    message: error.message,
    code: error.code,
    ...(error.errors && { errors: [...error.errors] }),
    ...error.extra,
  };
}

function hidden(error: unknown, ctx: Context, log: Logger): ErrorBody {
  const { requestId = '', call } = ctx.state as RequestState;
  log.error({ err: error, requestId, call, path: shownPath(call) }, 'a request failed unexpectedly');
  return { message: errorTexts.INTERNAL_ERROR, code: 'INTERNAL_ERROR', requestId };
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses state-changing calls that a browser sent from another site: Sec-Fetch-Site where the browser says it,
 * else Origin against the public address and the host that was asked. Programs send neither and pass.
 */
export function sameSiteWrites(publicUrl: string): Middleware {
  const publicOrigin = new URL(publicUrl).origin;
  return (ctx, next) => {
    if (!safeMethods.has(ctx.method)) {
      const site = ctx.get('sec-fetch-site');
      const origin = ctx.get('origin');
      if (site !== '' ? site !== 'same-origin' && site !== 'none' : origin !== '' && !isOurs(origin, publicOrigin, ctx))
        throw errors.forbiddenOrigin();
    }
    return next();
  };
}

function isOurs(origin: string, publicOrigin: string, ctx: Context): boolean {
  if (origin === publicOrigin) return true;
  const host = ctx.get('x-forwarded-host') || ctx.get('host');
  return URL.canParse(origin) && new URL(origin).host === host;
}

/**
 * The address that a limit counts: the socket's, or, when that is a proxy of ours, what stands behind it (decision
 * 032). IPv6 addresses count by /64, because one household has that many.
 */
export function clientAddress(ctx: Context): string {
  const { isProxy } = ctx.state as RequestState;
  return networkOf(addressBehind(ctx.req.socket.remoteAddress ?? '', ctx.get('x-forwarded-for'), isProxy));
}

/** At most `points` calls in `seconds`, of each address or of whatever `countBy` says; more is 429 with Retry-After. */
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

/** The wide limit on reading calls; calls that write have narrower ones of their own. */
export function rateLimitReads(): Middleware {
  const limit = rateLimit(serverLimits.rate.read);
  return async (ctx, next) => {
    if (safeMethods.has(ctx.method) && ctx.path !== '/api/health') await limit(ctx);
    await next();
  };
}
