import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { createWebhook } from '#api/admin/webhooks/webhooks.service.ts';
import { webhookEvents } from '#api/admin/webhooks/webhooks.contract.ts';
import type { WebhookEvent } from '#api/admin/webhooks/webhooks.contract.ts';
import { runDue, testWork } from './background.ts';
import { closeBefore } from './databases.ts';
import { testNow } from './test-app.ts';

/** A delivery as a receiver gets it. */
export interface ReceivedDelivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The owner in tests. */
export const testOwner = { id: null, name: 'olga', role: 'owner' } as const;

/** Starts a program that receives deliveries, and a webhook for these events; `deliver` sends what is due. */
export async function startReceiver(db: Database, events: readonly WebhookEvent[] = webhookEvents) {
  const received: ReceivedDelivery[] = [];
  const receiver = {
    received,
    /** The answer to the next deliveries; null: none at all. */
    answer: { status: 200, body: 'ok', headers: {} } as { status: number; body: string; headers?: object } | null,
  };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      const { answer } = receiver;
      if (answer !== null) response.writeHead(answer.status, { ...answer.headers }).end(answer.body);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closeBefore(db, async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const clock = fixedClock(testNow);
  const config = { publicUrl: 'https://polls.example.org', privateWebhooks: true };
  const context = { db, clock, config, log: silentLogger };
  const deliver = () => runDue(context, testWork(context), 'delivery');
  const body = { url: `${origin}/hook?key=k`, events: [...events] };
  const { webhook, secret } = await createWebhook(context, testOwner, body);
  return { ...{ receiver, origin, clock, context, webhook, secret, deliver } };
}
