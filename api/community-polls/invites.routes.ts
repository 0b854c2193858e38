import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { errors } from '#platform/errors.ts';
import type { CommunityRoutesContext } from './community-polls.routes.ts';
import { invite, listInvites, removeInvite } from './invites.service.ts';

/** Guests of private polls. */
export function mountInvites(router: EndpointRouter, context: CommunityRoutesContext): void {
  router
    .mount('invites', ({ params, userId }) => listInvites(context, params.id, userId))
    .mount('invite', async ({ params, body, userId }) => {
      await context.attempts.count([['invite', userId]], errors.rateLimited);
      return invite(context, params.id, userId, body.usernameOrEmail);
    })
    .mount('removeInvite', async ({ params, userId }) => {
      await removeInvite(context, params.id, userId, params.userId);
      return undefined;
    });
}
