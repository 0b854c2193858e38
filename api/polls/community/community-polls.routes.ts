import type { Context } from 'koa';
import { communityCategories } from '#contract/vocabulary.ts';
import * as limits from '#contract/limits.ts';
import { normalizeCommunityPoll } from '#domain/community-poll-rules.ts';
import type { Attempts } from '#platform/attempts.ts';
import type { Config } from '#platform/config.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { errors } from '#platform/errors.ts';
import { firstOrNew, keyedRequest } from '#platform/idempotency.ts';
import { clientAddress } from '#platform/middleware.ts';
import { accountSince } from '#platform/session.ts';
import type { Voters } from '#api/voting/voter.ts';
import type { QueryOf } from '#api/endpoints.contract.ts';
import type { ListFilter } from './community-polls.queries.ts';
import { blockAuthor, listBlocks, unblock } from './blocks.service.ts';
import { communityPollFor, featuredList, listCount, listPage } from './community-polls.service.ts';
import { voteStatusFor } from './community-vote.service.ts';
import type { NetworkDigest } from './creation.service.ts';
import { creationLimits } from './creation-limits.ts';
import { checkNewPoll, createCommunityPoll } from './creation.service.ts';
import { editCommunityPoll, editsOf } from './editing.service.ts';
import { closeCommunityPoll, deleteCommunityPoll } from './ending.service.ts';
import { createInviteLink, inviteLinkOf, joinPoll, revokeInviteLink } from './invite-links.service.ts';
import { invite, listInvites, removeInvite } from './invites.service.ts';
import type { InvitingContext } from './invites.service.ts';
import { creatorOf, decideFlag, endDecision, flaggedVotes } from './own-flags.service.ts';
import type { FlagContext } from './own-flags.service.ts';
import { resultsCsv } from './results-csv.service.ts';
import { listAnswers, reviewAnswer } from './write-ins.service.ts';

/** What the endpoints of community polls need. */
interface CommunityRoutesContext extends FlagContext {
  readonly mail: InvitingContext['mail'];
  readonly attempts: Attempts;
  readonly config: Pick<Config, 'publicUrl'>;
  readonly networkDigest: NetworkDigest;
  readonly voters: Voters;
}

/** The endpoints of community polls: lists, creating, reading, closing, voting, and the guests of private polls. */
export function mountCommunityPolls(router: EndpointRouter, context: CommunityRoutesContext): void {
  const { attempts, config, mail, networkDigest, voters } = context;
  /** The signed-in member as a voter. */
  const memberOf = (ctx: Context, userId: string) => ({ device: null, cookie: null, ...voters.of(ctx), userId });
  const voterOf = (ctx: Context, userId: string | null) => (userId === null ? voters.of(ctx) : memberOf(ctx, userId));
  router
    .mount('featuredCommunityPolls', ({ ctx }) => featuredList(context, voters.of(ctx)))
    .mount('communityCategories', () => Promise.resolve([...communityCategories]))
    .mount('communityPolls', ({ query, ctx, userId }) => {
      const { limit = limits.communityPageSize, offset = 0, sort } = query;
      const voter = voterOf(ctx, userId);
      return listPage(context, filterOf(query, userId), { limit, offset }, sort, voter);
    })
    .mount('communityPollCount', async ({ query, ctx, userId }) => ({
      total: await listCount(context, filterOf(query, userId), query.sort, voterOf(ctx, userId)),
    }))
    .mount(
      'createCommunityPoll',
      async ({ body, userId, ctx }) => {
        const request = keyedRequest(ctx, userId, ['createCommunityPoll', body]);
        return firstOrNew(context.db, request, {
          again: (id) => communityPollFor(context, id, memberOf(ctx, userId)),
          make: async () => {
            checkNewPoll(context, body);
            const now = context.clock.now();
            const age = now - (accountSince(ctx, now) ?? now);
            await attempts.count(creationLimits(userId, clientAddress(ctx), age), errors.tooManyPolls);
            const network = await networkDigest(clientAddress(ctx));
            return createCommunityPoll(context, userId, body, { request, network });
          },
        });
      },
      { normalize: normalizeCommunityPoll },
    )
    .mount('communityPoll', ({ params, ctx }) => communityPollFor(context, params.id, voters.of(ctx)))
    .mount(
      'editCommunityPoll',
      async ({ params, body, ctx, userId }) => {
        await attempts.count([['pollEvents', userId]], errors.rateLimited);
        return editCommunityPoll(context, params.id, memberOf(ctx, userId), body);
      },
      { normalize: normalizeCommunityPoll },
    )
    .mount('communityPollEdits', ({ params, userId }) => editsOf(context, params.id, userId))
    .mount('communityPollCsv', async ({ params, userId, ctx }) => {
      ctx.body = await resultsCsv(context, params.id, userId);
      ctx.type = 'text/csv; charset=utf-8';
      ctx.set('content-disposition', `attachment; filename="${params.id}.csv"`);
      return undefined;
    })
    .mount('waitingAnswers', ({ params, userId }) => listAnswers(context, params.id, userId))
    .mount('reviewAnswer', async ({ params, body: { action, into }, userId }) => {
      const review = action === 'merge' ? { action, into: into ?? '' } : { action };
      await reviewAnswer(context, params.id, userId, { id: params.answer, ...review });
      return undefined;
    })
    .mount('closeCommunityPoll', ({ params, ctx, userId }) =>
      closeCommunityPoll(context, params.id, memberOf(ctx, userId)),
    )
    .mount('deleteCommunityPoll', async ({ params, userId }) => {
      await deleteCommunityPoll(context, params.id, userId);
      return undefined;
    })
    .mount('ownFlags', async ({ params, userId }) => {
      await creatorOf(context, params.id, userId);
      return flaggedVotes(context, params.id);
    })
    .mount('decideOwnFlag', async ({ params, body, userId }) =>
      decideFlag(context, params.id, await creatorOf(context, params.id, userId), body),
    )
    .mount('decideOwnVotes', async ({ params: { id, number }, body: { action, note }, userId }) => {
      const by = await creatorOf(context, id, userId);
      await endDecision(context, { ballotId: id, number: Number(number) }, action, { ...by, note });
      return undefined;
    })
    .mount('communityVoteStatus', ({ params, query, ctx }) =>
      voteStatusFor(context, params.id, voters.of(ctx, query.fingerprint ?? '')),
    )
    .mount('invites', ({ params, userId }) => listInvites(context, params.id, userId))
    .mount('invite', async ({ params, body, userId }) => {
      await attempts.count([['invite', userId]], errors.rateLimited);
      return invite({ ...context, mail, attempts }, params.id, userId, body.usernameOrEmail);
    })
    .mount('inviteLink', async ({ params, userId }) => ({
      link: await inviteLinkOf(context, params.id, userId),
      sendsMail: mail.on,
    }))
    .mount('createInviteLink', async ({ params, body, userId }) => {
      await attempts.count([['invite', userId]], errors.rateLimited);
      return createInviteLink(context, params.id, { ...body, userId, publicUrl: config.publicUrl });
    })
    .mount('revokeInviteLink', async ({ params, userId }) => {
      await revokeInviteLink(context, params.id, userId);
      return undefined;
    })
    .mount('joinPoll', async ({ body, userId }) => {
      await attempts.count([['invite', userId]], errors.rateLimited);
      return { id: await joinPoll(context, userId, body.token) };
    })
    .mount('blocks', ({ params, userId }) => listBlocks(context, params.id, userId))
    .mount('blockAuthor', async ({ params, body, userId }) => {
      await blockAuthor(context, params.id, userId, body.commentId);
      return undefined;
    })
    .mount('unblock', async ({ params, userId }) => {
      await unblock(context, params.id, userId, params.userId);
      return undefined;
    })
    .mount('removeInvite', async ({ params, userId }) => {
      await removeInvite(context, params.id, userId, params.userId);
      return undefined;
    });
}

/** The polls that a list has; throws UNAUTHENTICATED for a member’s own lists without a member. */
function filterOf({ visibility, category, state }: QueryOf<'communityPollCount'>, userId: string | null): ListFilter {
  const filter = { category, state };
  if (visibility !== 'mine' && visibility !== 'invited') return { ...filter, of: { visibility: 'public' } };
  if (userId === null) throw errors.unauthenticated();
  return { ...filter, of: visibility === 'mine' ? { createdBy: userId } : { guest: userId } };
}
