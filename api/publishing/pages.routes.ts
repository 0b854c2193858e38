import type { Context, Middleware } from 'koa';
import * as limits from '#contract/limits.ts';
import type { PageAnswer } from '#api/publishing/page-data/page-data.contract.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { isApiAddress } from '#contract/route.ts';
import { errorOf, errors } from '#platform/errors.ts';
import type { Logger } from '#platform/logger.ts';
import { headerOf, rateLimit } from '#platform/middleware.ts';
import type { RequestState } from '#platform/middleware.ts';
import { bodyReader } from '#platform/request-body.ts';
import { forwardedAddress } from '#platform/trusted-proxies.ts';
import { RendererEnded } from './renderer.ts';
import type { Renderer } from './renderer.ts';

/** Pages rendered at once; their own calls of the API must find free connections to the database. */
const atOnce = 8;
/** Visitors who may wait for one of them. */
const waitingAtMost = 200;
/** Milliseconds between checks for a new code build. */
const checkMs = 1_000;

interface PagesContext {
  /** The folder of the code build whose pages are served; null before the first publish. */
  readonly servedCode: () => string | null;
  readonly start: (codeFolder: string) => Promise<Renderer>;
  readonly log: Logger;
  readonly isLimited: boolean;
}

/** What other features do about pages. */
export interface PageHooks {
  /** Whether a token opens the preview of a poll. */
  readonly isPreview: (pollId: string, token: string) => boolean;
  /** Counts that a page embeds an open poll or report. */
  readonly countEmbed: (pollId: string, referrer: string) => void;
}

/** Answers requests for pages that are not saved, which the site service forwards. */
export interface Pages {
  serve(hooks: PageHooks): Middleware;
  close(): Promise<void>;
}

/** A poll’s page, its preview, and the pages that other sites embed. */
const ofPoll = /^(\/embed)?\/poll\/([\w-]+)(?:\/(?:preview|vote))?$/;

const readForm = bodyReader('text', limits.voteFormBytes);

/** Its renderer starts with the first request, ends when idle, and is replaced when another code build is served. */
export function servePages({ servedCode, start, log, isLimited }: PagesContext): Pages {
  let running: { readonly folder: string; readonly renderer: Promise<Renderer> } | null = null;
  let checkedAt = -Infinity;
  let rendering = 0;
  const waiting: (() => void)[] = [];
  const limit = rateLimit(rateLimits.read);

  const close = async () => {
    const ended = running;
    running = null;
    await ended?.renderer.then(
      (renderer) => renderer.close(),
      () => undefined,
    );
  };
  const current = (): Promise<Renderer> => {
    const now = performance.now();
    if (running !== null && now - checkedAt < checkMs) return running.renderer;
    checkedAt = now;
    const folder = servedCode();
    if (folder === null) throw new RendererEnded('There is no code build yet.');
    if (running?.folder !== folder) {
      // What it renders has seconds to finish.
      const earlier = running?.renderer;
      if (earlier)
        setTimeout(() => void earlier.then((one) => one.close()).catch(() => undefined), limits.drainMs).unref();
      const renderer = start(folder);
      running = { folder, renderer };
      renderer.catch(() => {
        if (running?.renderer === renderer) running = null;
      });
    }
    return running.renderer;
  };
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (rendering >= atOnce) {
      if (waiting.length >= waitingAtMost) throw errors.overloaded();
      await new Promise<void>((begin) => waiting.push(begin));
    } else rendering += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else rendering -= 1;
    }
  };
  const answered = async (ctx: Context, isPreview: PageHooks['isPreview']): Promise<PageAnswer | null> => {
    const { isProxy } = ctx.state as RequestState;
    const address = forwardedAddress(ctx.req.socket.remoteAddress ?? '', headerOf(ctx.req, 'x-forwarded-for'), isProxy);
    const body = ctx.method === 'POST' ? ((await readForm(ctx))?.raw ?? null) : null;
    const headers = { ...ctx.req.headers };
    for (const name of ['x-forwarded-for', 'content-length', 'transfer-encoding'])
      Reflect.deleteProperty(headers, name);
    // A HEAD request has the headers of a GET.
    const method = ctx.method === 'POST' ? 'POST' : 'GET';
    const [, , pollId = ''] = ofPoll.exec(ctx.path) ?? [];
    const { preview } = ctx.query;
    const previewOf = typeof preview === 'string' && isPreview(pollId, preview) ? pollId : null;
    const request = { method, url: ctx.url, headers: headers as Record<string, string>, body, address, previewOf };
    return inTurn(async () => (await current()).respond(request));
  };

  return {
    serve: (hooks) => async (ctx, next) => {
      if (isApiAddress(ctx.path) || !['GET', 'HEAD', 'POST'].includes(ctx.method)) {
        await next();
        return;
      }
      const state = ctx.state as RequestState;
      state.isFrequent = true;
      if (isLimited) await limit(ctx);
      let page: PageAnswer | null;
      try {
        page = await answered(ctx, hooks.isPreview);
      } catch (error) {
        if (!(error instanceof RendererEnded)) throw error;
        log.error({ reason: errorOf(error).message, requestId: state.requestId }, 'a page could not be rendered');
        throw errors.pageUnavailable();
      }
      const [, embedded, pollId] = ofPoll.exec(ctx.path) ?? [];
      if (embedded !== undefined && page?.status === 200) hooks.countEmbed(pollId!, ctx.get('referer'));
      // The site service has a page that says so.
      const { status, headers, body } = page ?? { status: 404, headers: [], body: Buffer.from('Not found') };
      for (const [name, value] of headers) ctx.append(name, value);
      ctx.status = status;
      ctx.body = body;
      if (page !== null && !headers.some(([name]) => name === 'content-type')) ctx.remove('content-type');
    },
    close,
  };
}
