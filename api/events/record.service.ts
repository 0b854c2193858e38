import type { Database } from '#platform/database.ts';
import { insertRows } from '#platform/bulk-rows.ts';
import type { Columns } from '#platform/bulk-rows.ts';
import type { Actor, EventType, MemberEvent, NewEvent, NoticeEvent, NotifiedEvent } from './events.ts';
import type { PollEvent, SiteEvent, VotesEvent } from './events.ts';

/** What follows from events, in the transaction that records them. */
export type Subscriber<Event extends NewEvent> = (trx: Database, events: readonly Event[]) => Promise<void>;

/**
 * What follows from each event. Others of operators and of members are not named, because nothing follows at once: the audit log
 * is a query of the events with an actor; activities, figures, and badges are queries of those with a member.
 */
export type Consequences = { readonly [Type in Followed['type']]: readonly Subscriber<EventOf<Type>>[] };

type Followed =
  | PollEvent
  | VotesEvent
  | SiteEvent
  | NoticeEvent
  | NotifiedEvent
  | MemberEvent<'invitation.followed' | 'invitation.accepted'>;
type EventOf<Type, Event = Followed> = Event extends { readonly type: infer Own }
  ? Type extends Own
    ? Event
    : never
  : never;

type AnySubscriber = Subscriber<NewEvent>;

let declared: {
  readonly follows: Partial<Record<EventType, readonly AnySubscriber[]>>;
  readonly order: AnySubscriber[];
} | null = null;

/**
 * Declares what follows from events, once per process. `order` has all subscribers: they lock rows, and two transactions
 * must lock them in one order. Throws where it leaves one out.
 */
export function subscribe(consequences: Consequences, order: readonly unknown[]): void {
  const follows = consequences as Partial<Record<EventType, readonly AnySubscriber[]>>;
  const missing = Object.values(follows)
    .flat()
    .find((subscriber) => !order.includes(subscriber));
  if (missing) throw new Error(`${missing.name} has no place in the order of subscribers.`);
  declared = { follows, order: order as AnySubscriber[] };
}

const columns = {
  ...{ at: 'bigint', type: 'text', subject_kind: 'text', subject: 'text' },
  ...{ actor: 'text', actor_id: 'text', member_id: 'text', before: 'text', after: 'text' },
} as const satisfies Columns;

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

/**
 * Records what happened, in the transaction in which it does, with all that follows from it there. What a member did is
 * recorded once per subject.
 */
export async function record(trx: Database, happened: NewEvent | readonly NewEvent[]): Promise<void> {
  if (declared === null) throw new Error('Nothing says what follows from events: import api/consequences.ts first.');
  const { follows, order } = declared;
  const events: readonly NewEvent[] = 'type' in happened ? [happened] : happened;
  if (events.length === 0) return;
  const rows = [];
  const stored = events.filter(({ type }) => type !== 'votes.held' && type !== 'answer.waiting');
  for (const { at, type, subject, actor, member = null, before, after } of stored)
    rows.push({
      ...{ at, type, subject_kind: subject.kind, subject: subject.id },
      ...(await actorColumns(trx, actor)),
      ...{ member_id: member, before: json(before), after: json(after) },
    });
  await insertRows(trx, 'events', columns, rows, 'on conflict do nothing');
  for (const subscriber of order) {
    const heard = events.filter(({ type }) => follows[type]?.includes(subscriber));
    if (heard.length > 0) await subscriber(trx, heard);
  }
}

async function actorColumns(trx: Database, actor: Actor | undefined) {
  if (actor === undefined) return { actor: null, actor_id: null };
  if (typeof actor !== 'string') return { actor: actor.name, actor_id: actor.id };
  const operator = await trx('operators as o')
    .join('users as u', 'u.id', 'o.user_id')
    .where('u.username', actor)
    .first<{ id: string } | undefined>('u.id');
  return { actor, actor_id: operator?.id ?? null };
}
