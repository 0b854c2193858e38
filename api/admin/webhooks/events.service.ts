import { randomBytes } from 'node:crypto';
import type { NoticeEvent, PollEvent, VotesEvent } from '#api/events/events.ts';
import type { PollKind } from '#contract/vocabulary.ts';
import { webhookEvents } from './webhooks.contract.ts';
import type { WebhookEvent, webhookTest } from './webhooks.contract.ts';
import type { Database } from '#platform/database.ts';
import { enqueue } from '#platform/jobs/jobs.service.ts';
import type { NewJob } from '#platform/jobs/jobs.service.ts';

/** A poll as events name it. */
interface EventPoll {
  readonly id: string;
  readonly kind: PollKind;
  readonly title: string;
  readonly url: string;
}

/** The events that webhooks are told; those of votes that are set aside, and of held ones that are confirmed, have a notice. */
const heard = new Set<string>(webhookEvents);

/**
 * Queues what happened for every webhook that is notified of it and not paused: it is sent if and only if the transaction is
 * committed. Unlisted and private polls are never named. What is said has ids, titles, and addresses, never anything about a
 * voter; a `url` is a path here and absolute when it is sent.
 */
export async function sendWebhooks(
  trx: Database,
  events: readonly (PollEvent | VotesEvent | NoticeEvent)[],
): Promise<void> {
  const messages = events.flatMap((event) => {
    if ('poll' in event) return { type: event.type, event, said: {} };
    if (!('counts' in event)) return { type: event.type, event, said: event.told ?? event.after };
    return event.notice ? { type: 'votes.set-aside', event, said: { decision: event.notice } } : [];
  });
  for (const [type, some] of Map.groupBy(messages, (message) => message.type)) {
    const listeners = heard.has(type) ? await listenersOf(trx, type) : [];
    if (listeners.length === 0) continue;
    const about = some.map(({ event: { subject } }) => subject).filter(({ kind }) => kind !== 'site');
    const polls = await listedPolls(
      trx,
      about.map(({ id }) => id),
    );
    const queued = some.flatMap(({ event: { at, subject }, said }) => {
      const poll = polls.get(subject.id);
      if (subject.kind === 'site') return { type: type as WebhookEvent, at, data: said };
      return poll ? { type: type as WebhookEvent, at, data: { poll, ...said } } : [];
    });
    await enqueueFor(trx, listeners, queued);
  }
}

interface QueuedEvent {
  readonly type: WebhookEvent | typeof webhookTest;
  readonly at: number;
  readonly data: object;
}

/** Rows that one statement inserts. */
const insertedAtOnce = 100;

/** Queues events for these webhooks, each of which gets them one after the other. */
export async function enqueueFor(
  trx: Database,
  webhookIds: readonly string[],
  events: readonly QueuedEvent[],
): Promise<void> {
  const rows = events.flatMap(({ type, at, data }) => {
    // The same for every webhook, so that a receiver of several recognizes it.
    const message_id = `msg_${randomBytes(15).toString('base64url')}`;
    const message = { message_id, type, data: JSON.stringify(data), created_at: at };
    return webhookIds.map((webhook_id) => ({ webhook_id, ...message }));
  });
  if (rows.length === 0) return;
  const added = await trx
    .batchInsert<AddedDelivery>('webhook_deliveries', rows, insertedAtOnce)
    .returning(['id', 'webhook_id', 'created_at']);
  await enqueue(
    trx,
    added.map(({ id, webhook_id, created_at }) => deliveryJob(webhook_id, id, created_at)),
  );
}

interface AddedDelivery {
  readonly id: number;
  readonly webhook_id: string;
  readonly created_at: number;
}

/** The job that sends a delivery. */
export const deliveryJob = (webhookId: string, id: number, dueAt: number): NewJob => ({
  ...{ kind: 'delivery', key: String(id), lane: webhookId, dueAt },
});

/** The webhooks that are notified of an event; they can’t be deleted before the end of the transaction. */
async function listenersOf(trx: Database, type: string): Promise<string[]> {
  const webhooks = await trx('webhooks').whereNull('paused_by').orderBy('id').forKeyShare().select('id', 'events');
  return webhooks.filter(({ events }) => events.split(' ').includes(type)).map(({ id }) => id);
}

/** Those of these polls that everyone may know, as events name them. */
export async function listedPolls(trx: Database, ids: readonly string[]): Promise<ReadonlyMap<string, EventPoll>> {
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
