import type { Context } from 'koa';
import { limits } from '#contract/limits.ts';
import { serverLimits } from '#contract/server-limits.ts';
import { tidyComment } from '#domain/comment-text.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { firstOrNew, keyedRequest } from '#platform/idempotency.ts';
import { rateLimit } from '#platform/middleware.ts';
import { requireUser } from '#platform/signed-in.ts';
import { commentIds } from './comment-id.ts';
import { commentFor, deleteComment, listComments, postComment, reportComment } from './comments.service.ts';

/** What the calls about comments stand on. */
export interface CommentRoutesContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Pick<Config, 'rateLimit'>;
}

/** The calls about comments. A member and an address have limits of their own: many members share an address. */
export function mountComments(router: EndpointRouter, { db, clock, config }: CommentRoutesContext): void {
  const context = { db, clock, newId: commentIds() };
  const { comment, commentFromAddress, report, reportFromAddress } = serverLimits.rate;
  const limited = config.rateLimit
    ? {
        comments: [rateLimit(commentFromAddress), rateLimit(comment, requireUser)],
        reports: [rateLimit(reportFromAddress), rateLimit(report, requireUser)],
      }
    : { comments: [], reports: [] };
  const keep = async (limitsOfCall: readonly ((ctx: Context) => Promise<void>)[], ctx: Context) => {
    for (const limit of limitsOfCall) await limit(ctx);
  };

  router
    .mount('comments', ({ params, query, userId }) =>
      listComments(context, params.id, { limit: query.limit ?? limits.commentPageSize, before: query.before }, userId),
    )
    .mount(
      'createComment',
      async ({ params, body, userId, ctx }) => {
        const request = keyedRequest(ctx, userId, ['createComment', params.id, body]);
        return firstOrNew(db, request, {
          again: (commentId) => commentFor(context, params.id, commentId, userId),
          make: async () => {
            await keep(limited.comments, ctx);
            return postComment(context, params.id, userId, body.content, request);
          },
        });
      },
      { tidy: tidyComment },
    )
    .mount('deleteComment', async ({ params, userId }) => {
      await deleteComment(context, params.id, params.commentId, userId);
      return undefined;
    })
    .mount('reportComment', async ({ params, body, userId, ctx }) => {
      await keep(limited.reports, ctx);
      await reportComment(context, params.id, params.commentId, userId, body.reason);
      return undefined;
    });
}
