import { randomBytes } from 'node:crypto';
import { record } from '#api/events/record.service.ts';
import type { BodyOf } from '#api/endpoints.contract.ts';
import { deliveriesPageSize, webhooksMax, webhookTest, webhookUrlLength } from './webhooks.contract.ts';
import type { Webhook, WebhookDelivery, WebhookEvent } from './webhooks.contract.ts';
import type { AuditedEventType } from '#api/events/events.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database, Row } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { Operator } from '#platform/operator.ts';
import { isPrivateHost } from '#platform/public-request.ts';
import { webhookApiTexts as texts } from '#texts/webhooks.ts';
import { enqueue } from '#platform/jobs/jobs.service.ts';
import { deliveryJob, enqueueFor } from './events.service.ts';
import { dropQueued } from './sender.service.ts';
import { newWebhookSecret } from './signature.ts';

/** Milliseconds for which deliveries are signed with the previous secret, too. */
const previousSecretMs = 86_400_000;

export interface WebhooksContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Pick<Config, 'privateWebhooks'>;
}

/** All webhooks, oldest first. */
export async function listWebhooks({ db, clock }: Pick<WebhooksContext, 'db' | 'clock'>): Promise<Webhook[]> {
  const rows = await db('webhooks').orderBy(['created_at', 'id']).select('*');
  return rows.map((row) => webhookOf(row, clock.now()));
}

/** Creates a webhook; returns it with its secret. Throws VALIDATION_FAILED about the address, and CONFLICT when there are too many. */
export async function createWebhook(
  { db, clock, config }: WebhooksContext,
  operator: Operator,
  { url, events }: BodyOf<'createWebhook'>,
): Promise<{ webhook: Webhook; secret: string }> {
  const address = checkedUrl(url, config);
  return db.transaction(async (trx) => {
    // Of two requests at once, the second counts the first.
    if (!isSqlite(trx)) await trx.raw('lock table webhooks in share row exclusive mode');
    if ((await trx('webhooks').select('id')).length >= webhooksMax) throw errors.conflict(texts.tooMany);
    const secret = newWebhookSecret();
    const id = randomBytes(9).toString('base64url');
    const at = clock.now();
    const [row] = await trx('webhooks')
      .insert({ id, url: address.href, events: events.join(' '), secret, created_at: at })
      .returning('*');
    await audit(trx, { at, operator, action: 'webhook.create', id, after: { host: address.host, events } });
    return { webhook: webhookOf(row!, at), secret };
  });
}

/**
 * Changes a webhook. Pausing gives up what waits to be sent; a paused webhook misses events. Throws NOT_FOUND, and
 * VALIDATION_FAILED about the address.
 */
export async function changeWebhook(
  { db, clock, config }: WebhooksContext,
  operator: Operator,
  id: string,
  { url, events, paused }: BodyOf<'changeWebhook'>,
): Promise<Webhook> {
  const address = url === undefined ? undefined : checkedUrl(url, config);
  return db.transaction(async (trx) => {
    const before = await lockWebhook(trx, id);
    const isResumed = paused === false && before.paused_by !== null;
    const changes = {
      ...(address && { url: address.href }),
      ...(events && { events: events.join(' ') }),
      ...(paused === true && before.paused_by === null && { paused_by: 'operator' as const }),
      // A webhook that failed gets its full time again.
      ...(isResumed && { paused_by: null, failing_since: null }),
    };
    const at = clock.now();
    if (Object.keys(changes).length === 0) return webhookOf(before, at);
    const [after] = await trx('webhooks').where({ id }).update(changes).returning('*');
    if (after!.paused_by !== null) await dropQueued(trx, id);
    const [was, is] = [before, after!].map((row) => ({
      ...{ host: new URL(row.url).host, events: row.events.split(' '), pausedBy: row.paused_by },
    }));
    await audit(trx, { at, operator, action: 'webhook.change', id, before: was, after: is });
    return webhookOf(after!, at);
  });
}

/** Deletes a webhook with its deliveries. Throws NOT_FOUND. */
export async function deleteWebhook({ db, clock }: WebhooksContext, operator: Operator, id: string): Promise<void> {
  await db.transaction(async (trx) => {
    const { url, events } = await lockWebhook(trx, id);
    await trx('webhooks').where({ id }).del();
    const before = { host: new URL(url).host, events: events.split(' ') };
    await audit(trx, { at: clock.now(), operator, action: 'webhook.delete', id, before });
  });
}

/** Replaces the secret of a webhook and returns the new one; the previous one signs for another day. Throws NOT_FOUND. */
export async function rotateSecret({ db, clock }: WebhooksContext, operator: Operator, id: string): Promise<string> {
  return db.transaction(async (trx) => {
    const { secret: previous_secret } = await lockWebhook(trx, id);
    const secret = newWebhookSecret();
    const at = clock.now();
    await trx('webhooks')
      .where({ id })
      .update({ secret, previous_secret, previous_until: at + previousSecretMs });
    await audit(trx, { at, operator, action: 'webhook.rotate', id });
    return secret;
  });
}

/** Queues a test event, which is sent once, even to a paused webhook. Throws NOT_FOUND. */
export async function sendTest({ db, clock }: WebhooksContext, id: string): Promise<void> {
  await db.transaction(async (trx) => {
    await lockWebhook(trx, id);
    await enqueueFor(trx, [id], [{ type: webhookTest, at: clock.now(), data: { webhook: { id } } }]);
  });
}

/** One page of what was sent to a webhook, newest first. Throws NOT_FOUND. */
export async function deliveriesPage(
  db: Database,
  id: string,
  page: number,
): Promise<{ deliveries: WebhookDelivery[]; page: number; pages: number }> {
  if ((await db('webhooks').where({ id }).first('id')) === undefined) throw errors.notFound();
  const sent = () => db('webhook_deliveries as d').where({ webhook_id: id });
  const { count } = (await sent().count({ count: '*' }).first()) as { count: number | string };
  const rows = await sent()
    .leftJoin('jobs as j', (on) => on.on('j.key', db.raw('cast(d.id as varchar(130))')).andOnVal('j.kind', 'delivery'))
    .orderBy('d.id', 'desc')
    .limit(deliveriesPageSize)
    .offset((page - 1) * deliveriesPageSize)
    .select<DeliveryRow[]>('d.*', 'j.due_at');
  return { deliveries: rows.map(deliveryOf), page, pages: Math.max(1, Math.ceil(Number(count) / deliveriesPageSize)) };
}

/** Queues a delivery again, with all its attempts, unless it waits already. Throws NOT_FOUND. */
export async function resend({ db, clock }: WebhooksContext, id: string, delivery: number): Promise<void> {
  await db.transaction(async (trx) => {
    await lockWebhook(trx, id);
    const job = deliveryJob(id, delivery, clock.now());
    if ((await trx('jobs').where({ kind: job.kind, key: job.key }).first('id')) !== undefined) return;
    const own = trx('webhook_deliveries').where({ id: delivery, webhook_id: id });
    if ((await own.update({ attempts: 0, delivered_at: null })) === 0) throw errors.notFound();
    await enqueue(trx, [job]);
  });
}

/** How many webhooks were paused because they failed for days, and since when the first of them fails, in milliseconds. */
export async function failedWebhooks(db: Database): Promise<{ count: number; oldest: number | null }> {
  const since = await db('webhooks').where({ paused_by: 'failures' }).orderBy('failing_since').pluck('failing_since');
  return { count: since.length, oldest: since[0] ?? null };
}

/** The URL of a receiver. Throws VALIDATION_FAILED. */
function checkedUrl(text: string, { privateWebhooks }: WebhooksContext['config']): URL {
  const url = URL.parse(text.trim());
  const refuse = (message: string) => errors.validationFailed([{ field: 'url', message }]);
  if (url === null || !['https:', 'http:'].includes(url.protocol)) throw refuse(texts.notAnAddress);
  if (url.username !== '' || url.password !== '') throw refuse(texts.credentials);
  if (!privateWebhooks && url.protocol !== 'https:') throw refuse(texts.onlyHttps);
  if (!privateWebhooks && isPrivateHost(url)) throw refuse(texts.notPublic);
  url.hash = '';
  // Percent-encoding makes it longer.
  if (url.href.length > webhookUrlLength) throw refuse(texts.notAnAddress);
  return url;
}

async function lockWebhook(trx: Database, id: string): Promise<WebhookRow> {
  const row = await trx('webhooks').where({ id }).forUpdate().first();
  if (!row) throw errors.notFound();
  return row;
}

/** Addresses may contain keys, so that the audit log has only their hosts. */
async function audit(
  trx: Database,
  entry: {
    readonly at: number;
    readonly operator: Operator;
    readonly action: AuditedEventType;
    readonly id: string;
    readonly before?: object | undefined;
    readonly after?: object | undefined;
  },
): Promise<void> {
  const { at, operator, action, id, before, after } = entry;
  await record(trx, { at, actor: operator, type: action, subject: { kind: 'webhook', id }, before, after });
}

type WebhookRow = Row<'webhooks'>;

const webhookOf = (row: WebhookRow, now: number): Webhook => ({
  ...{ id: row.id, url: row.url, events: row.events.split(' ') as WebhookEvent[], pausedBy: row.paused_by },
  failingSince: isoOrNull(row.failing_since),
  previousSecretUntil: isoOrNull(now < (row.previous_until ?? 0) ? row.previous_until : null),
  createdAt: iso(row.created_at),
});

interface DeliveryRow {
  readonly id: number;
  readonly message_id: string;
  readonly type: WebhookDelivery['type'];
  readonly created_at: number;
  /** Null: delivered or given up. */
  readonly due_at: number | null;
  readonly attempts: number;
  readonly attempted_at: number | null;
  readonly delivered_at: number | null;
  readonly status: number | null;
  readonly milliseconds: number | null;
  readonly answer: string | null;
}

function deliveryOf(row: DeliveryRow): WebhookDelivery {
  const { id, message_id: messageId, type, attempts, status, milliseconds, answer } = row;
  const ended = row.delivered_at === null ? 'failed' : 'delivered';
  return {
    ...{ id, messageId, type, attempts, status, milliseconds, answer },
    state: row.due_at === null ? ended : 'waiting',
    createdAt: iso(row.created_at),
    attemptedAt: isoOrNull(row.attempted_at),
    nextAttemptAt: isoOrNull(row.due_at),
  };
}
