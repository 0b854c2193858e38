import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { createFeed, feedOf, revokeFeed } from './feed.service.ts';
import { markRead, notificationPage, setMuted } from './notifications.service.ts';

/** A member’s notifications, their settings, and the personal feed. */
export function mountNotifications(router: EndpointRouter, context: Parameters<typeof feedOf>[0]): void {
  router
    .mount('notifications', ({ userId, query }) => notificationPage(context, userId, query.page ?? 1))
    .mount('readNotifications', async ({ userId, body }) => ({ unread: await markRead(context, userId, body) }))
    .mount('muteNotifications', async ({ userId, body }) => {
      await setMuted(context, userId, body);
      return undefined;
    })
    .mount('createNotificationFeed', async ({ userId }) => ({ path: await createFeed(context, userId) }))
    .mount('deleteNotificationFeed', async ({ userId }) => {
      await revokeFeed(context.db, userId);
      return undefined;
    })
    .mount('notificationFeed', async ({ params, ctx }) => {
      ctx.body = await feedOf(context, params.secret);
      ctx.type = 'application/atom+xml; charset=utf-8';
      ctx.set('x-robots-tag', 'noindex');
      return undefined;
    });
}
