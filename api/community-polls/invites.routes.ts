import { serverLimits } from '#contract/server-limits.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { rateLimit } from '#platform/middleware.ts';
import { requireUser } from '#platform/signed-in.ts';
import type { CommunityRoutesContext } from './community-polls.routes.ts';
import { invite, listInvites, removeInvite } from './invites.service.ts';

/** Guests of private polls. */
export function mountInvites(router: EndpointRouter, context: CommunityRoutesContext): void {
  const limit = context.config.rateLimit ? rateLimit(serverLimits.rate.invite, requireUser) : null;

  router
    .mount('invites', ({ params, userId }) => listInvites(context, params.id, userId))
    .mount('invite', async ({ params, body, userId, ctx }) => {
      if (limit) await limit(ctx);
      return invite(context, params.id, userId, body.usernameOrEmail);
    })
    .mount('removeInvite', async ({ params, userId }) => {
      await removeInvite(context, params.id, userId, params.userId);
      return undefined;
    });
}
