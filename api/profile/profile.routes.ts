import { limits } from '#contract/limits.ts';
import type { Config } from '#platform/config.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { rateLimit } from '#platform/middleware.ts';
import type { SessionKeeper } from '#platform/session.ts';
import { requireUser } from '#platform/signed-in.ts';
import { deleteAccount } from './farewell.service.ts';
import { exportOf, summaryOf } from './profile.service.ts';

/** What a member did here: figures, a copy of everything, and the way out. */
export function mountProfile(
  router: EndpointRouter,
  context: Parameters<typeof deleteAccount>[0] & {
    readonly keeper: SessionKeeper;
    readonly config: Pick<Config, 'rateLimit'>;
  },
): void {
  const { config, keeper } = context;
  const limitExports = config.rateLimit ? rateLimit(limits.rate.exportUser, requireUser) : null;

  router
    .mount('userSummary', ({ userId }) => summaryOf(context, userId))
    .mount('exportUser', async ({ ctx, userId }) => {
      await limitExports?.(ctx);
      ctx.set('content-disposition', 'attachment; filename="my-data.json"');
      return exportOf(context, userId);
    })
    .mount('deleteUser', async ({ ctx, userId, body }) => {
      await deleteAccount(context, userId, body);
      await keeper.close(ctx);
      return undefined;
    });
}
