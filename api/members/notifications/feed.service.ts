import { hash, randomBytes } from 'node:crypto';
import { Feed } from 'feed';
import type { AccountEvent } from '#api/events/events.ts';
import { pathOf } from '#domain/path-of.ts';
import { feedHtml } from '#domain/feed-text.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { notificationPath, notificationText, notificationTexts as texts } from '#texts/notifications.ts';
import { newestNotifications } from './notifications.service.ts';
import type { NotificationsContext } from './notifications.service.ts';
import { lockReader } from './results.service.ts';

interface FeedContext extends NotificationsContext {
  readonly config: { readonly publicUrl: string; readonly siteName: string };
}

/** Only the digest is stored and looked up, so timing reveals nothing about the secret. */
const digest = (secret: string) => hash('sha256', secret, 'base64url');

/** Creates the secret path of a member’s feed, which replaces an earlier one. */
export async function createFeed({ db, clock }: NotificationsContext, userId: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  await db.transaction(async (trx) => {
    if ((await lockReader(trx, userId)) === null) throw errors.unauthenticated();
    await trx('notification_readers')
      .where({ user_id: userId })
      .update({ feed_digest: digest(secret), feed_created_at: clock.now() });
  });
  return pathOf('notificationFeed', { secret });
}

/** Makes the addresses of members’ feeds stop working, also when an account is recovered: somebody else may know them. */
export async function revokeFeeds(db: Database, of: readonly Pick<AccountEvent, 'account'>[]): Promise<void> {
  const members = of.map(({ account }) => account);
  await db('notification_readers').whereIn('user_id', members).update({ feed_digest: null, feed_created_at: null });
}

/** The newest notifications of the member with this secret as an Atom feed; throws NOT_FOUND for an unknown secret. */
export async function feedOf(context: FeedContext, secret: string): Promise<string> {
  const { db, clock, config } = context;
  const reader = await db('notification_readers')
    .where({ feed_digest: digest(secret) })
    .first('user_id');
  if (!reader) throw errors.notFound();
  const notifications = await newestNotifications(context, reader.user_id);
  const page = config.publicUrl + texts.path;
  const feed = new Feed({
    title: feedHtml(texts.feed.title(config.siteName)),
    id: page,
    link: page,
    language: 'en-US',
    generator: config.siteName,
    author: { name: config.siteName },
    updated: new Date(notifications[0]?.at ?? clock.now()),
  });
  for (const notification of notifications) {
    const { id, at, reason } = notification;
    feed.addItem({
      title: feedHtml(notificationText(notification)),
      id: `${page}#${id}`,
      link: config.publicUrl + (notificationPath(notification) ?? texts.path),
      ...(reason !== null && { description: feedHtml(texts.reason(reason)) }),
      date: new Date(at),
    });
  }
  return feed.atom1();
}
