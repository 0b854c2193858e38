import type { Middleware } from 'koa';
import { routes } from '#api/routes.contract.ts';
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
    const changedPoll = isWrite && ctx.path.startsWith(communityPollPrefix) ? ctx.path.split('/')[3] : undefined;
    if (userId === null && changedPoll === undefined) return next();
    if (userId !== null) activity.recordActiveDay(userId);
    return next().then(() => {
      if (userId !== null && isWrite) activity.enqueue(userId);
      if (changedPoll !== undefined) activity.pollChanged(changedPoll);
    });
  };
}

/** A member's badges, and announcing new ones. */
export function mountBadges(
  router: EndpointRouter,
  { db, activity }: { readonly db: Database; readonly activity: Pick<ActivityTracker, 'settle'> },
): void {
  router
    .mount('badges', async ({ userId }) => badgeTrackerOf(db, userId, await activity.settle(userId)))
    .mount('announceBadges', ({ userId, body }) => announceBadges(db, userId, body.badges));
}
