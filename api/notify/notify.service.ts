import type { NotificationKind } from '#contract/vocabulary.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';

/** An event to notify members of; `at` in milliseconds. */
interface NotifiedEvent {
  readonly kind: Exclude<NotificationKind, 'result'>;
  /** Events of the same kind and subject are grouped into one notification while it is unread. */
  readonly subject: string;
  readonly pollId: string | null;
  readonly at: number;
  readonly reason?: string | null;
}

/**
 * Notifies members, except those who turned this kind off or no longer exist. Call it in the transaction of the event,
 * before it locks a community poll: deleting an account locks the account before its polls.
 */
export async function notify(trx: Database, userIds: readonly string[], event: NotifiedEvent): Promise<void> {
  if (userIds.length > 0) await insert(trx, userIds, event);
}

/** The subject of a notification of badges; those of earlier versions have a single badge as theirs. */
export const badgesSubject = 'badges';

/** Notifies a member of badges that were earned at one moment, in the transaction that awards them. */
export async function notifyOfBadges(trx: Database, userId: string, at: number): Promise<void> {
  await notify(trx, [userId], { kind: 'badge', subject: badgesSubject, pollId: null, at });
}

async function insert(
  trx: Database,
  userIds: readonly string[],
  { kind, subject, pollId, reason = null, at }: NotifiedEvent,
): Promise<void> {
  await trx.raw(
    `insert into notifications (user_id, kind, subject, poll_id, reason, created_at, latest_at)
     select u.id, cast(? as varchar(16)), cast(? as varchar(80)), cast(? as varchar(80)), cast(? as text),
       cast(? as bigint), cast(? as bigint)
     from users u
     where u.id in (${userIds.map(() => '?').join()})
       and not exists (select 1 from notification_mutes m where m.user_id = u.id and m.kind = ?)
     order by u.id ${isSqlite(trx) ? '' : 'for key share of u'}
     on conflict (user_id, kind, subject) where read_at is null
     do update set reason = excluded.reason,
       latest_at = case when excluded.latest_at > notifications.latest_at
         then excluded.latest_at else notifications.latest_at end,
       created_at = case when excluded.created_at < notifications.created_at
         then excluded.created_at else notifications.created_at end`,
    [kind, subject, pollId, reason, at, at, ...userIds, kind],
  );
}

/** Withdraws unread notifications of something that was undone. */
export async function withdrawNotifications(
  trx: Database,
  userIds: readonly string[],
  { kinds, subject }: { readonly kinds: readonly NotificationKind[]; readonly subject: string },
): Promise<void> {
  await trx('notifications')
    .whereIn('user_id', [...userIds])
    .whereIn('kind', [...kinds])
    .where({ subject })
    .whereNull('read_at')
    .del();
}

/** Makes the address of a member’s feed stop working. */
export async function revokeFeed(db: Database, userId: string): Promise<void> {
  await db('notification_readers').where({ user_id: userId }).update({ feed_digest: null, feed_created_at: null });
}
