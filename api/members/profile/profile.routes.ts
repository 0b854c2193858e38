import * as limits from '#contract/limits.ts';
import type { Progress } from '#domain/badges/progress.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { errors } from '#platform/errors.ts';
import type { SessionKeeper } from '#platform/session.ts';
import { deleteAccount } from './delete-account.service.ts';
import { exportOf, profileOf, recordPollEvent, summaryOf } from './profile.service.ts';
import { activityDaysOf, activityPage } from './timeline.service.ts';

/** A member's figures and timeline, the export of all data, and deleting the account. */
export function mountProfile(
  router: EndpointRouter,
  context: Parameters<typeof deleteAccount>[0] & {
    readonly keeper: SessionKeeper;
    /** `settle` resolves with a member’s progress, with what they just did. */
    readonly activity: { settle(userId: string): Promise<Progress> };
  },
): void {
  const { attempts, keeper, activity } = context;

  router
    .mount('profile', async ({ userId }) => profileOf(context, userId, await activity.settle(userId)))
    .mount('userSummary', async ({ userId }) => summaryOf(context, userId, await activity.settle(userId)))
    .mount('activities', async ({ userId, query }) => {
      const { limit = limits.activityPageSize } = query;
      return activityPage(context, { userId, progress: await activity.settle(userId) }, { ...query, limit });
    })
    .mount('activityDays', async ({ userId }) => activityDaysOf(context, userId, await activity.settle(userId)))
    .mount('pollOpened', async ({ userId, body }) => {
      await attempts.count([['pollEvents', userId]], errors.rateLimited);
      await recordPollEvent(context, userId, 'poll.viewed', body);
      return undefined;
    })
    .mount('pollShared', async ({ userId, body }) => {
      await attempts.count([['pollEvents', userId]], errors.rateLimited);
      await recordPollEvent(context, userId, 'poll.shared', body);
      return undefined;
    })
    .mount('exportUser', async ({ ctx, userId }) => {
      await attempts.count([['exportUser', userId]], errors.rateLimited);
      ctx.set('content-disposition', 'attachment; filename="my-data.json"');
      return exportOf(context, userId, await activity.settle(userId));
    })
    .mount('deleteUser', async ({ ctx, userId, body }) => {
      await deleteAccount(context, userId, body);
      await keeper.close(ctx);
      return undefined;
    });
}
