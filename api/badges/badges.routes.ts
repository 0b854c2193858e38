import type { Middleware } from 'koa';
import { routes } from '#contract/routes.ts';
import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { signedInUser } from '#platform/session.ts';
import type { ActivityTracker } from './activity.service.ts';
import { announceBadges, badgeTrackerOf } from './badges.service.ts';

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
const communityPollPrefix = `${routes.communityPolls.path}/`;

/** Tells the tracker who is here and which requests changed something. Anonymous votes on weekly polls are not tracked. */
export function trackActivity(activity: ActivityTracker): Middleware {
  return (ctx, next) => {
    const userId = signedInUser(ctx);
    const isWrite = !readMethods.has(ctx.method);
    const isCommunityWrite = isWrite && ctx.path.startsWith(communityPollPrefix);
    if (userId === null && !isCommunityWrite) return next();
    if (userId !== null) activity.recordActiveDay(userId);
    return next().then(() => {
      if (userId !== null && isWrite) activity.enqueue(userId);
      if (isCommunityWrite) activity.pollsChanged();
    });
  };
}

/** A member's badges, and announcing new ones. */
export function mountBadges(
  router: EndpointRouter,
  { db, activity }: { readonly db: Database; readonly activity: Pick<ActivityTracker, 'settle'> },
): void {
  router
    .mount('badges', async ({ userId }) => {
      await activity.settle(userId);
      return badgeTrackerOf(db, userId);
    })
    .mount('announceBadges', ({ userId, body }) => announceBadges(db, userId, body.badges));
}
