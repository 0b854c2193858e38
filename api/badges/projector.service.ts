import { notifyOfBadges } from '#api/notify/notify.service.ts';
import { badgeKeys } from '#contract/badges.ts';
import type { BadgeKey } from '#contract/badges.ts';
import type { Activity } from '#contract/profile.ts';
import { dayOf } from '#domain/badges/calendar.ts';
import { fold, needsReplay, noProgress, readProgress } from '#domain/badges/progress.ts';
import type { BadgeEvent, Progress } from '#domain/badges/progress.ts';
import { applyEvent, badges, earnedAfter, progressOf } from '#domain/badges/rules.ts';
import type { Database } from '#platform/database.ts';
import { ProgressModel } from './badge.model.ts';
import { eventOf, inBatches, inLockOrder } from './events.service.ts';
import type { EventRow } from './events.service.ts';
import { recordCommentTotals, recordVotes, rowsPerPortion } from './outbox.service.ts';

/** Events that a replay reads at once. */
const eventsPerPage = 1_000;

/** What one portion of projecting left to do. */
export interface Projected {
  /** There may be more to project for these members. */
  readonly more: boolean;
  /** Members who have new events because of these. */
  readonly others: readonly string[];
}

/** A badge of a member, and when it was earned. */
interface HeldBadge {
  readonly badge: BadgeKey;
  readonly at: number;
}

type StoredEvent = EventRow & { readonly id: number };

const eventColumns = ['id', 'user_id', 'fact', 'subject', 'at', 'amount', 'details'] as const;

/**
 * Projects a portion of what some members did: votes become events, events become progress, badges, and the timeline, in
 * one transaction. Others who project the same members wait for it. Members who no longer exist are skipped.
 */
export async function projectMembers(db: Database, userIds: readonly string[]): Promise<Projected> {
  return db.transaction(async (trx) => {
    const stored = await lockProgress(trx, userIds);
    if (stored.length === 0) return { more: false, others: [] };
    const ids = stored.map(({ user_id }) => user_id);
    const votes = await recordVotes(trx, { userIds: ids });
    const rows = await pendingEvents(trx, ids);
    await markProjected(trx, rows);

    const events = rows.map((row) => ({ userId: row.user_id, event: eventOf(row) }));

    const activities = events.flatMap(({ userId, event }) => activityOf(userId, event) ?? []);
    await addToDays(trx, await addActivities(trx, activities));
    const eventsByMember = Map.groupBy(events, ({ userId }) => userId);
    for (const { user_id, figures } of stored) {
      const own = eventsByMember.get(user_id)?.map(({ event }) => event);
      if (!own) continue;
      const before = readProgress(figures);
      const again = before === null || own.some((event) => needsReplay(before, event));
      await store(trx, user_id, again ? await replay(trx, user_id) : applyAll({ progress: before, earned: [] }, own));
    }
    const commented = new Map<string, number>();
    for (const { event } of events) if (event.type === 'comment_posted') commented.set(event.pollId, event.at);
    return {
      more: rows.length === rowsPerPortion || votes === rowsPerPortion,
      others: await recordCommentTotals(trx, commented),
    };
  });
}

/** What a replay changed. */
export interface Recounted {
  /** Badges that were missing. */
  readonly added: readonly BadgeKey[];
  /** Whether any visible figure changed. */
  readonly corrected: boolean;
}

/** Computes a member's progress again from all events; adds missing badges and removes none. Null if there is no such member. */
export async function recountMember(db: Database, userId: string): Promise<Recounted | null> {
  return db.transaction(async (trx) => {
    const [stored] = await lockProgress(trx, [userId]);
    if (!stored) return null;
    const before = readProgress(stored.figures);
    const { progress, earned } = await replay(trx, userId);
    await store(trx, userId, { progress, earned });
    const isSame = (key: BadgeKey, other: Progress) =>
      progressOf(key, other).current === progressOf(key, progress).current;
    return {
      added: earned.map(({ badge }) => badge),
      corrected: before === null || !badgeKeys.every((key) => isSame(key, before)),
    };
  });
}

/** A member's progress as far as it is projected; all figures are zero for a member without one. */
export async function progressFor(db: Database, userId: string): Promise<Readonly<Progress>> {
  const stored = await ProgressModel.query(db).findById(userId);
  return (stored ? readProgress(stored.figures) : null) ?? noProgress;
}

/** The oldest events of some members that are not projected. */
export async function pendingEvents(trx: Database, userIds: readonly string[]): Promise<StoredEvent[]> {
  return trx('facts')
    .whereIn('user_id', userIds)
    .whereRaw('not counted')
    .orderBy(['at', 'id'])
    .limit(rowsPerPortion)
    .select<StoredEvent[]>(...eventColumns);
}

/** Marks events as projected, except totals that were raised after they were read. */
async function markProjected(trx: Database, events: readonly StoredEvent[]): Promise<void> {
  const ids = events.filter(({ amount }) => amount === null).map(({ id }) => id);
  if (ids.length > 0) await trx('facts').whereIn('id', ids).update({ counted: true });
  for (const { id, amount } of inLockOrder(events.filter((event) => event.amount !== null)))
    await trx('facts').where({ id, amount }).update({ counted: true });
}

/**
 * The progress rows of those members who exist, locked until the transaction ends. Members are locked before progress, as
 * deleting an account does.
 */
async function lockProgress(
  trx: Database,
  userIds: readonly string[],
): Promise<{ readonly user_id: string; readonly figures: string }[]> {
  const existing = await trx('users').whereIn('id', userIds).orderBy('id').forKeyShare().pluck<string[]>('id');
  const lock = (ids: readonly string[]) =>
    trx('progress')
      .whereIn('user_id', ids)
      .orderBy('user_id')
      .forUpdate()
      .select<{ user_id: string; figures: string }[]>('user_id', 'figures');
  const locked = await lock(existing);
  const missing = existing.filter((id) => !locked.some(({ user_id }) => user_id === id));
  if (missing.length === 0) return locked;
  const figures = JSON.stringify(noProgress);
  await trx('progress')
    .insert(missing.map((user_id) => ({ user_id, figures })))
    .onConflict('user_id')
    .ignore();
  return [...locked, ...(await lock(missing))];
}

interface Result {
  readonly progress: Readonly<Progress>;
  readonly earned: readonly HeldBadge[];
}

/** The result after more events, in order of time; badges in `held` are not new. */
function applyAll({ progress, earned }: Result, events: readonly BadgeEvent[], held?: ReadonlySet<BadgeKey>): Result {
  const awards = [...earned];
  for (const event of events) {
    const step = applyEvent(progress, event);
    progress = step.progress;
    for (const badge of step.earned) if (!held?.has(badge)) awards.push({ badge, at: event.at });
  }
  return { progress, earned: awards };
}

/** Computes a member's progress from all events that are marked as projected. */
async function replay(trx: Database, userId: string): Promise<Result> {
  let progress = noProgress;
  for await (const events of historyOf(trx, userId)) progress = events.reduce(fold, progress);
  if (earnedAfter(progress).length === 0) return { progress, earned: [] };
  // Badges are missing: only now the rules are checked after each event, to find out when each badge was earned.
  const held = new Set(progress.badges);
  let result: Result = { progress: noProgress, earned: [] };
  for await (const events of historyOf(trx, userId)) result = applyAll(result, events, held);
  return result;
}

/** The projected events of a member and the badges held, in order of time, in pages. */
async function* historyOf(trx: Database, userId: string): AsyncGenerator<BadgeEvent[]> {
  const held = await trx('badges')
    .where({ user_id: userId })
    .orderBy(['earned_at', 'id'])
    .select<HeldBadge[]>('badge_type as badge', 'earned_at as at');
  const badgesBefore = (at: number): BadgeEvent[] => {
    const later = held.findIndex((badge) => badge.at >= at);
    return held.splice(0, later < 0 ? held.length : later).map((badge) => ({ type: 'badge_earned', ...badge }));
  };
  for (let last: StoredEvent | undefined, more = true; more;) {
    const page = trx('facts').where({ user_id: userId, counted: true });
    if (last) void page.whereRaw('(at, id) > (?, ?)', [last.at, last.id]);
    const rows = await page
      .orderBy(['at', 'id'])
      .limit(eventsPerPage)
      .select<StoredEvent[]>(...eventColumns);
    yield rows.flatMap((row) => [...badgesBefore(row.at), eventOf(row)]);
    last = rows.at(-1);
    more = rows.length === eventsPerPage;
  }
  yield badgesBefore(Infinity);
}

/** Stores a member's progress and new badges. A claimed vote may be older than the account; no badge is. */
async function store(trx: Database, userId: string, { progress, earned }: Result): Promise<void> {
  await ProgressModel.query(trx)
    .findById(userId)
    .patch({ figures: JSON.stringify(progress) });
  if (earned.length === 0) return;
  const awards = earned.map(({ badge, at }) => ({ badge, at: Math.max(at, progress.joined?.at ?? at) }));
  await trx('badges')
    .insert(awards.map(({ badge, at }) => ({ user_id: userId, badge_type: badge, earned_at: at })))
    .onConflict(['user_id', 'badge_type'])
    .ignore();
  await notifyOfBadges(trx, userId, awards);
  await addActivities(
    trx,
    awards.map(({ badge, at }) => ({
      user_id: userId,
      activity_type: 'badge_earned',
      entity_id: badge,
      entity_type: 'badge',
      metadata: JSON.stringify({ category: badges[badge].category, tier: badges[badge].tier }),
      created_at: at,
    })),
  );
}

/** A row of the timeline, to be inserted. */
interface NewActivity {
  readonly user_id: string;
  readonly activity_type: Activity['activityType'];
  readonly entity_id: string;
  readonly entity_type: Activity['entityType'];
  /** JSON. */
  readonly metadata: string;
  readonly created_at: number;
}

/** Adds missing entries to the timeline, and returns them. */
async function addActivities(trx: Database, rows: readonly NewActivity[]): Promise<AddedActivity[]> {
  const added: AddedActivity[] = [];
  for (const some of inBatches(rows))
    added.push(
      ...(await trx('activities')
        .insert(some)
        .onConflict(['user_id', 'activity_type', 'entity_id'])
        .ignore()
        .returning<AddedActivity[]>(['user_id', 'created_at'])),
    );
  return added;
}

type AddedActivity = Pick<NewActivity, 'user_id' | 'created_at'>;

/** Adds to the number of activities on each day. */
async function addToDays(trx: Database, activities: readonly AddedActivity[]): Promise<void> {
  const days = Map.groupBy(activities, ({ user_id, created_at }) => `${dayOf(created_at)} ${user_id}`);
  const rows = [...days.values()].map((some) => ({
    user_id: some[0]!.user_id,
    day: dayOf(some[0]!.created_at),
    count: some.length,
  }));
  for (const some of inBatches(rows))
    await trx('activity_days')
      .insert(some)
      .onConflict(['user_id', 'day'])
      .merge({ count: trx.raw('activity_days.count + excluded.count') });
}

/** What the timeline shows of an event; null if nothing. */
function activityOf(userId: string, event: BadgeEvent): NewActivity | null {
  const row = { user_id: userId, created_at: event.at };
  switch (event.type) {
    case 'vote_cast':
      return {
        ...row,
        activity_type: 'vote',
        entity_id: event.ballotId,
        entity_type: event.kind === 'poll' ? 'poll' : 'community_poll',
        metadata: JSON.stringify({ category: event.category }),
      };
    case 'poll_created': {
      const { visibility, category, options } = event;
      return {
        ...row,
        activity_type: 'poll_created',
        entity_id: event.pollId,
        entity_type: 'community_poll',
        metadata: JSON.stringify({ visibility, category, options }),
      };
    }
    case 'comment_posted':
      return {
        ...row,
        activity_type: 'comment',
        entity_id: event.commentId,
        entity_type: 'comment',
        metadata: JSON.stringify({ pollId: event.pollId }),
      };
    default:
      return null;
  }
}
