import type { NotifiedEvent } from '#api/events/events.ts';
import { actionKey } from '#api/moderation/decisions.service.ts';
import type { NotificationKind } from '#contract/vocabulary.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';

/** A notification of an event. */
interface Notice {
  readonly kind: Exclude<NotificationKind, 'result'>;
  /** Members; null: nobody. */
  readonly to: readonly (string | null)[];
  /** Events of the same kind and subject are grouped into one notification while it is unread. */
  readonly subject: string;
  readonly pollId?: string | null;
  readonly reason?: string | null;
}

/** The subject of a notification of badges; those of earlier versions have a single badge as theirs. */
export const badgesSubject = 'badges';
/** The subject of notifications that somebody signs in. */
const signInSubject = 'sign-in';

/** Whom an event is told, and as what. */
function noticesOf(event: NotifiedEvent): Notice[] {
  const { id } = event.subject;
  switch (event.type) {
    case 'comment.posted':
    case 'comment.edited': {
      const { poll: pollId } = event.after;
      const { answered, mentioned, creator } = event.concerned;
      return [
        { kind: 'reply', to: answered, subject: id, pollId },
        { kind: 'mention', to: mentioned, subject: id, pollId },
        { kind: 'comment', to: creator, subject: pollId, pollId },
      ];
    }
    case 'comment.hidden':
    case 'comment.removed': {
      const { poll: pollId, author, reporters } = event.comment;
      return [
        { kind: 'moderation', to: [author], subject: id, pollId },
        { kind: 'report', to: reporters, subject: id, pollId },
      ];
    }
    case 'moderation.decide':
    case 'moderation.appeal':
    case 'suspension.ended': {
      const { id: decision, reason, poll: pollId, member, reporters } = event.decision;
      const subject = actionKey(decision);
      return [
        { kind: 'moderation', to: [member], subject, pollId, reason },
        { kind: 'report', to: reporters, subject, pollId },
      ];
    }
    case 'invitation.sent':
      return [{ kind: 'invited', to: [event.account], subject: id, pollId: id }];
    case 'answer.waiting':
      return [{ kind: 'answer', to: [event.account], subject: id, pollId: id }];
    case 'poll.featured':
      return [{ kind: 'featured', to: [event.member], subject: id, pollId: id }];
    case 'badge.earned':
      return [{ kind: 'badge', to: [event.member], subject: badgesSubject }];
    case 'sign-in.asked':
      return [{ kind: 'sign-in', to: [event.account], subject: signInSubject }];
    default:
      return [];
  }
}

/**
 * Notifies members of what happened, except those who turned this kind off or no longer exist. An act about a community poll
 * locks these accounts, or records the event, before it locks the poll: deleting an account locks the account before its polls.
 */
export async function notifyMembers(trx: Database, events: readonly NotifiedEvent[]): Promise<void> {
  for (const event of events) for (const notice of noticesOf(event)) await notify(trx, notice, event.at);
}

async function notify(
  trx: Database,
  { kind, to, subject, pollId = null, reason = null }: Notice,
  at: number,
): Promise<void> {
  const members = to.filter((one) => one !== null);
  if (members.length === 0) return;
  await trx.raw(
    `insert into notifications (user_id, kind, subject, poll_id, reason, created_at, latest_at)
     select u.id, cast(? as varchar(16)), cast(? as varchar(80)), cast(? as varchar(80)), cast(? as text),
       cast(? as bigint), cast(? as bigint)
     from users u
     where u.id in (${members.map(() => '?').join()})
       and not exists (select 1 from notification_mutes m where m.user_id = u.id and m.kind = ?)
     order by u.id ${isSqlite(trx) ? '' : 'for key share of u'}
     on conflict (user_id, kind, subject) where read_at is null
     do update set reason = excluded.reason,
       latest_at = case when excluded.latest_at > notifications.latest_at
         then excluded.latest_at else notifications.latest_at end,
       created_at = case when excluded.created_at < notifications.created_at
         then excluded.created_at else notifications.created_at end`,
    [kind, subject, pollId, reason, at, at, ...members, kind],
  );
}

/** Withdraws unread notifications of what was undone or answered. */
export async function withdrawNotifications(trx: Database, events: readonly NotifiedEvent[]): Promise<void> {
  const unread = () => trx('notifications').whereNull('read_at');
  for (const event of events)
    if (event.type === 'comment.shown') {
      const { author, reporters } = event.comment;
      const removal = unread().whereIn('kind', ['moderation', 'report']).where({ subject: event.subject.id });
      await removal.whereIn('user_id', [author, ...reporters]).del();
    } else if (event.type === 'sign-in.answered')
      await unread().where({ user_id: event.account, kind: 'sign-in', subject: signInSubject }).del();
}
