import { Type } from 'typebox';
import { del, get, patch, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import {
  adjusted,
  closed,
  count,
  described,
  maybeMoment,
  moment,
  named,
  nullable,
  oneOf,
  query,
} from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';

/** Events that webhooks can be notified of. */
export const webhookEvents = [
  'poll.opened',
  'poll.closed',
  'site.published',
  'votes.set-aside',
  'report.filed',
  'desk.needs-decision',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** The event of a delivery that the owner sends to see whether the address accepts it. */
export const webhookTest = 'webhook.test';

/** Webhooks of an installation, characters of an address, and deliveries on one page. */
export const webhooksMax = 20;
export const webhookUrlLength = 2_000;
export const deliveriesPageSize = 20;

const url = Type.String({ minLength: 1, maxLength: webhookUrlLength });
const events = Type.Array(oneOf(webhookEvents), { minItems: 1, maxItems: webhookEvents.length, uniqueItems: true });

const webhookSchema = named('Webhook', {
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(oneOf(webhookEvents)),
  pausedBy: nullable(oneOf(['operator', 'failures']), { description: 'Null while events are sent' }),
  failingSince: described(maybeMoment, 'The first failure since the last success'),
  previousSecretUntil: described(maybeMoment, 'Until when deliveries are signed with the previous secret, too'),
  createdAt: moment,
});
export type Webhook = Static<typeof webhookSchema>;

const secret = Type.String({ pattern: '^whsec_', description: 'Signs deliveries; not shown again' });

const deliverySchema = named('WebhookDelivery', {
  id: adjusted(count, { minimum: 1 }),
  messageId: Type.String(),
  type: oneOf([...webhookEvents, webhookTest]),
  state: oneOf(['waiting', 'delivered', 'failed']),
  createdAt: moment,
  attempts: count,
  attemptedAt: maybeMoment,
  nextAttemptAt: maybeMoment,
  status: nullable(count, { description: 'HTTP status of the last response' }),
  milliseconds: nullable(count),
  answer: nullable(Type.String(), {
    description: 'The first 200 characters of the last response, or why there was none',
  }),
});
export type WebhookDelivery = Static<typeof deliverySchema>;

const webhookParams = closed({ id: Type.String({ pattern: '^[\\w-]{1,40}$' }) });

const errors = ['ADMIN_REQUIRED', 'NOT_FOUND', 'VALIDATION_FAILED'] as const;

/** Webhooks of the owner. */
export const webhookEndpoints = {
  webhooks: {
    ...get('/api/admin/webhooks'),
    admin: 'owner',
    summary: 'The webhooks, oldest first',
    status: 200,
    response: closed({ webhooks: Type.Array(webhookSchema, { maxItems: webhooksMax }) }),
    errors: ['ADMIN_REQUIRED'],
  },
  createWebhook: {
    ...post('/api/admin/webhooks'),
    admin: 'owner',
    summary: 'Notify an https address of events; returns the secret that signs deliveries, once',
    body: closed({ url, events }),
    status: 201,
    response: closed({ webhook: webhookSchema, secret }),
    errors: ['ADMIN_REQUIRED', 'VALIDATION_FAILED', 'CONFLICT'],
  },
  changeWebhook: {
    ...patch('/api/admin/webhooks/:id'),
    admin: 'owner',
    summary: 'Change the address or the events of a webhook, pause it, or resume it',
    params: webhookParams,
    body: closed(
      { url: Type.Optional(url), events: Type.Optional(events), paused: Type.Optional(Type.Boolean()) },
      { minProperties: 1 },
    ),
    status: 200,
    response: webhookSchema,
    errors,
  },
  deleteWebhook: {
    ...del('/api/admin/webhooks/:id'),
    admin: 'owner',
    summary: 'Delete a webhook with its deliveries',
    params: webhookParams,
    status: 204,
    errors,
  },
  rotateWebhookSecret: {
    ...post('/api/admin/webhooks/:id/secret'),
    admin: 'owner',
    summary: 'Create a new secret; for a day, deliveries are signed with the previous one, too',
    params: webhookParams,
    status: 200,
    response: closed({ secret }),
    errors,
  },
  testWebhook: {
    ...post('/api/admin/webhooks/:id/test'),
    admin: 'owner',
    summary: 'Queue a test event, which is sent once, even while the webhook is paused',
    params: webhookParams,
    status: 204,
    errors,
  },
  webhookDeliveries: {
    ...get('/api/admin/webhooks/:id/deliveries'),
    admin: 'owner',
    summary: 'What was sent to a webhook within 30 days, newest first',
    params: webhookParams,
    query: query({ page: Type.Integer({ minimum: 1, maximum: 100_000, default: 1 }) }),
    status: 200,
    response: closed({
      deliveries: Type.Array(deliverySchema, { maxItems: deliveriesPageSize }),
      page: count,
      pages: count,
    }),
    errors,
  },
  resendDelivery: {
    ...post('/api/admin/webhooks/:id/deliveries/:delivery/resend'),
    admin: 'owner',
    summary: 'Queue a delivery again under the same message id',
    params: closed({ ...webhookParams.properties, delivery: Type.String({ pattern: '^[1-9][0-9]{0,14}$' }) }),
    status: 204,
    errors,
  },
} as const satisfies Record<string, Endpoint>;
