import * as limits from '#contract/limits.ts';
import { normalizeComment } from '#domain/comment-text.ts';
import type { Attempts } from '#platform/attempts.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { errors } from '#platform/errors.ts';
import { firstOrNew, keyedRequest } from '#platform/idempotency.ts';
import { clientAddress } from '#platform/middleware.ts';
import { commentFor, deleteComment, editComment, listComments, postComment, readThread } from './comments.service.ts';
import type { CommentsContext, NetworkDigest } from './comments.service.ts';
import { hideAsCreator } from './moderation.service.ts';

/** What the endpoints of comments need. */
interface CommentRoutesContext extends CommentsContext {
  readonly attempts: Attempts;
  readonly networkDigest: NetworkDigest;
}

/** The endpoints of comments. Members and addresses have separate limits, since many members can share an address. */
export function mountComments(router: EndpointRouter, context: CommentRoutesContext): void {
  const { db, attempts, networkDigest } = context;

  router
    .mount('comments', ({ params, query, userId }) =>
      listComments(context, params.id, { ...query, limit: query.limit ?? limits.commentPageSize }, userId),
    )
    .mount('comment', ({ params, userId }) => readThread(context, params.id, params.commentId, userId))
    .mount(
      'createComment',
      async ({ params, body, userId, ctx }) => {
        const request = keyedRequest(ctx, userId, ['createComment', params.id, body]);
        return firstOrNew(db, request, {
          again: (commentId) => commentFor(context, params.id, commentId, userId),
          make: async () => {
            await attempts.count(
              [
                ['comment', userId],
                ['commentFromAddress', clientAddress(ctx)],
              ],
              errors.rateLimited,
            );
            const network = await networkDigest(clientAddress(ctx));
            return postComment(context, params.id, userId, body, { request, network });
          },
        });
      },
      { normalize: normalizeComment },
    )
    .mount(
      'editComment',
      async ({ params: { id: pollId, commentId }, body, userId, ctx }) => {
        await attempts.count(
          [
            ['comment', userId],
            ['commentFromAddress', clientAddress(ctx)],
          ],
          errors.rateLimited,
        );
        return editComment(context, { pollId, commentId, userId }, body.content);
      },
      { normalize: normalizeComment },
    )
    .mount('deleteComment', async ({ params, userId }) => {
      await deleteComment(context, params.id, params.commentId, userId);
      return undefined;
    })
    .mount('hideOwnComment', async ({ params: { id: pollId, commentId }, body, userId }) => {
      await hideAsCreator(context, { pollId, commentId, userId }, body.hidden);
      return undefined;
    });
}
