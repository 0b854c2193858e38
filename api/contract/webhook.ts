import type { FromSchema } from 'json-schema-to-ts';
import type { Endpoint } from './routes.ts';
import { routes } from './routes.ts';
import { count, maybeMoment, moment } from './scalars.ts';

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

const url = { type: 'string', minLength: 1, maxLength: webhookUrlLength } as const;
const events = {
  type: 'array',
  items: { type: 'string', enum: webhookEvents },
  minItems: 1,
  maxItems: webhookEvents.length,
  uniqueItems: true,
} as const;

const webhookSchema = {
  $id: 'Webhook',
  type: 'object',
  required: ['id', 'url', 'events', 'pausedBy', 'failingSince', 'previousSecretUntil', 'createdAt'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    url: { type: 'string' },
    events: { type: 'array', items: { type: 'string', enum: webhookEvents } },
    pausedBy: {
      anyOf: [{ type: 'string', enum: ['operator', 'failures'] }, { type: 'null' }],
      description: 'Null while events are sent',
    },
    failingSince: { ...maybeMoment, description: 'The first failure since the last success' },
    previousSecretUntil: {
      ...maybeMoment,
      description: 'Until when deliveries are signed with the previous secret, too',
    },
    createdAt: moment,
  },
} as const;
export type Webhook = FromSchema<typeof webhookSchema>;

const secret = {
  type: 'string',
  pattern: '^whsec_',
  description: 'Signs deliveries; not shown again',
} as const;

const deliverySchema = {
  $id: 'WebhookDelivery',
  type: 'object',
  required: [
    ...['id', 'messageId', 'type', 'state', 'createdAt', 'attempts', 'attemptedAt', 'nextAttemptAt'],
    ...['status', 'milliseconds', 'answer'],
  ],
  additionalProperties: false,
  properties: {
    id: { ...count, minimum: 1 },
    messageId: { type: 'string' },
    type: { type: 'string', enum: [...webhookEvents, webhookTest] },
    state: { type: 'string', enum: ['waiting', 'delivered', 'failed'] },
    createdAt: moment,
    attempts: count,
    attemptedAt: maybeMoment,
    nextAttemptAt: maybeMoment,
    status: { anyOf: [count, { type: 'null' }], description: 'HTTP status of the last response' },
    milliseconds: { anyOf: [count, { type: 'null' }] },
    answer: {
      anyOf: [{ type: 'string' }, { type: 'null' }],
      description: 'The first 200 characters of the last response, or why there was none',
    },
  },
} as const;
export type WebhookDelivery = FromSchema<typeof deliverySchema>;

const webhookParams = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: { id: { type: 'string', pattern: '^[\\w-]{1,40}$' } },
} as const;

const errors = ['ADMIN_REQUIRED', 'NOT_FOUND', 'VALIDATION_FAILED'] as const;

/** Webhooks of the owner. */
export const webhookEndpoints = {
  webhooks: {
    ...routes.webhooks,
    admin: 'owner',
    summary: 'The webhooks, oldest first',
    status: 200,
    response: {
      type: 'object',
      required: ['webhooks'],
      additionalProperties: false,
      properties: { webhooks: { type: 'array', items: webhookSchema, maxItems: webhooksMax } },
    },
    errors: ['ADMIN_REQUIRED'],
  },
  createWebhook: {
    ...routes.createWebhook,
    admin: 'owner',
    summary: 'Notify an https address of events; returns the secret that signs deliveries, once',
    body: {
      type: 'object',
      required: ['url', 'events'],
      additionalProperties: false,
      properties: { url, events },
    },
    status: 201,
    response: {
      type: 'object',
      required: ['webhook', 'secret'],
      additionalProperties: false,
      properties: { webhook: webhookSchema, secret },
    },
    errors: ['ADMIN_REQUIRED', 'VALIDATION_FAILED', 'CONFLICT'],
  },
  changeWebhook: {
    ...routes.changeWebhook,
    admin: 'owner',
    summary: 'Change the address or the events of a webhook, pause it, or resume it',
    params: webhookParams,
    body: {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      properties: { url, events, paused: { type: 'boolean' } },
    },
    status: 200,
    response: webhookSchema,
    errors,
  },
  deleteWebhook: {
    ...routes.deleteWebhook,
    admin: 'owner',
    summary: 'Delete a webhook with its deliveries',
    params: webhookParams,
    status: 204,
    errors,
  },
  rotateWebhookSecret: {
    ...routes.rotateWebhookSecret,
    admin: 'owner',
    summary: 'Create a new secret; for a day, deliveries are signed with the previous one, too',
    params: webhookParams,
    status: 200,
    response: { type: 'object', required: ['secret'], additionalProperties: false, properties: { secret } },
    errors,
  },
  testWebhook: {
    ...routes.testWebhook,
    admin: 'owner',
    summary: 'Queue a test event, which is sent once, even while the webhook is paused',
    params: webhookParams,
    status: 204,
    errors,
  },
  webhookDeliveries: {
    ...routes.webhookDeliveries,
    admin: 'owner',
    summary: 'What was sent to a webhook within 30 days, newest first',
    params: webhookParams,
    query: {
      type: 'object',
      additionalProperties: false,
      properties: { page: { type: 'integer', minimum: 1, maximum: 100_000, default: 1 } },
    },
    status: 200,
    response: {
      type: 'object',
      required: ['deliveries', 'page', 'pages'],
      additionalProperties: false,
      properties: {
        deliveries: { type: 'array', items: deliverySchema, maxItems: deliveriesPageSize },
        page: count,
        pages: count,
      },
    },
    errors,
  },
  resendDelivery: {
    ...routes.resendDelivery,
    admin: 'owner',
    summary: 'Queue a delivery again under the same message id',
    params: {
      type: 'object',
      required: ['id', 'delivery'],
      additionalProperties: false,
      properties: { ...webhookParams.properties, delivery: { type: 'string', pattern: '^[1-9][0-9]{0,14}$' } },
    },
    status: 204,
    errors,
  },
} as const satisfies Record<string, Endpoint>;
