import { dayMs, dayOf } from '#domain/badges/calendar.ts';
import type { BadgeEvent } from '#domain/badges/progress.ts';
import type { Database } from '#platform/database.ts';
import { dummyHash } from '#platform/password-hash.ts';
import type { EventModel } from './badge.model.ts';

/** An event to be stored: earned badges have a table of their own. */
export type RecordedEvent = Exclude<BadgeEvent, { type: 'badge_earned' }>;

/** A row of the event log as it is inserted, in bulk and without models. */
export type EventRow = Pick<EventModel, 'user_id' | 'fact' | 'subject' | 'at' | 'amount'> & {
  /** JSON of the event's other fields. */
  readonly details: string;
};

/** Days after the first account until which members are early adopters, unless a date is configured. */
const earlyAdopterDays = 90;

/** Rows per statement; SQLite limits the parts of a compound statement. */
const rowsPerStatement = 100;

/**
 * Records an event of a member, once. To be called in the transaction of what happened, if there is one: it is projected
 * later, so that nothing about badges can fail that transaction.
 */
export async function recordEvent(db: Database, userId: string, event: RecordedEvent): Promise<void> {
  await addEvents(db, [rowOf(userId, event)]);
}

/**
 * Records a sign-up in its transaction. The new member is an early adopter before `earlyUntil` (milliseconds), or, if
 * that is null, within {@link earlyAdopterDays} of the first account that someone can sign in to.
 */
export async function recordSignUp(
  trx: Database,
  userId: string,
  at: number,
  earlyUntil: number | null,
): Promise<void> {
  const first = await trx('users').whereNot({ password: dummyHash }).min({ at: 'created_at' }).first<{ at: number }>();
  const early = at < (earlyUntil ?? first.at + earlyAdopterDays * dayMs);
  await recordEvent(trx, userId, { type: 'account_created', at, early });
}

/** Records for its creator, if it has one, that a public poll is featured. */
export async function recordFeatured(trx: Database, pollId: string, at: number): Promise<void> {
  const poll = await trx('community_polls')
    .where({ id: pollId, visibility: 'public' })
    .first<{ created_by: string | null } | undefined>('created_by');
  if (poll?.created_by != null) await recordEvent(trx, poll.created_by, { type: 'own_poll_featured', at, pollId });
}

/** Adds events that are not totals; existing ones stay unchanged. */
export async function addEvents(db: Database, rows: readonly EventRow[]): Promise<void> {
  for (const some of inBatches(rows))
    await db('facts').insert(some).onConflict(['user_id', 'fact', 'subject']).ignore();
}

/** Adds totals, or raises those that are lower, which are then projected again. */
export async function raiseTotals(db: Database, rows: readonly EventRow[]): Promise<void> {
  for (const row of inLockOrder(rows))
    await db('facts')
      .insert(row)
      .onConflict(['user_id', 'fact', 'subject'])
      .merge({ at: row.at, amount: row.amount, details: row.details, counted: false })
      .where('facts.amount', '<', row.amount);
}

/** Adds events, or corrects recorded ones; members’ progress is then recomputed. */
export async function correctEvents(db: Database, rows: readonly EventRow[]): Promise<void> {
  const corrected = `substr(excluded.details, 1, length(excluded.details) - 1) || ',"corrected":true}'`;
  for (const some of inBatches(inLockOrder(rows)))
    await db('facts')
      .insert(some)
      .onConflict(['user_id', 'fact', 'subject'])
      .merge({ amount: db.raw('excluded.amount'), details: db.raw(corrected), counted: false })
      .whereRaw(`facts.details not in (excluded.details, ${corrected})`);
}

/** Totals in the one order in which all transactions lock them, to prevent deadlocks. */
export function inLockOrder<Row extends Pick<EventRow, 'user_id' | 'fact' | 'subject'>>(rows: readonly Row[]): Row[] {
  const key = ({ user_id, fact, subject }: Row) => `${user_id} ${fact} ${subject}`;
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** A list split into lists of at most `size`. */
export function inBatches<T>(list: readonly T[], size = rowsPerStatement): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));
}

/** The row of an event. */
export function rowOf(userId: string, event: RecordedEvent): EventRow {
  const { type, at, ...details } = event;
  return {
    user_id: userId,
    fact: type,
    subject: subjectOf(event),
    at,
    amount: amountOf(event),
    details: JSON.stringify(details),
  };
}

/** The event of a row. */
export function eventOf({ fact, at, details }: Pick<EventRow, 'fact' | 'at' | 'details'>): RecordedEvent {
  const { membersBefore, ...rest } = JSON.parse(details) as { membersBefore?: number };
  // Releases before migration 024 store how many members there were before a sign-up; the first hundred were early.
  const early = membersBefore === undefined ? {} : { early: membersBefore < 100 };
  return { ...rest, ...early, type: fact, at } as RecordedEvent;
}

/** What distinguishes two events of one type. */
function subjectOf(event: RecordedEvent): string {
  switch (event.type) {
    case 'account_created':
      return '';
    case 'day_active':
      return String(dayOf(event.at));
    case 'vote_cast':
      return event.ballotId;
    case 'comment_posted':
      return event.commentId;
    case 'invite_accepted':
      return `${event.pollId}/${event.guestId}`;
    default:
      return event.pollId;
  }
}

function amountOf(event: RecordedEvent): number | null {
  if (event.type === 'own_poll_voted') return event.votes;
  return event.type === 'own_poll_commented' ? event.comments : null;
}
