import * as limits from '#contract/limits.ts';
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
    /** `settle` resolves when what a member did is projected. */
    readonly activity: { settle(userId: string): Promise<void> };
  },
): void {
  const { attempts, keeper, activity } = context;
  /** An answer that includes what the member just did. */
  const settled = async <T>(userId: string, answer: () => Promise<T>): Promise<T> => {
    await activity.settle(userId);
    return answer();
  };

  router
    .mount('profile', ({ userId }) => settled(userId, () => profileOf(context, userId)))
    .mount('userSummary', ({ userId }) => settled(userId, () => summaryOf(context, userId)))
    .mount('activities', ({ userId, query }) => {
      const { limit = limits.activityPageSize } = query;
      return settled(userId, () => activityPage(context, userId, { ...query, limit }));
    })
    .mount('activityDays', ({ userId }) => settled(userId, () => activityDaysOf(context, userId)))
    .mount('pollOpened', async ({ userId, body }) => {
      await attempts.count([['pollEvents', userId]], errors.rateLimited);
      await recordPollEvent(context, userId, 'poll_opened', body);
      return undefined;
    })
    .mount('pollShared', async ({ userId, body }) => {
      await attempts.count([['pollEvents', userId]], errors.rateLimited);
      await recordPollEvent(context, userId, 'poll_shared', body);
      return undefined;
    })
    .mount('exportUser', async ({ ctx, userId }) => {
      await attempts.count([['exportUser', userId]], errors.rateLimited);
      ctx.set('content-disposition', 'attachment; filename="my-data.json"');
      return settled(userId, () => exportOf(context, userId));
    })
    .mount('deleteUser', async ({ ctx, userId, body }) => {
      await deleteAccount(context, userId, body);
      await keeper.close(ctx);
      return undefined;
    });
}
