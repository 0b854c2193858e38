import type { Context, Middleware } from 'koa';
import type { EndpointName } from '#contract/endpoints.ts';
import type { ErrorCode } from '#contract/error-codes.ts';
import { routes } from '#contract/routes.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import type { IsProxy } from './nearby.ts';
import { requestIdHeader, requestIdOf } from './request-id.ts';

/** What is noted about a request on its way. */
export interface RequestState {
  requestId?: string;
  /** Whose `X-Forwarded-For` counts. */
  isProxy?: IsProxy;
  /** The call of the contract that it is for. */
  call?: EndpointName;
  /** The code of the error that it was answered with. */
  refusal?: ErrorCode;
}

/** Milliseconds after which an answer is worth a warning. An upload may take its time, and slow votes come in crowds. */
const slowMs = 2_000;

/**
 * Stands around everything else: gives each request its id, counts what became of it, and writes a line where somebody may
 * want to read one later. Accepted votes and reads that went well get none unless `debug` asks for all; nor does what a
 * limit refused, so that a flood of requests is not one of lines. While the service ends, connections end with the answer.
 */
export function requestLog(context: {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly isEnding: () => boolean;
  readonly isProxy: IsProxy;
}): Middleware {
  const { log, metrics, isEnding, isProxy } = context;
  const wordy = log.level === 'debug' || log.level === 'trace';
  return async (ctx, next) => {
    const begun = performance.now();
    const state = ctx.state as RequestState;
    const requestId = requestIdOf(ctx.req, isProxy);
    state.requestId = requestId;
    state.isProxy = isProxy;
    ctx.set(requestIdHeader, requestId);
    await next();
    if (isEnding()) ctx.set('connection', 'close');
    const ms = performance.now() - begun;
    const { call, refusal } = state;
    metrics.answered(call, ctx.status, refusal, ms / 1_000);
    const level = levelOf(ctx, state, ms);
    if (level === 'debug' && !wordy) return;
    const { method, status } = ctx;
    const path = shownPath(call);
    const said = [method, path, status, refusal, 'in', Math.round(ms), 'ms'].filter((word) => word !== undefined);
    log[level]({ requestId, call, method, path, status, code: refusal, ms: Math.round(ms) }, said.join(' '));
  };
}

function levelOf({ method, status }: Context, { call, refusal }: RequestState, ms: number): 'debug' | 'info' | 'warn' {
  // They are expected of a service that is at its limit, whose database is away, or about to end, and come in crowds.
  if (refusal === 'OVERLOADED' || refusal === 'UNAVAILABLE' || call === 'health') return 'debug';
  const isVote = call === 'vote' || call === 'communityVote';
  if (status >= 500 || (ms > slowMs && call !== 'bulkUpload' && !isVote)) return 'warn';
  if (refusal !== undefined) return status === 429 ? 'debug' : 'info';
  return method === 'GET' || method === 'HEAD' || isVote ? 'debug' : 'info';
}

/** The path of a call as log lines show it: ids are left out, since a link to an unlisted poll is its only lock. */
export const shownPath = (call: EndpointName | undefined): string =>
  call === undefined ? '(unknown address)' : routes[call].path;
