import type { Context } from 'koa';
import type { Attempts } from '#platform/attempts.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { errors } from '#platform/errors.ts';
import { clientAddress } from '#platform/middleware.ts';
import { subnetOf } from '#platform/trusted-proxies.ts';
import type { ModerationContext } from './actions.service.ts';
import { appeal, decisionsOf } from './decisions.service.ts';
import { report } from './reports.service.ts';

/** The endpoints of members: reports, what moderators decided about the member, and appeals. */
export function mountModeration(
  router: EndpointRouter,
  context: ModerationContext & { readonly attempts: Attempts },
): void {
  const { attempts } = context;
  const countReport = (ctx: Context, userId: string | null) => {
    const address = clientAddress(ctx);
    return attempts.count(
      [
        ['reportFromAddress', address],
        ...(userId === null
          ? ([
              ['reportSignedOut', address],
              ['reportSignedOutNearby', subnetOf(address)],
            ] as const)
          : ([['report', userId]] as const)),
      ],
      errors.rateLimited,
    );
  };

  router
    .mount('reportPoll', async ({ params, body, userId, ctx }) => {
      await countReport(ctx, userId);
      await report(context, userId, { pollId: params.id }, body);
      return undefined;
    })
    .mount('reportComment', async ({ params, body, userId, ctx }) => {
      await countReport(ctx, userId);
      await report(context, userId, { pollId: params.id, commentId: params.commentId }, body);
      return undefined;
    })
    .mount('moderationDecisions', ({ userId }) => decisionsOf(context, userId))
    .mount('appeal', async ({ params, body, userId, ctx }) => {
      await countReport(ctx, userId);
      await appeal(context, userId, Number(params.id), body.text);
      return undefined;
    });
}
