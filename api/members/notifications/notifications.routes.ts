import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { digestAddress, setDigest, unsubscribe } from './digest.service.ts';
import { createFeed, feedOf, revokeFeeds } from './feed.service.ts';
import { markRead, notificationPage, setMuted } from './notifications.service.ts';

/** A member’s notifications, their settings, and the personal feed. */
export function mountNotifications(
  router: EndpointRouter,
  context: Parameters<typeof feedOf>[0] & Parameters<typeof setDigest>[0] & Parameters<typeof unsubscribe>[0],
): void {
  router
    .mount('notifications', async ({ userId, query }) => ({
      ...(await notificationPage(context, userId, query.page ?? 1)),
      digestTo: await digestAddress(context, userId),
    }))
    .mount('readNotifications', async ({ userId, body }) => ({ unread: await markRead(context, userId, body) }))
    .mount('muteNotifications', async ({ userId, body }) => {
      await setMuted(context, userId, body);
      return undefined;
    })
    .mount('setDigest', async ({ userId, body }) => {
      await setDigest(context, userId, body);
      return undefined;
    })
    .mount('unsubscribe', async ({ params }) => {
      await unsubscribe(context, params.token);
      return undefined;
    })
    .mount('createNotificationFeed', async ({ userId }) => ({ path: await createFeed(context, userId) }))
    .mount('deleteNotificationFeed', async ({ userId }) => {
      await revokeFeeds(context.db, [{ account: userId }]);
      return undefined;
    })
    .mount('notificationFeed', async ({ params, ctx }) => {
      ctx.body = await feedOf(context, params.secret);
      ctx.type = 'application/atom+xml; charset=utf-8';
      ctx.set('x-robots-tag', 'noindex');
      return undefined;
    });
}
