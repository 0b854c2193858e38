import type { Context } from 'koa';
import { communityCategories } from '#contract/vocabulary.ts';
import * as limits from '#contract/limits.ts';
import { normalizeCommunityPoll } from '#domain/community-poll-rules.ts';
import type { Attempts } from '#platform/attempts.ts';
import type { Config } from '#platform/config.ts';
import type { EndpointRouter, Handler } from '#platform/endpoint-router.ts';
import { errors } from '#platform/errors.ts';
import { firstOrNew, keyedRequest } from '#platform/idempotency.ts';
import { clientAddress } from '#platform/middleware.ts';
import type { LimitedVote } from '#api/voting/vote-limits.ts';
import { voterOf, votesWithCookie } from '#api/voting/voter.ts';
import { communityPollFor, createdPolls, featuredList, publicListPage } from './community-polls.service.ts';
import type { CommunityContext } from './community-polls.service.ts';
import { voteStatusFor } from './community-vote.service.ts';
import type { CastCommunityVote } from './community-vote.service.ts';
import { checkNewPoll, createCommunityPoll } from './creation.service.ts';
import { closeCommunityPoll, deleteCommunityPoll } from './ending.service.ts';
import { invite, listInvites, removeInvite } from './invites.service.ts';

/** What the endpoints of community polls need. */
interface CommunityRoutesContext extends CommunityContext {
  readonly attempts: Attempts;
  readonly castCommunityVote: CastCommunityVote;
  readonly limitedVote: LimitedVote;
  readonly config: Pick<Config, 'publicUrl'>;
}

/** The endpoints of community polls: lists, creating, reading, closing, voting, and the guests of private polls. */
export function mountCommunityPolls(router: EndpointRouter, context: CommunityRoutesContext): void {
  const { attempts, castCommunityVote, limitedVote, clock, config } = context;
  const withCookie = votesWithCookie({ clock, publicUrl: config.publicUrl });

  // The specification calls the device id the voter's fingerprint here.
  const vote: Handler<'communityVote'> = async ({ params, body, ctx }) => {
    const deviceId = typeof body.voterFingerprint === 'string' ? body.voterFingerprint : '';
    return limitedVote(ctx, params.id, (counters) =>
      withCookie(ctx, deviceId, (voter) => castCommunityVote(params.id, body.optionId, voter, counters)),
    );
  };

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
      { normalize: normalizeCommunityPoll },
    )
    .mount('communityPoll', ({ params, ctx }) => communityPollFor(context, params.id, voterOf(ctx)))
    .mount('closeCommunityPoll', ({ params, ctx, userId }) =>
      closeCommunityPoll(context, params.id, memberOf(ctx, userId)),
    )
    .mount('deleteCommunityPoll', async ({ params, userId }) => {
      await deleteCommunityPoll(context, params.id, userId);
      return undefined;
    })
    .mount('communityVoteStatus', ({ params, query, ctx }) =>
      voteStatusFor(context, params.id, voterOf(ctx, query.fingerprint ?? '')),
    )
    .mount('communityVote', vote, { direct: true })
    .mount('invites', ({ params, userId }) => listInvites(context, params.id, userId))
    .mount('invite', async ({ params, body, userId }) => {
      await attempts.count([['invite', userId]], errors.rateLimited);
      return invite(context, params.id, userId, body.usernameOrEmail);
    })
    .mount('removeInvite', async ({ params, userId }) => {
      await removeInvite(context, params.id, userId, params.userId);
      return undefined;
    });
}

/** The signed-in member as a voter. */
function memberOf(ctx: Context, userId: string) {
  return { fingerprint: null, cookie: null, ...voterOf(ctx), userId };
}
