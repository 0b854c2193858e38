import type { Middleware } from 'koa';
import { routes } from '#contract/routes.ts';
import { signedInUser } from '#platform/session.ts';
import type { ActivityFollower } from './activity.service.ts';

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);
const aboutCommunityPolls = `${routes.communityPolls.path}/`;

/**
 * Tells of members who are here, and of calls that changed something, after they were answered well. A vote of a visitor
 * on a weekly poll, as almost all are, goes straight on.
 */
export function heedMembers(activity: ActivityFollower): Middleware {
  return (ctx, next) => {
    const userId = signedInUser(ctx);
    const changing = !reading.has(ctx.method);
    const ofPoll = changing && ctx.path.startsWith(aboutCommunityPolls);
    if (userId === null && !ofPoll) return next();
    if (userId !== null) activity.seen(userId);
    return next().then(() => {
      if (userId !== null && changing) activity.did(userId);
      if (ofPoll) activity.pollsChanged();
    });
  };
}
