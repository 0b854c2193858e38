import { webhookTest } from '#contract/webhook.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { removeExpired } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { errorOf } from '#platform/errors.ts';
import type { Logger } from '#platform/logger.ts';
import { claimDue } from '#platform/outbox.ts';
import { beginningOf, PrivateAddressError, requestPublicly } from '#platform/public-request.ts';
import { repeat } from '#platform/repeat.ts';
import { webhookFailureTexts as texts } from '#texts/webhooks.ts';
import { signatureHeaders } from './signature.ts';

/** Milliseconds between two looks into the outbox, and until a receiver must have answered by default. */
const everyMs = 2_000;
const defaultAnswerMs = 10_000;
/** Seconds after the first, second, and later failures until the next attempt, a day in all; then the delivery has failed. */
export const retrySeconds = [10, 60, 360, 2_160, 10_800, 28_800, 44_210] as const;
/** Milliseconds for which a process keeps a delivery; more than an attempt takes. */
const claimMs = 60_000;
/** Milliseconds without a success, from the first failure on, after which a failed delivery pauses the webhook. */
const failingMs = 5 * 86_400_000;
/** Milliseconds after which no more deliveries of one webhook begin in a round, so that new ones of others don’t wait. */
const roundMs = 20_000;
/** Days for which deliveries are kept. */
export const deliveryDays = 30;
/** Bytes that are read of an answer, and characters that are kept. */
const answerBytes = 1_000;
const answerCharacters = 200;

export interface WebhookSenderContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: Pick<Config, 'publicUrl' | 'privateWebhooks'>;
  /** Milliseconds until a receiver must have answered. */
  readonly answerMs?: number;
  /** Milliseconds for the deliveries of one webhook per call. */
  readonly roundMs?: number;
}

interface WebhookRow {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly previous_until: number | null;
}

interface DeliveryRow {
  readonly id: number;
  readonly webhook_id: string;
  readonly message_id: string;
  readonly type: string;
  readonly data: string;
  readonly created_at: number;
  readonly attempts: number;
}

/** What came of an attempt; `status` null: there was no response. */
interface Attempt {
  readonly status: number | null;
  readonly milliseconds: number;
  readonly answer: string;
}

/**
 * Sends the deliveries that are due, those of one webhook one after the other for a limited time, and returns how many were accepted. A delivery
 * is sent again when its process dies before it has recorded the answer. Several processes may call it at once.
 */
export async function sendDueDeliveries(
  context: WebhookSenderContext,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const { db, clock } = context;
  const due = await db('webhook_deliveries')
    .where('due_at', '<=', clock.now())
    .distinct()
    .pluck<string[]>('webhook_id');
  const accepted = await Promise.all(due.map((id) => sendTo(context, id, isStopped)));
  return accepted.reduce((sum, count) => sum + count, 0);
}

async function sendTo(context: WebhookSenderContext, webhookId: string, isStopped: () => boolean): Promise<number> {
  const { db, clock } = context;
  const began = performance.now();
  for (let accepted = 0; ; accepted++) {
    if (isStopped() || performance.now() - began >= (context.roundMs ?? roundMs)) return accepted;
    const now = clock.now();
    const until = now + claimMs;
    const only = { webhook_id: webhookId };
    const delivery = await claimDue<DeliveryRow>(db, 'webhook_deliveries', { now, until, only });
    const webhook = await db('webhooks').where({ id: webhookId }).first<WebhookRow | undefined>();
    if (!delivery || !webhook) return accepted;
    const attempt = await send(context, webhook, delivery);
    const { status } = attempt;
    if (status === null || status < 200 || status > 299) {
      // The next one would probably fail, too; it is tried on the next round.
      await recordFailure(context, delivery, attempt, until);
      return accepted;
    }
    await db.transaction(async (trx) => {
      await lockWebhook(trx, webhookId);
      const at = clock.now();
      await trx('webhook_deliveries')
        .where({ id: delivery.id })
        .update({ ...attempt, attempted_at: at, delivered_at: at, due_at: null });
      await trx('webhooks').where({ id: webhookId }).whereNotNull('failing_since').update({ failing_since: null });
    });
  }
}

async function send(
  { clock, config, answerMs = defaultAnswerMs }: WebhookSenderContext,
  { url, secret, previous_secret, previous_until }: WebhookRow,
  { message_id: id, type, data, created_at }: DeliveryRow,
): Promise<Attempt> {
  const now = clock.now();
  const content = JSON.parse(data, (key, value: unknown) =>
    key === 'url' && typeof value === 'string' ? config.publicUrl + value : value,
  ) as unknown;
  const body = JSON.stringify({ type, timestamp: iso(created_at), data: content });
  const secrets = [secret, ...(previous_secret !== null && now < previous_until! ? [previous_secret] : [])];
  const headers = {
    ...signatureHeaders({ id, timestamp: Math.floor(now / 1_000), body }, secrets),
    'content-type': 'application/json',
    'user-agent': 'Weathervane webhooks',
  };
  const began = performance.now();
  const timed = (result: Omit<Attempt, 'milliseconds'>) => ({
    ...result,
    milliseconds: Math.round(performance.now() - began),
  });
  try {
    const signal = AbortSignal.timeout(answerMs);
    const allowPrivate = config.privateWebhooks;
    const response = await requestPublicly(new URL(url), { method: 'POST', headers, body, signal, allowPrivate });
    return timed({
      status: response.statusCode ?? null,
      answer: firstCharacters((await beginningOf(response, answerBytes, signal)).toString()),
    });
  } catch (error) {
    return timed({ status: null, answer: failureText(error, answerMs) });
  }
}

/** PostgreSQL stores no NUL, and other control characters would break the lines of the log. */
const firstCharacters = (text: string) =>
  Array.from(text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .slice(0, answerCharacters)
    .join('');

function failureText(thrown: unknown, answerMs: number): string {
  const error = errorOf(thrown);
  if (error instanceof PrivateAddressError) return texts.privateAddress;
  if (error.name === 'TimeoutError') return texts.late(answerMs / 1_000);
  return firstCharacters(error.message || error.name);
}

/** Locks a webhook before its deliveries, in the order of changes by operators, so that nothing deadlocks. */
async function lockWebhook(trx: Database, id: string): Promise<void> {
  await trx('webhooks').where({ id }).forNoKeyUpdate().first('id');
}

/** Postpones a delivery, or gives it up; pauses a webhook that has failed for days. Does nothing if it was paused meanwhile. */
async function recordFailure(
  { db, clock, log }: WebhookSenderContext,
  { id, webhook_id: webhookId, type, attempts }: DeliveryRow,
  attempt: Attempt,
  claimedUntil: number,
): Promise<void> {
  const at = clock.now();
  // The owner sees at once whether a test has failed.
  const wait = type === webhookTest ? undefined : retrySeconds[attempts - 1];
  const about = { webhook: webhookId, delivery: id, type, attempt: attempts, status: attempt.status };
  await db.transaction(async (trx) => {
    await lockWebhook(trx, webhookId);
    const recorded = await trx('webhook_deliveries')
      .where({ id, due_at: claimedUntil })
      .update({ ...attempt, attempted_at: at, due_at: wait === undefined ? null : at + wait * 1_000 });
    if (recorded === 0 || type === webhookTest) return;
    await trx('webhooks').where({ id: webhookId }).whereNull('failing_since').update({ failing_since: at });
    if (wait !== undefined) {
      log.warn(about, 'a webhook did not accept an event; will retry');
      return;
    }
    log.error(about, 'a webhook did not accept an event, which was given up');
    const failing = trx('webhooks')
      .where({ id: webhookId })
      .where('failing_since', '<=', at - failingMs);
    if ((await failing.whereNull('paused_by').update({ paused_by: 'failures' })) === 0) return;
    await dropQueued(trx, webhookId);
    log.error({ webhook: webhookId }, 'a webhook has failed for five days and was paused');
  });
}

/** Gives up what waits for a webhook. */
export async function dropQueued(trx: Database, webhookId: string): Promise<void> {
  await trx('webhook_deliveries')
    .where({ webhook_id: webhookId })
    .whereNotNull('due_at')
    .update({ due_at: null, answer: texts.paused });
}

/** Deletes deliveries that are no longer kept. */
export async function sweepDeliveries(db: Database, now: number): Promise<void> {
  const expiring = { table: 'webhook_deliveries', key: 'id', column: 'created_at' };
  await removeExpired(db, expiring, now - deliveryDays * 86_400_000);
}

/** Sends deliveries in the background until stopped. */
export function startSendingWebhooks(context: WebhookSenderContext): { stop(): Promise<void> } {
  return repeat((signal) => sendDueDeliveries(context, () => signal.aborted), {
    everyMs,
    later: true,
    log: context.log,
    failed: 'could not send the deliveries of webhooks; will retry',
  });
}
