import { randomBytes } from 'node:crypto';
import type { PollKind, ReportCategory, ReportedKind } from '#contract/vocabulary.ts';
import type { WebhookEvent, webhookTest } from '#contract/webhook.ts';
import type { Database } from '#platform/database.ts';

/** A poll as events name it. */
interface EventPoll {
  readonly id: string;
  readonly kind: PollKind;
  readonly title: string;
  readonly url: string;
}

/** What each event says: ids, titles, and addresses, never anything about a voter. A `url` is a path here and absolute when it is sent. */
interface EventData {
  readonly 'poll.opened': { readonly poll: EventPoll };
  readonly 'poll.closed': { readonly poll: EventPoll };
  readonly 'site.published': { readonly publish: { readonly id: number; readonly url: string } };
  readonly 'votes.set-aside': {
    readonly poll: EventPoll;
    readonly decision: {
      readonly number: number;
      /** Held votes count again unless an operator confirms. */
      readonly state: 'held' | 'set-aside';
      readonly reason: string;
      readonly votes: number;
      readonly url: string;
    };
  };
  readonly 'report.filed': {
    readonly poll: EventPoll;
    readonly report: { readonly kind: ReportedKind; readonly category: ReportCategory; readonly url: string };
  };
  readonly 'desk.needs-decision': {
    readonly items: readonly { readonly kind: string; readonly count: number }[];
    readonly url: string;
  };
}

/** An event with what it says. */
export type NewEvent = {
  [Type in WebhookEvent]: {
    readonly type: Type;
    readonly data: EventData[Type];
    /** Milliseconds. */ readonly at: number;
  };
}[WebhookEvent];

/**
 * Queues an event for every webhook that is notified of it and not paused. Call it in the transaction of what happened, after
 * its first write: the event is sent if and only if that is committed.
 */
export async function enqueueEvent(trx: Database, event: NewEvent): Promise<void> {
  await enqueueFor(trx, await listenersOf(trx, event.type), [event]);
}

/** Whether an unpaused webhook is notified of an event. */
export async function hasListeners(db: Database, type: WebhookEvent): Promise<boolean> {
  return (await listenersOf(db, type)).length > 0;
}

/** Events about polls, whose polls are read where a webhook is notified. */
type PollEvent = {
  [Type in 'poll.opened' | 'poll.closed' | 'votes.set-aside' | 'report.filed']: {
    readonly type: Type;
    readonly at: number;
    readonly pollId: string;
    /** What the event says besides the poll. */
    readonly more?: Omit<EventData[Type], 'poll'>;
  };
}['poll.opened' | 'poll.closed' | 'votes.set-aside' | 'report.filed'];

/** Like {@link enqueueEvent}, for events of one type about polls. Unlisted and private polls have no events. */
export async function enqueuePollEvents(trx: Database, events: readonly PollEvent[]): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const listeners = await listenersOf(trx, first.type);
  if (listeners.length === 0) return;
  const polls = await listedPolls(
    trx,
    events.map(({ pollId }) => pollId),
  );
  await enqueueFor(
    trx,
    listeners,
    events.flatMap(({ type, at, pollId, more }) => {
      const poll = polls.get(pollId);
      return poll ? [{ type, at, data: { poll, ...more } }] : [];
    }),
  );
}

interface QueuedEvent {
  readonly type: WebhookEvent | typeof webhookTest;
  readonly at: number;
  readonly data: object;
}

/** Rows that one statement inserts. */
const insertedAtOnce = 100;

/** Queues events for these webhooks. */
export async function enqueueFor(
  trx: Database,
  webhookIds: readonly string[],
  events: readonly QueuedEvent[],
): Promise<void> {
  const rows = events.flatMap(({ type, at, data }) => {
    // The same for every webhook, so that a receiver of several recognizes it.
    const message_id = `msg_${randomBytes(15).toString('base64url')}`;
    const message = { message_id, type, data: JSON.stringify(data), created_at: at, due_at: at };
    return webhookIds.map((webhook_id) => ({ webhook_id, ...message }));
  });
  if (rows.length > 0) await trx.batchInsert('webhook_deliveries', rows, insertedAtOnce);
}

/** The webhooks that are notified of an event; they can’t be deleted before the end of the transaction. */
async function listenersOf(trx: Database, type: WebhookEvent): Promise<string[]> {
  const webhooks = await trx('webhooks')
    .whereNull('paused_by')
    .orderBy('id')
    .forKeyShare()
    .select<{ id: string; events: string }[]>('id', 'events');
  return webhooks.filter(({ events }) => events.split(' ').includes(type)).map(({ id }) => id);
}

async function listedPolls(trx: Database, ids: readonly string[]): Promise<ReadonlyMap<string, EventPoll>> {
  const rows = await trx('ballots as b')
    .leftJoin('polls as p', 'p.id', 'b.id')
    .leftJoin('community_polls as c', 'c.id', 'b.id')
    .whereIn('b.id', ids)
    .where('b.listed', true)
    .select<{ id: string; kind: PollKind; title: string }[]>(
      ...['b.id', 'b.kind'],
      trx.raw('coalesce(p.question, c.question) as title'),
    );
  return new Map(
    rows.map(({ id, kind, title }) => {
      const url = `/${kind === 'poll' ? 'poll' : 'community-polls'}/${id}`;
      return [id, { id, kind, title, url }];
    }),
  );
}
