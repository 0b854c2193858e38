import { displayNameOf, UserModel } from '#api/members/accounts/user.model.ts';
import { questionsSeenBy } from '#api/polls/community/access.service.ts';
import { decisionsByKey } from '#api/moderation/decisions.service.ts';
import { questionsOf } from '#api/polls/polls.service.ts';
import type { BadgeKey } from '#api/members/badges/badges.contract.ts';
import type { BodyOf } from '#api/endpoints.contract.ts';
import * as limits from '#contract/limits.ts';
import { personText } from '#domain/display-name.ts';
import type { Notification, NotificationPage } from './notifications.contract.ts';
import type { UserExport } from '#api/members/profile/profile.contract.ts';
import type { NotificationKind, PollKind } from '#contract/vocabulary.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { removeExpired } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { badgesSubject } from './notify.service.ts';
import { collectResults, storedDays, skipResults } from './results.service.ts';

export interface NotificationsContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** A row of `notifications` with its poll. Times in milliseconds. */
interface NotificationRow {
  readonly id: number;
  readonly kind: NotificationKind;
  readonly subject: string;
  readonly poll_id: string | null;
  readonly poll_kind: PollKind | null;
  readonly reason: string | null;
  readonly created_at: number;
  readonly latest_at: number;
  readonly read_at: number | null;
}

type VisibleRow = NotificationRow & { readonly question: string | undefined };

/** One page of a member’s newest notifications, and the settings. */
export async function notificationPage(
  context: NotificationsContext,
  userId: string,
  page: number,
): Promise<Omit<NotificationPage, 'digestTo'>> {
  const { db } = context;
  await collectResults(context, userId);
  const rows = await visibleRows(context, userId);
  const from = (page - 1) * limits.notificationPageSize;
  return {
    notifications: await present(db, userId, rows.slice(from, from + limits.notificationPageSize)),
    total: rows.length,
    unread: rows.filter(({ read_at }) => read_at === null).length,
    newest: isoOrNull(rows[0]?.latest_at ?? null),
    ...(await settingsOf(db, userId)),
  };
}

/** The newest notifications of a member, at most a page of them. */
export async function newestNotifications(context: NotificationsContext, userId: string): Promise<Notification[]> {
  return (await notificationPage(context, userId, 1)).notifications;
}

/** The number of a member’s unread notifications. */
export async function unreadCount(context: NotificationsContext, userId: string): Promise<number> {
  await collectResults(context, userId);
  return (await visibleRows(context, userId, { unread: true })).length;
}

/** Marks one notification of a member, or all, as read unless something was added later; returns how many are unread. */
export async function markRead(
  context: NotificationsContext,
  userId: string,
  { notificationId, until }: BodyOf<'readNotifications'>,
): Promise<number> {
  const { db, clock } = context;
  await db('notifications')
    .where({ user_id: userId, ...(notificationId !== undefined && { id: notificationId }) })
    .whereNull('read_at')
    .where('latest_at', '<=', Date.parse(until))
    .update({ read_at: clock.now() });
  return unreadCount(context, userId);
}

/** Turns a kind of notification off or on for a member; what happened while it was off is never notified. */
export async function setMuted(
  { db, clock }: NotificationsContext,
  userId: string,
  { topic: kind, muted }: BodyOf<'muteNotifications'>,
): Promise<void> {
  await db.transaction(async (trx) => {
    const mute = { user_id: userId, kind };
    if (muted) await trx('notification_mutes').insert(mute).onConflict(['user_id', 'kind']).ignore();
    else if ((await trx('notification_mutes').where(mute).del()) > 0 && kind === 'result')
      await skipResults(trx, userId, clock.now());
  });
}

/** Everything stored about the notifications of a member, for the export. */
export async function notificationExportOf(db: Database, userId: string): Promise<UserExport['notifications']> {
  const rows = await db('notifications')
    .where({ user_id: userId })
    .orderBy(['latest_at', 'id'])
    .select('kind', 'subject', 'poll_id', 'reason', 'created_at', 'latest_at', 'read_at');
  return {
    list: rows.map(({ kind, subject, poll_id, reason, created_at, latest_at, read_at }) => ({
      ...{ kind, subject, pollId: poll_id, reason },
      ...{ createdAt: iso(created_at), latestAt: iso(latest_at), readAt: isoOrNull(read_at) },
    })),
    ...(await settingsOf(db, userId)),
  };
}

/** Deletes expired notifications. */
export async function sweepNotifications(db: Database, now: number): Promise<void> {
  const sorted = { table: 'notifications', key: 'id', column: 'latest_at' };
  await removeExpired(db, sorted, now - storedDays * 86_400_000);
}

async function settingsOf(
  db: Database,
  userId: string,
): Promise<Pick<NotificationPage, 'muted' | 'feedCreatedAt' | 'digest'>> {
  const reader = await db('notification_readers').where({ user_id: userId }).first('feed_created_at', 'digest');
  return {
    muted: await db('notification_mutes').where({ user_id: userId }).orderBy('kind').pluck('kind'),
    feedCreatedAt: isoOrNull(reader?.feed_created_at ?? null),
    digest: reader?.digest ?? 'off',
  };
}

/** A member’s newest notifications, without those about deleted or inaccessible polls or deleted comments. */
async function visibleRows(
  { db, clock }: NotificationsContext,
  userId: string,
  { unread = false }: { readonly unread?: boolean } = {},
): Promise<VisibleRow[]> {
  const newest = db('notifications as n')
    .leftJoin('ballots as b', 'b.id', 'n.poll_id')
    .where('n.user_id', userId)
    .whereRaw("(n.kind <> 'result' or b.closed_at is not null)")
    .where((some) => void some.whereRaw("n.kind <> 'comment'").orWhereExists(anyComment(db)))
    .where((some) => void some.whereRaw("n.kind not in ('reply', 'mention')").orWhereExists(itsComment(db)));
  if (unread) void newest.whereNull('n.read_at');
  const rows = await newest
    .orderBy([
      { column: 'n.latest_at', order: 'desc' },
      { column: 'n.id', order: 'desc' },
    ])
    .limit(limits.notificationsShown)
    .select<NotificationRow[]>('n.*', 'b.kind as poll_kind');
  const ids = (kind: PollKind) => [
    ...new Set(rows.flatMap(({ poll_id, poll_kind }) => (poll_kind === kind && poll_id !== null ? [poll_id] : []))),
  ];
  const at = { db, now: clock.now() };
  const questions = {
    poll: await questionsOf(at, ids('poll')),
    community: await questionsSeenBy(at, ids('community'), userId),
  };
  return rows
    .map((row) => ({
      ...row,
      question: row.poll_kind === null ? undefined : questions[row.poll_kind].get(row.poll_id!),
    }))
    .filter(({ kind, question }) => question !== undefined || !needsPoll.has(kind));
}

/** Kinds that link to a poll. Members learn what happened to a comment even if its poll was deleted. */
const needsPoll: ReadonlySet<NotificationKind> = new Set([
  ...(['invited', 'answer', 'comment', 'reply', 'mention', 'result', 'featured'] as const),
]);

/** The comment that a notification is about, if it is still shown. */
function itsComment(db: Database) {
  return db('comments as c').whereRaw('c.id = n.subject').where('c.hidden', false).select(db.raw('1'));
}

/** Whether comments that a notification counts are still shown. */
function anyComment(db: Database) {
  return db('comments as c')
    .whereRaw('c.poll_id = n.poll_id and c.created_at >= n.created_at and c.user_id <> n.user_id')
    .whereRaw('(n.read_at is null or c.created_at <= n.read_at)')
    .where('c.hidden', false)
    .whereNotExists(ownNotice(db).whereRaw('own.user_id = n.user_id'))
    .select(db.raw('1'));
}

/** The notification of a reply or mention that a member got for a comment, which no other one counts again. */
function ownNotice(db: Database) {
  return db('notifications as own')
    .whereIn('own.kind', ['reply', 'mention'])
    .whereRaw('own.subject = c.id')
    .select(db.raw('1'));
}

const isAboutComment = ({ kind }: Pick<NotificationRow, 'kind'>) => kind === 'reply' || kind === 'mention';

async function present(db: Database, userId: string, rows: readonly VisibleRow[]): Promise<Notification[]> {
  const commenters = new Map<number, readonly string[]>();
  const single = await db('comments')
    .whereIn(
      'id',
      rows.filter(isAboutComment).map(({ subject }) => subject),
    )
    .select('id', 'user_id');
  for (const row of rows)
    if (row.kind === 'comment') commenters.set(row.id, await commentersOf(db, userId, row));
    else if (isAboutComment(row))
      commenters.set(
        row.id,
        single.filter(({ id }) => id === row.subject).map(({ user_id }) => user_id),
      );
  const earned = new Map<number, BadgeKey[]>();
  for (const row of rows)
    if (row.kind === 'badge' && row.subject === badgesSubject) earned.set(row.id, await badgesIn(db, userId, row));
  const lastIds = [...commenters.values()].flatMap(([last]) => last ?? []);
  const users = lastIds.length === 0 ? [] : await UserModel.query(db).findByIds(lastIds).modify('publicColumns');
  const names = new Map(users.map((user) => [user.id, personText(displayNameOf(user), user.username)]));
  const decisions = await decisionsByKey(db, rows);
  const byCreator = rows.filter(
    ({ kind, subject }) => (kind === 'moderation' || kind === 'report') && !decisions.has(subject),
  );
  const hidden = await db('comments')
    .whereIn(
      'id',
      byCreator.map(({ subject }) => subject),
    )
    .pluck('id');
  return rows.map(({ id, kind, subject, poll_id, poll_kind, question, reason, latest_at, read_at }) => ({
    ...{ id, kind, at: iso(latest_at), read: read_at !== null, reason },
    poll: question === undefined ? null : { id: poll_id!, kind: poll_kind!, question },
    ...(isAboutComment({ kind }) && { comment: subject }),
    badges: kind === 'badge' ? (earned.get(id) ?? [subject as BadgeKey]) : [],
    people: commenters.get(id)?.length ?? 0,
    lastPerson: names.get(commenters.get(id)?.[0] ?? '') ?? null,
    ...(decisions.has(subject) && { decision: decisions.get(subject)! }),
    ...(hidden.includes(subject) && { hidden: true }),
  }));
}

/** The badges that a notification announces, as far as the member still has them, the first one first. */
async function badgesIn(db: Database, userId: string, { created_at, latest_at }: VisibleRow): Promise<BadgeKey[]> {
  return db('badges')
    .where({ user_id: userId })
    .whereBetween('earned_at', [created_at, latest_at])
    .orderBy(['earned_at', 'id'])
    .pluck('badge_type');
}

/** Ids of the members whose comments a notification counts, the last one first. */
async function commentersOf(db: Database, userId: string, row: VisibleRow): Promise<readonly string[]> {
  const comments = db('comments as c')
    .where({ 'c.poll_id': row.poll_id, 'c.hidden': false })
    .whereNot('c.user_id', userId)
    .where('c.created_at', '>=', row.created_at)
    .whereNotExists(ownNotice(db).where('own.user_id', userId));
  if (row.read_at !== null) void comments.where('c.created_at', '<=', row.read_at);
  const ids = await comments
    .orderBy([
      { column: 'c.created_at', order: 'desc' },
      { column: 'c.id', order: 'desc' },
    ])
    .limit(limits.groupedComments)
    .pluck<string[]>('c.user_id');
  return [...new Set(ids)];
}
