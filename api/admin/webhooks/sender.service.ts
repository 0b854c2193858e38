import { webhookTest } from './webhooks.contract.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { removeExpired } from '#platform/database.ts';
import type { Database, Row } from '#platform/database.ts';
import { errorOf } from '#platform/errors.ts';
import type { Logger } from '#platform/logger.ts';
import { beginningOf, PrivateAddressError, requestPublicly } from '#platform/public-request.ts';
import { cancelJobs } from '#platform/jobs/jobs.service.ts';
import { JobFailure } from '#platform/jobs/runner.service.ts';
import type { FailedJob, Job } from '#platform/jobs/runner.service.ts';
import { webhookFailureTexts as texts } from '#texts/webhooks.ts';
import { listedPolls } from './events.service.ts';
import { signatureHeaders } from './signature.ts';

/** Milliseconds until a receiver must have answered by default. */
const defaultAnswerMs = 10_000;
/** Milliseconds without a success, from the first failure on, after which a failed delivery pauses the webhook. */
const failingMs = 5 * 86_400_000;
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
}

type WebhookRow = Row<'webhooks'>;

type DeliveryRow = Row<'webhook_deliveries'>;

/** What came of an attempt; `status` null: there was no response. */
interface Attempt {
  readonly status: number | null;
  readonly milliseconds: number;
  readonly answer: string;
}

/** An attempt that the receiver did not accept. */
class DeliveryFailure extends JobFailure {
  readonly attempt: Attempt;

  constructor(attempt: Attempt, { id, webhook_id, type }: DeliveryRow) {
    // The owner sees at once whether a test has failed.
    super({ webhook: webhook_id, delivery: id, type, status: attempt.status }, type === webhookTest);
    this.attempt = attempt;
  }
}

/** Sends a delivery and records the answer; it is sent again, with the same id, if the process dies before that. */
export async function sendDelivery(context: WebhookSenderContext, job: Job): Promise<void> {
  const { db, clock } = context;
  const delivery = await deliveryOf(db, job);
  const webhook = delivery && (await db('webhooks').where({ id: delivery.webhook_id }).first());
  // Deleted meanwhile.
  if (!webhook) return;
  const { poll } = JSON.parse(delivery.data) as { readonly poll?: { readonly id: string } };
  if (poll && (await listedPolls(db, [poll.id])).size === 0) {
    await db('webhook_deliveries').where({ id: delivery.id }).update({ answer: texts.notListed });
    return;
  }
  const attempt = await send(context, webhook, delivery, job.signal);
  const { status } = attempt;
  if (status === null || status < 200 || status > 299) throw new DeliveryFailure(attempt, delivery);
  await db.transaction(async (trx) => {
    await lockWebhook(trx, webhook.id);
    const at = clock.now();
    await trx('webhook_deliveries')
      .where({ id: delivery.id })
      .update({ ...attempt, attempts: job.attempts, attempted_at: at, delivered_at: at });
    await trx('webhooks').where({ id: webhook.id }).whereNotNull('failing_since').update({ failing_since: null });
    await job.finish(trx);
  });
}

const deliveryOf = (db: Database, { key }: Job) =>
  db('webhook_deliveries')
    .where({ id: Number(key) })
    .first();

async function send(
  { clock, config, answerMs = defaultAnswerMs }: WebhookSenderContext,
  { url, secret, previous_secret, previous_until }: WebhookRow,
  { message_id: id, type, data, created_at }: DeliveryRow,
  stopped: AbortSignal,
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
    const signal = AbortSignal.any([AbortSignal.timeout(answerMs), stopped]);
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

/**
 * Postpones a delivery, or gives it up; pauses a webhook that has failed for days. Does nothing if it was paused meanwhile.
 * Without an answer, the site itself has failed.
 */
export async function recordFailure(
  { db, clock, log }: WebhookSenderContext,
  job: FailedJob,
  failure: JobFailure,
): Promise<void> {
  const delivery = await deliveryOf(db, job);
  await db.transaction(async (trx) => {
    if (delivery) await lockWebhook(trx, delivery.webhook_id);
    const next = await job.retry(trx);
    if (!delivery || next === 'lost') return;
    const { id, webhook_id: webhookId, type } = delivery;
    const at = clock.now();
    const attempt = failure instanceof DeliveryFailure ? failure.attempt : { answer: texts.ownFailure };
    await trx('webhook_deliveries')
      .where({ id })
      .update({ ...attempt, attempts: job.attempts, attempted_at: at });
    if (type === webhookTest) return;
    await trx('webhooks').where({ id: webhookId }).whereNull('failing_since').update({ failing_since: at });
    if (next === 'later') return;
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
  const queue = { kind: 'delivery', lane: webhookId } as const;
  await trx('webhook_deliveries as d')
    .where({ webhook_id: webhookId })
    .whereExists(trx('jobs').where(queue).whereRaw('key = cast(d.id as varchar(130))').select(trx.raw('1')))
    .update({ answer: texts.paused });
  await cancelJobs(trx, queue);
}

/** Deletes deliveries that are no longer kept. */
export async function sweepDeliveries(db: Database, now: number): Promise<void> {
  const expiring = { table: 'webhook_deliveries', key: 'id', column: 'created_at' };
  await removeExpired(db, expiring, now - deliveryDays * 86_400_000);
}
