import type { Context } from 'koa';
import { communityCategories } from '#contract/vocabulary.ts';
import * as limits from '#contract/limits.ts';
import { tidyCommunityPoll } from '#domain/community-poll-rules.ts';
import type { Attempts } from '#platform/attempts.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { errors } from '#platform/errors.ts';
import { firstOrNew, keyedRequest } from '#platform/idempotency.ts';
import { clientAddress } from '#platform/middleware.ts';
import { voterOf } from '#api/voting/voter.ts';
import { communityPollFor, createdPolls, featuredList, publicListPage } from './community-polls.service.ts';
import type { CommunityContext } from './community-polls.service.ts';
import { checkNewPoll, createCommunityPoll } from './creation.service.ts';
import { closeCommunityPoll, deleteCommunityPoll } from './ending.service.ts';

/** What the calls about community polls stand on. */
export interface CommunityRoutesContext extends CommunityContext {
  readonly attempts: Attempts;
}

/** Lists, making, seeing and ending of community polls. */
export function mountCommunityPolls(router: EndpointRouter, context: CommunityRoutesContext): void {
  const { attempts } = context;

  router
    .mount('featuredCommunityPolls', ({ ctx }) => featuredList(context, voterOf(ctx)))
    .mount('communityCategories', () => Promise.resolve([...communityCategories]))
    .mount('communityPolls', ({ query, ctx, userId }) => {
      const { visibility, limit = limits.communityPageSize, offset = 0, category } = query;
      const page = { limit, offset, category };
      if (visibility !== 'mine') return publicListPage(context, page, voterOf(ctx));
      if (userId === null) throw errors.unauthenticated();
      return createdPolls(context, memberOf(ctx, userId), page);
    })
    .mount(
      'createCommunityPoll',
      async ({ body, userId, ctx }) => {
        const request = keyedRequest(ctx, userId, ['createCommunityPoll', body]);
        return firstOrNew(context.db, request, {
          again: (id) => communityPollFor(context, id, memberOf(ctx, userId)),
          make: async () => {
            checkNewPoll(context, body);
            await attempts.count(
              [
                ['createPoll', userId],
                ['createPollFromAddress', clientAddress(ctx)],
              ],
              errors.rateLimited,
            );
            return createCommunityPoll(context, userId, body, request);
          },
        });
      },
      { normalize: tidyCommunityPoll },
    )
    .mount('communityPoll', ({ params, ctx }) => communityPollFor(context, params.id, voterOf(ctx)))
    .mount('closeCommunityPoll', ({ params, ctx, userId }) =>
      closeCommunityPoll(context, params.id, memberOf(ctx, userId)),
    )
    .mount('deleteCommunityPoll', async ({ params, userId }) => {
      await deleteCommunityPoll(context, params.id, userId);
      return undefined;
    });
}

/** The signed-in person as a voter. */
function memberOf(ctx: Context, userId: string) {
  return { fingerprint: null, cookie: null, ...voterOf(ctx), userId };
}
