import type { MountGuarded } from '#platform/operator.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  deliveriesPage,
  listWebhooks,
  resend,
  rotateSecret,
  sendTest,
} from './webhooks.service.ts';
import type { WebhooksContext } from './webhooks.service.ts';

/** The owner’s endpoints for webhooks. */
export function mountWebhooks(guarded: MountGuarded, context: WebhooksContext): void {
  const { db } = context;
  guarded('webhooks', async () => ({ webhooks: await listWebhooks(context) }));
  guarded('createWebhook', ({ body, operator }) => createWebhook(context, operator, body));
  guarded('changeWebhook', ({ params, body, operator }) => changeWebhook(context, operator, params.id, body));
  guarded('deleteWebhook', async ({ params, operator }) => {
    await deleteWebhook(context, operator, params.id);
    return undefined;
  });
  guarded('rotateWebhookSecret', async ({ params, operator }) => ({
    secret: await rotateSecret(context, operator, params.id),
  }));
  guarded('testWebhook', async ({ params }) => {
    await sendTest(context, params.id);
    return undefined;
  });
  guarded('webhookDeliveries', ({ params, query }) => deliveriesPage(db, params.id, query.page ?? 1));
  guarded('resendDelivery', async ({ params }) => {
    await resend(context, params.id, Number(params.delivery));
    return undefined;
  });
}
