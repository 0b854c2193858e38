import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import type { Clock } from '#platform/clock.ts';
import type { Witness } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { errors } from '#platform/errors.ts';
import {
  authorizeLog,
  ballotsFileOf,
  pollConsistency,
  pollInclusion,
  pollIntegrity,
  pollSiteEntries,
  siteConsistency,
} from './proofs.service.ts';
import { publishedLogFile } from './published-log.service.ts';

interface LogRoutesContext {
  readonly db: Database;
  readonly clock: Clock;
  /** Witnesses that this site asks for cosignatures. */
  readonly witnesses: readonly Witness[];
}

/** The endpoints of the vote logs. */
export function mountIntegrityLog(router: EndpointRouter, context: LogRoutesContext): void {
  router
    .mount('siteConsistency', ({ query: { from, origin } }) => siteConsistency(context, Number(from), origin))
    .mount('pollIntegrity', async ({ params: { id }, query: { from }, userId }) => {
      await authorizeLog(context, id, userId);
      return pollIntegrity(context, id, Number(from ?? 0));
    })
    .mount('pollInclusion', async ({ params: { id }, query: { leaf, after }, userId }) => {
      await authorizeLog(context, id, userId);
      return pollInclusion(context, id, leaf!, Number(after ?? 0));
    })
    .mount('pollConsistency', async ({ params: { id }, query: { from }, userId }) => {
      await authorizeLog(context, id, userId);
      return pollConsistency(context, id, Number(from));
    })
    .mount('pollSiteEntries', async ({ params: { id }, query: { from }, userId }) => {
      await authorizeLog(context, id, userId);
      return pollSiteEntries(context, id, Number(from ?? 0));
    })
    .mount('pollBallots', async ({ params: { id, version }, userId, ctx }) => {
      await authorizeLog(context, id, userId);
      const { bytes, parts } = await ballotsFileOf(context, id, Number(version));
      ctx.set({ 'content-encoding': 'gzip', 'content-disposition': `attachment; filename="${id}-${version}.txt"` });
      ctx.type = 'text/plain; charset=utf-8';
      ctx.length = bytes;
      ctx.body = Readable.from(parts, { objectMode: false });
      ctx.status = 200;
      return undefined;
    });
}

/** Serves `/integrity/key` and the site-wide logs as C2SP tlog-tiles under `/integrity/log/`. */
export function servePublishedLog(context: LogRoutesContext): Middleware {
  return async (ctx: Context, next) => {
    if (ctx.path !== '/integrity/key' && !ctx.path.startsWith('/integrity/log/')) {
      await next();
      return;
    }
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw errors.methodNotAllowed('GET, HEAD');
    const file = await publishedLogFile(context, ctx.path.slice('/integrity/'.length));
    if (file === null) throw errors.notFound();
    ctx.type = file.type;
    // Tiles never change; a checkpoint is replaced by the next one.
    ctx.set(
      'cache-control',
      file.isFinal ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate',
    );
    // Monitors in browsers read it from other sites.
    ctx.set('access-control-allow-origin', '*');
    ctx.body = file.body;
  };
}
